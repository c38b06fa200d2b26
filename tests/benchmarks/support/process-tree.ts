import { readdirSync, readFileSync } from 'node:fs';
import type { Activity } from '../../browser/waiting.ts';

/** Clock ticks that count as progress; Linux has 100 ticks per second. */
const progressTicks = 200;

interface ProcessStatus {
  readonly parent: number;
  /** User and system time of the process and its ended children, in clock ticks. */
  readonly ticks: number;
}

/** The ids of the process `root` and its descendants, on Linux; empty elsewhere. */
export function processTree(root: number): ReadonlyMap<number, ProcessStatus> {
  const all = new Map<number, ProcessStatus>();
  for (const pid of processIds()) {
    const status = readStatus(pid);
    if (status) all.set(pid, status);
  }
  const isBelow = (pid: number): boolean => pid === root || (pid > 1 && isBelow(all.get(pid)?.parent ?? 0));
  return new Map([...all].filter(([pid]) => isBelow(pid)));
}

/**
 * Progress of a process and its descendants: two seconds of CPU time. A waiting process uses less in a minute. Without
 * information from the system there is no progress.
 */
export function processActivity(root: number): Activity {
  return () => Math.floor([...processTree(root).values()].reduce((sum, { ticks }) => sum + ticks, 0) / progressTicks);
}

function readStatus(pid: number): ProcessStatus | undefined {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The process name before is in parentheses and may contain spaces; fields start at the third. See
    // proc_pid_stat(5).
    const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
    const ticks = [11, 12, 13, 14].reduce((sum, index) => sum + Number(fields[index]), 0);
    return { parent: Number(fields[1]), ticks };
  } catch {
    // The process has ended.
    return undefined;
  }
}

function processIds(): readonly number[] {
  try {
    return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
  } catch {
    return [];
  }
}
