import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, vi } from 'vitest';
import { flushFolder } from '../files/flush-folder.ts';
import { ArchiveWriter } from './archive-writer.ts';

vi.mock('../files/flush-folder.ts', () => ({ flushFolder: vi.fn() }));

it("flushes the archive's directory entry to the disk before it finishes", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'walkdown-archive-'));
  const file = path.join(folder, 'backup.tar.gz');
  let existedAtFlush = false;
  vi.mocked(flushFolder).mockImplementation(async () => void (existedAtFlush = existsSync(file)));
  const archive = new ArchiveWriter(file);
  await archive.addText('summary.json', '{}');
  await archive.finish();
  expect(vi.mocked(flushFolder).mock.calls).toEqual([[folder]]);
  expect(existedAtFlush).toBe(true);
  await rm(folder, { recursive: true });
});
