import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { listChangedFiles, parseChangedOption } from './changed.mjs';

let root: string;
const write = (file: string, content = 'one'): void => {
  mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
  writeFileSync(path.join(root, file), content);
};
const git = (...args: string[]) => execFileSync('git', args, { cwd: root, stdio: 'pipe' });
const commit = (): void => {
  git('add', '--all');
  git('-c', 'user.name=Test', '-c', 'user.email=test@walkdown.example', 'commit', '--quiet', '--message', 'change');
};

beforeEach(() => {
  // In hooks Git sets these variables, which name another repository.
  for (const name of Object.keys(process.env)) if (name.startsWith('GIT_')) vi.stubEnv(name, undefined);
  root = mkdtempSync(path.join(tmpdir(), 'walkdown-changed-'));
  git('init', '--quiet', '--initial-branch', 'main');
  for (const file of ['kept.ts', 'changed.ts', 'deleted.ts', 'renamed.ts', 'folder/inner.ts']) write(file, file);
  write('.gitignore', 'ignored.ts');
  commit();
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(root, { recursive: true });
});

it.each([
  [['--node', '24'], undefined],
  [['--changed'], 'HEAD'],
  [['--changed', '--node', '24'], 'HEAD'],
  [['--changed', 'main'], 'main'],
])('%j compares with %s', (args, ref) => {
  expect(parseChangedOption(args)).toBe(ref);
});

describe('changed files', () => {
  it('include changed, added and renamed files, and exclude deleted and ignored ones', () => {
    write('changed.ts', 'two');
    write('grün 1.ts');
    write('ignored.ts');
    write('staged.ts');
    rmSync(path.join(root, 'deleted.ts'));
    renameSync(path.join(root, 'renamed.ts'), path.join(root, 'new-name.ts'));
    git('add', 'staged.ts', 'new-name.ts', 'renamed.ts');
    expect(listChangedFiles(root, 'HEAD').toSorted()).toEqual(['changed.ts', 'grün 1.ts', 'new-name.ts', 'staged.ts']);
  });

  it('exclude commits of the base branch since it diverged', () => {
    git('checkout', '--quiet', '-b', 'own');
    write('own.ts');
    commit();
    git('checkout', '--quiet', 'main');
    write('kept.ts', 'two');
    commit();
    git('checkout', '--quiet', 'own');
    write('changed.ts', 'two');
    expect(listChangedFiles(root, 'main').toSorted()).toEqual(['changed.ts', 'own.ts']);
  });

  it('are relative to the project root, even if the repository root is a parent folder', () => {
    write('folder/inner.ts', 'two');
    write('folder/added.ts');
    write('changed.ts', 'two');
    expect(listChangedFiles(path.join(root, 'folder'), 'HEAD').toSorted()).toEqual(['added.ts', 'inner.ts']);
  });

  it('cannot be listed for an unknown commit, as the error says', () => {
    expect(() => listChangedFiles(root, 'no-such-branch')).toThrow(
      /^Git cannot list the changes since 'no-such-branch': fatal: .*no-such-branch/,
    );
  });
});
