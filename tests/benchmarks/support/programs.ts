import type { ChildProcess } from 'node:child_process';
import { killed, nodeProgram } from '../../../core/testing/server/node-program.ts';

export interface RunningProgram<T> {
  readonly told: T;
  readonly child: ChildProcess;
  stop(): Promise<void>;
}

/**
 * Runs a program of this folder in a process of its own, until it has told all these things; fails with what it wrote
 * where it ends before.
 */
export async function runProgram<K extends string>(
  file: string,
  wanted: readonly K[],
  environment: Readonly<Record<string, string>>,
): Promise<RunningProgram<Readonly<Record<K, string>>>> {
  const program = await nodeProgram(`import './tests/benchmarks/support/${file}';`);
  const child = program.run({ PORT: '0', LOG_LEVEL: 'silent', WALKDOWN_REQUESTS_PER_MINUTE: '0', ...environment });
  const stop = async (): Promise<void> => {
    await killed(child, 'SIGTERM');
    program.remove();
  };
  try {
    return { told: await allTold(child, wanted), child, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function allTold<K extends string>(child: ChildProcess, wanted: readonly K[]): Promise<Readonly<Record<K, string>>> {
  return new Promise((resolve, reject) => {
    let written = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => void (written = (written + chunk.toString()).slice(-10_000)));
    const told: Partial<Record<string, string>> = {};
    child.on('message', (message: Readonly<Record<string, string>>) => {
      Object.assign(told, message);
      if (wanted.every((name) => told[name] !== undefined)) resolve(told as Record<K, string>);
    });
    child.once('exit', (code) => reject(new Error(`The program ended (${code}) before it was ready: ${written}`)));
  });
}
