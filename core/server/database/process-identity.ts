import fs from 'node:fs';
import os from 'node:os';

/**
 * Distinguishes a process from a later one with the same pid by its start time, in clock ticks. Empty if the system
 * does not tell (no `/proc`). Undefined if the process is missing or a zombie, for which `kill(pid, 0)` still succeeds.
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

/** Machine, boot and pid namespace. Pids are comparable only if these are equal. */
export function getPidNamespace(): string {
  return [os.hostname(), read('/proc/sys/kernel/random/boot_id'), link('/proc/self/ns/pid')].join(' ');
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function read(file: string): string {
  try {
    return fs.readFileSync(file, 'utf8').trim();
  } catch {
    return '';
  }
}

function link(file: string): string {
  try {
    return fs.readlinkSync(file);
  } catch {
    return '';
  }
}
