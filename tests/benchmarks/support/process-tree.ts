import { readdirSync, readFileSync } from 'node:fs';
import type { Activity } from '../../browser/waiting.ts';

/** Ticks of CPU time, of which Linux has 100 a second, that count as progress. */
const progressTicks = 200;

interface ProcessStatus {
  readonly parent: number;
  /** User and system time of the process and of its children that ended. */
  readonly ticks: number;
}

/** The process `root` and all below it, by their ids, on Linux; empty elsewhere. */
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
 * Progress of a process and all below it: two seconds of CPU time. A process that waits for something uses less in a
 * minute. Where the system does not say, there is no progress.
 */
export function processActivity(root: number): Activity {
  return () => Math.floor([...processTree(root).values()].reduce((sum, { ticks }) => sum + ticks, 0) / progressTicks);
}

function readStatus(pid: number): ProcessStatus | undefined {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name before is in parentheses and may have spaces. See proc_pid_stat(5): from the third field on.
    const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
    const ticks = [11, 12, 13, 14].reduce((sum, index) => sum + Number(fields[index]), 0);
    return { parent: Number(fields[1]), ticks };
  } catch {
    // The process ended meanwhile.
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
