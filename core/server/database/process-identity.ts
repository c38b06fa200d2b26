import fs from 'node:fs';
import os from 'node:os';

/**
 * Reads the start time in clock ticks, which distinguishes a process from a later one with the same pid. Empty on
 * systems without `/proc`. Undefined if the process is missing or a zombie, for which `kill(pid, 0)` succeeds.
 */
export function readStartTime(pid: number): string | undefined {
  if (process.platform !== 'linux') return isRunning(pid) ? '' : undefined;
  let stat: string;
  try {
    stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
  // The name in parentheses may contain spaces and parentheses; field 3 is the state, field 22 the start time.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19];
}

/** Identifies the machine, the boot and the pid namespace. Pids are comparable only within the same namespace. */
export function getPidNamespace(): string {
  return [os.hostname(), readText('/proc/sys/kernel/random/boot_id'), readLink('/proc/self/ns/pid')].join(' ');
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function readText(file: string): string {
  try {
    return fs.readFileSync(file, 'utf8').trim();
  } catch {
    return '';
  }
}

function readLink(file: string): string {
  try {
    return fs.readlinkSync(file);
  } catch {
    return '';
  }
}
