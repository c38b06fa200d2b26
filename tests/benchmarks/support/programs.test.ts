import { afterEach, describe, expect, it, vi } from 'vitest';
import { createProcessActivity, readProcessTree } from './process-tree.ts';
import { runCommand } from './programs.ts';

const runNode = (script: string, description = 'the script'): Promise<string> =>
  runCommand(process.execPath, ['-e', script], { description });

afterEach(() => void vi.useRealTimers());

describe('runCommand', () => {
  it('returns stdout', async () => {
    await expect(runNode('console.log(7); console.error(8);')).resolves.toBe('7\n');
  });

  it('rejects with the exit status and stderr', async () => {
    await expect(runNode('console.error("\\u001b[31mno network\\u001b[0m"); process.exit(3)')).rejects.toThrow(
      'the script ended with 3:\nno network',
    );
  });

  it('rejects with stdout if stderr is empty', async () => {
    await expect(runNode('console.log("no profile"); process.exit(2)')).rejects.toThrow('ended with 2:\nno profile');
  });

  it('rejects if the command cannot be started', async () => {
    await expect(runCommand('/absent/program', [], { description: 'the peer' })).rejects.toThrow(
      'the peer could not be started: spawn /absent/program ENOENT',
    );
  });

  it('ends the command after 60 s without output and CPU time', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const processesBefore = readProcessTree(process.pid);
    const failure = runNode('setInterval(() => undefined, 1000)', 'the idle script').catch((error: unknown) => error);
    const pid = [...readProcessTree(process.pid).keys()].find((candidate) => !processesBefore.has(candidate)) ?? 0;
    expect(pid).toBeGreaterThan(0);
    vi.advanceTimersByTime(62_000);
    expect(await failure).toEqual(new Error('Waited 60 s without progress for the idle script to end.'));
    expect(readProcessTree(process.pid).has(pid)).toBe(false);
  });
});

describe.skipIf(process.platform !== 'linux')('process activity (Linux)', () => {
  it('counts the CPU time of the process and its descendants', () => {
    const countTicks = (): number =>
      [...readProcessTree(process.pid).values()].reduce((sum, stat) => sum + stat.ticks, 0);
    const ticksBefore = countTicks();
    const deadline = process.cpuUsage().user + 200_000;
    while (process.cpuUsage().user < deadline);
    expect(countTicks()).toBeGreaterThanOrEqual(ticksBefore + 15);
  });

  it('reports no activity for a process that does not exist', () => {
    expect(createProcessActivity(2 ** 30)()).toBe(0);
  });
});
