import { watch } from 'node:fs';
import type * as fs from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { watchSources } from './watch-sources.ts';

vi.mock('node:fs', async (original) => {
  const actual = await original<typeof fs>();
  return { ...actual, watch: vi.fn(actual.watch) };
});

let folder: string;
let stopWatching: () => void = () => undefined;
const changedFiles = new Set<string>();

beforeEach(async () => {
  changedFiles.clear();
  folder = await mkdtemp(path.join(tmpdir(), 'walkdown-watch-'));
});
afterEach(async () => {
  stopWatching();
  await rm(folder, { recursive: true, force: true });
});

const writeSource = async (name: string, text: string) => {
  await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
  await writeFile(path.join(folder, name), text);
};

describe('watchSources', () => {
  it('continues after folders are removed and restored', async () => {
    await writeSource('plugin/web/deep/index.ts', 'a');
    stopWatching = watchSources([folder], (file) => void changedFiles.add(file));
    await rm(path.join(folder, 'plugin'), { recursive: true });
    // Simulates Node's failure when a folder disappears while it is read.
    const [watcher] = vi.mocked(watch).mock.results.map(({ value }) => value as ReturnType<typeof watch>);
    watcher?.emit('error', new Error('ENOENT'));
    changedFiles.clear();
    await vi.waitFor(async () => {
      await writeSource('plugin/web/deep/index.ts', String(performance.now()));
      expect(changedFiles).toContain(path.join(folder, 'plugin/web/deep/index.ts'));
    });
  });
});
