import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const memory = '/dev/shm';
const minFreeBytes = 8 * 1024 ** 3;

/**
 * Creates a temporary folder for this run, which is removed at the end. It is in memory if that is large enough: the
 * thousands of files of embedded databases would cost a fifth of all CPU time on disk.
 */
export function temporaryFolder() {
  const folder = fs.mkdtempSync(path.join(hasRoom(memory) ? memory : os.tmpdir(), 'walkdown-run-'));
  // PostgreSQL runs as another user, and its folder is inside.
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

/** Containers often mount shared memory with `noexec`, but a test executes a program there. */
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
