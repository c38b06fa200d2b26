import { spawnSync } from 'node:child_process';

/** Returns the commit that `--changed` compares with, by default the last one. Undefined without `--changed`. */
export function parseChangedOption(args) {
  const index = args.indexOf('--changed');
  if (index < 0) return undefined;
  const nextArgument = args[index + 1];
  return nextArgument === undefined || nextArgument.startsWith('-') ? 'HEAD' : nextArgument;
}

/**
 * Lists files that were changed or added since a commit, or since the branch diverged from it. Includes untracked files
 * and excludes deleted ones.
 *
 * @throws Error with a whole sentence if Git does not know the commit
 */
export function listChangedFiles(root, ref) {
  const git = (...args) => {
    const { status, stdout, stderr, error } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
    if (status === 0) return stdout.split('\0').filter(Boolean);
    const reason = error?.message ?? stderr.trim().split('\n')[0];
    throw new Error(`Git cannot list the changes since '${ref}': ${reason}`);
  };
  return [
    ...git('diff', '--name-only', '-z', '--relative', '--diff-filter=d', '--merge-base', ref, '--'),
    ...git('ls-files', '-z', '--others', '--exclude-standard'),
  ];
}
