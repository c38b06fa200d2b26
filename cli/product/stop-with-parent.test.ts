import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { killAndWait, waitForMessage, buildNodeProgram, type NodeProgram } from '#core/testing/server';

const source = `
  import { spawn } from 'node:child_process';
  import { stopWithParent } from './cli/product/stop-with-parent.ts';
  if (process.env.IS_CHILD) {
    setInterval(() => undefined, 1000);
    process.on('SIGTERM', () => { process.stdout.write('stopping'); process.exit(0); });
    stopWithParent();
    process.stdout.write('runs ');
  } else {
    const env = { ...process.env, IS_CHILD: '1' };
    const child = spawn(process.execPath, [process.argv[1]], { env, stdio: ['ignore', 'pipe', 'ignore'] });
    child.stdout.once('data', () => process.send(child.pid));
  }
`;

describe.skipIf(process.platform === 'win32')('stopWithParent', () => {
  let program: NodeProgram;
  beforeAll(async () => {
    program = await buildNodeProgram(source);
  });
  afterAll(() => program.remove());

  const isAlive = (pid: number): boolean => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };

  it('ends the process after its parent ended, if npm started it', async () => {
    const parent = program.run({ npm_command: 'exec' });
    const pid = await waitForMessage<number>(parent);
    await killAndWait(parent);
    await expect.poll(() => isAlive(pid)).toBe(false);
  });

  it('lets the process continue if npm did not start it', async () => {
    const parent = program.run();
    const pid = await waitForMessage<number>(parent);
    await killAndWait(parent);
    const next = program.run({ npm_command: 'exec' });
    const secondPid = await waitForMessage<number>(next);
    await killAndWait(next);
    await expect.poll(() => isAlive(secondPid)).toBe(false);
    expect(isAlive(pid)).toBe(true);
    process.kill(pid, 'SIGKILL');
  });
});
