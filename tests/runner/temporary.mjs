import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const memoryFolder = '/dev/shm';
const minFreeBytes = 8 * 1024 ** 3;

/**
 * Creates a temporary folder for this run and removes it at the end. It is in memory if there is enough memory, because
 * on disk the thousands of files of embedded databases would take a fifth of all CPU time.
 */
export function createTemporaryFolder() {
  const folder = fs.mkdtempSync(path.join(hasSpace(memoryFolder) ? memoryFolder : os.tmpdir(), 'walkdown-run-'));
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

function hasSpace(parent) {
  try {
    const { bavail, bsize } = fs.statfsSync(parent);
    const availableBytes = process.availableMemory?.() ?? os.freemem();
    return Math.min(bavail * bsize, availableBytes) >= minFreeBytes && canExecuteIn(parent);
  } catch {
    return false;
  }
}

/** Containers often mount shared memory with `noexec`, but a test executes a program there. */
function canExecuteIn(parent) {
  const folder = fs.mkdtempSync(path.join(parent, 'walkdown-probe-'));
  const program = path.join(folder, 'program');
  try {
    fs.writeFileSync(program, '#!/bin/sh\n', { mode: 0o700 });
    return spawnSync(program).status === 0;
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}
