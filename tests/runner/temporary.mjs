import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const memory = '/dev/shm';
const needed = 8 * 1024 ** 3;

/**
 * Makes a folder for what this run writes, and removes it when the run ends. It lies in memory where that is large
 * enough: an embedded database is a thousand files, and making and deleting those of some hundred tests costs a disk's
 * file system a fifth of the processor time of all tests.
 */
export function temporaryFolder() {
  const folder = fs.mkdtempSync(path.join(hasRoom(memory) ? memory : os.tmpdir(), 'walkdown-run-'));
  // PostgreSQL runs as a user of its own, and its folder is below.
  fs.chmodSync(folder, 0o711);
  process.on('exit', () => fs.rmSync(folder, { recursive: true, force: true }));
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));
  return folder;
}

function hasRoom(place) {
  try {
    const { bavail, bsize } = fs.statfsSync(place);
    return bavail * bsize >= needed;
  } catch {
    return false;
  }
}
