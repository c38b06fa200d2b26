import { execFileSync } from 'node:child_process';

/** The commit that `--changed` compares with, by default the last one; undefined without `--changed`. */
export function changedRef(words) {
  const at = words.indexOf('--changed');
  if (at < 0) return undefined;
  const next = words[at + 1];
  return next === undefined || next.startsWith('-') ? 'HEAD' : next;
}

/** Files that were changed or added since a commit, also those that Git does not know yet. */
export function changedFiles(root, ref) {
  const git = (...words) => execFileSync('git', words, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean);
  return [
    ...git('diff', '--name-only', '--diff-filter=d', ref, '--'),
    ...git('ls-files', '--others', '--exclude-standard'),
  ];
}
