import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const memory = '/dev/shm';
const minFreeBytes = 8 * 1024 ** 3;

/**
 * Makes a folder for what this run writes, and removes it when the run ends. It lies in memory where that is large
 * enough: an embedded database is a thousand files, and making and deleting those of some hundred tests costs a disk's
 * file system a fifth of the processor time of all tests.
 */
export function temporaryFolder() {
  const folder = fs.mkdtempSync(path.join(hasRoom(memory) ? memory : os.tmpdir(), 'walkdown-run-'));
  // PostgreSQL runs as a user of its own, and its folder is below.
  fs.chmodSync(folder, 0o711);
  process.on('exit', () => {
    try {
      fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    } catch (error) {
      process.stderr.write(`${folder} could not be removed: ${error.message}\n`);
    }
  });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));
  return folder;
}

function hasRoom(place) {
  try {
    const { bavail, bsize } = fs.statfsSync(place);
    const memoryLeft = process.availableMemory?.() ?? os.freemem();
    return Math.min(bavail * bsize, memoryLeft) >= minFreeBytes && canExecuteIn(place);
  } catch {
    return false;
  }
}

/** Containers often mount their shared memory so that no program can be executed there; a test executes one. */
function canExecuteIn(place) {
  const folder = fs.mkdtempSync(path.join(place, 'walkdown-probe-'));
  const program = path.join(folder, 'program');
  try {
    fs.writeFileSync(program, '#!/bin/sh\n', { mode: 0o700 });
    return spawnSync(program).status === 0;
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}
