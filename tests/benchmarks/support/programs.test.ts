import { afterEach, describe, expect, it, vi } from 'vitest';
import { processActivity, processTree } from './process-tree.ts';
import { runCommand } from './programs.ts';

const node = (script: string, what = 'the script'): Promise<string> =>
  runCommand(process.execPath, ['-e', script], { what });

afterEach(() => void vi.useRealTimers());

describe('runCommand', () => {
  it('returns stdout', async () => {
    await expect(node('console.log(7); console.error(8);')).resolves.toBe('7\n');
  });

  it('rejects with the exit status and stderr', async () => {
    await expect(node('console.error("\\u001b[31mno network\\u001b[0m"); process.exit(3)')).rejects.toThrow(
      'the script ended with 3:\nno network',
    );
  });

  it('rejects with stdout if stderr is empty', async () => {
    await expect(node('console.log("no profile"); process.exit(2)')).rejects.toThrow('ended with 2:\nno profile');
  });

  it('rejects if the command cannot be started', async () => {
    await expect(runCommand('/absent/program', [], { what: 'the peer' })).rejects.toThrow(
      'the peer could not be started: spawn /absent/program ENOENT',
    );
  });

  it('ends the command after 60 s without output and CPU time', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const others = processTree(process.pid);
    const failed = node('setInterval(() => undefined, 1000)', 'the idle script').catch((error: unknown) => error);
    const pid = [...processTree(process.pid).keys()].find((each) => !others.has(each)) ?? 0;
    expect(pid).toBeGreaterThan(0);
    vi.advanceTimersByTime(62_000);
    expect(await failed).toEqual(new Error('Waited 60 s without progress for the idle script to end.'));
    expect(processTree(process.pid).has(pid)).toBe(false);
  });
});

describe.skipIf(process.platform !== 'linux')('process activity (Linux)', () => {
  it('counts the CPU time of the process and its descendants', () => {
    const ticks = (): number => [...processTree(process.pid).values()].reduce((sum, each) => sum + each.ticks, 0);
    const before = ticks();
    const until = process.cpuUsage().user + 200_000;
    while (process.cpuUsage().user < until);
    expect(ticks()).toBeGreaterThanOrEqual(before + 15);
  });

  it('reports no activity for a process that does not exist', () => {
    expect(processActivity(2 ** 30)()).toBe(0);
  });
});
