import { spawnSync } from 'node:child_process';

/** The commit that `--changed` compares with (default: the last one); undefined without `--changed`. */
export function changedRef(args) {
  const at = args.indexOf('--changed');
  if (at < 0) return undefined;
  const next = args[at + 1];
  return next === undefined || next.startsWith('-') ? 'HEAD' : next;
}

/**
 * Files changed or added since a commit, or since the branch diverged from it, including untracked files. Deleted files
 * are excluded.
 *
 * @throws Error with a sentence if Git does not know the commit
 */
export function changedFiles(root, ref) {
  const git = (...args) => {
    const { status, stdout, stderr, error } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
    if (status === 0) return stdout.split('\0').filter(Boolean);
    const reason = error?.message ?? stderr.trim().split('\n')[0];
    throw new Error(`Git cannot tell what was changed since '${ref}': ${reason}`);
  };
  return [
    ...git('diff', '--name-only', '-z', '--relative', '--diff-filter=d', '--merge-base', ref, '--'),
    ...git('ls-files', '-z', '--others', '--exclude-standard'),
  ];
}
