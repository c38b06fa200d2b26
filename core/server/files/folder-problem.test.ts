import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findFolderProblem } from './folder-problem.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'walkdown-folder-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('findFolderProblem', () => {
  it('accepts an existing or missing folder, and leaves it unchanged', async () => {
    expect(await findFolderProblem(folder)).toBeUndefined();
    expect(await findFolderProblem(path.join(folder, 'a', 'b'))).toBeUndefined();
    expect(await readdir(folder)).toEqual([]);
  });

  it('refuses a file, and a path below a file', async () => {
    const file = path.join(folder, 'file');
    await writeFile(file, 'content');
    expect(await findFolderProblem(file)).toBe(`'${file}' is a file, not a folder.`);
    expect(await findFolderProblem(path.join(file, 'sub'))).toBe(`'${file}' is a file, not a folder.`);
  });

  it.skipIf(process.platform !== 'linux')('refuses a folder that cannot be written', async () => {
    expect(await findFolderProblem('/proc/walkdown')).toMatch(/^Nothing can be written into '\/proc': E[A-Z]+\.$/);
  });
});
