import { readdirSync, readFileSync } from 'node:fs';
import type { Activity } from '../../browser/waiting.ts';

/** Clock ticks that count as progress. Linux has 100 ticks per second. */
const progressTicks = 200;

interface ProcessStatus {
  readonly parent: number;
  /** User and system time of the process and its ended children, in clock ticks. */
  readonly ticks: number;
}

/** Lists the process `root` and its descendants by id, on Linux. Empty on other systems. */
export function readProcessTree(root: number): ReadonlyMap<number, ProcessStatus> {
  const all = new Map<number, ProcessStatus>();
  for (const pid of listProcessIds()) {
    const status = readStatus(pid);
    if (status) all.set(pid, status);
  }
  const isInTree = (pid: number): boolean => pid === root || (pid > 1 && isInTree(all.get(pid)?.parent ?? 0));
  return new Map([...all].filter(([pid]) => isInTree(pid)));
}

/**
 * Creates an activity that changes with every two seconds of CPU time of a process and its descendants. A waiting
 * process uses less in a minute. The activity never changes if the system does not report CPU times.
 */
export function createProcessActivity(root: number): Activity {
  return () =>
    Math.floor([...readProcessTree(root).values()].reduce((sum, { ticks }) => sum + ticks, 0) / progressTicks);
}

function readStatus(pid: number): ProcessStatus | undefined {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the process name in parentheses, which may contain spaces. The first element of `fields` is
    // therefore the third field of the line. See proc_pid_stat(5).
    const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
    const ticks = [11, 12, 13, 14].reduce((sum, index) => sum + Number(fields[index]), 0);
    return { parent: Number(fields[1]), ticks };
  } catch {
    // The process has ended.
    return undefined;
  }
}

function listProcessIds(): readonly number[] {
  try {
    return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
  } catch {
    return [];
  }
}
