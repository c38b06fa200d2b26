import { spawn, type ChildProcess } from 'node:child_process';
import { stripVTControlCharacters } from 'node:util';
import { killAndWait, buildNodeProgram } from '../../../core/testing/server/node-program.ts';
import { waitFor, type Activity } from '../../browser/waiting.ts';
import { processActivity } from './process-tree.ts';

/** Environment of a measured server: no rate limits and no overload protection. */
export const benchEnvironment = {
  PORT: '0',
  LOG_LEVEL: 'silent',
  WALKDOWN_REQUESTS_PER_MINUTE: '0',
  WALKDOWN_BUSY_AFTER_MS: '600000',
} as const;

export interface RunningProgram<T> {
  readonly values: T;
  readonly child: ChildProcess;
  stop(): Promise<void>;
}

/**
 * Runs a program of this folder in a child process until it has sent all requested values. Rejects with its output if
 * it exits before.
 */
export async function runProgram<K extends string>(
  file: string,
  names: readonly K[],
  environment: Readonly<Record<string, string>>,
): Promise<RunningProgram<Readonly<Record<K, string>>>> {
  const program = await buildNodeProgram(`import './tests/benchmarks/support/${file}';`);
  const child = program.run({ ...benchEnvironment, ...environment }, []);
  const stop = async (): Promise<void> => {
    await waitFor(`the program ${file} to end`, killAndWait(child, 'SIGTERM'));
    program.remove();
  };
  try {
    return {
      values: await waitFor(`the program ${file} to start`, receiveValues(child, names), readActivity(child)),
      child,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function receiveValues<K extends string>(
  child: ChildProcess,
  names: readonly K[],
): Promise<Readonly<Record<K, string>>> {
  return new Promise((resolve, reject) => {
    let written = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => void (written = (written + chunk.toString()).slice(-10_000)));
    const values: Partial<Record<string, string>> = {};
    child.on('message', (message: Readonly<Record<string, string>>) => {
      Object.assign(values, message);
      if (names.every((name) => values[name] !== undefined)) resolve(values as Record<K, string>);
    });
    child.once('exit', (code) => reject(new Error(`The program ended (${code}) before it was ready: ${written}`)));
  });
}

/** Progress of a child process. */
export const readActivity = ({ pid }: ChildProcess): Activity => processActivity(pid ?? 0);

export interface CommandOptions {
  /** What the command does, such as `the build by Vite`, for error messages. */
  readonly what: string;
  readonly cwd?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/**
 * Runs a command and returns its output. Output and CPU time count as progress.
 *
 * @throws Error with the output, if the command cannot be started, exits with a status other than 0, or makes no
 *   progress
 */
export async function runCommand(
  command: string,
  args: readonly string[],
  { what, cwd, environment = {} }: CommandOptions,
): Promise<string> {
  const child = spawn(command, args, {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...environment },
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => void (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => void (stderr += chunk.toString()));
  const ended = new Promise<string>((resolve, reject) => {
    child.once('error', (error) => reject(new Error(`${what} could not be started: ${error.message}`)));
    child.once('close', (code, signal) =>
      code === 0
        ? resolve(stdout)
        : reject(new Error(`${what} ended with ${code ?? signal}:\n${stripVTControlCharacters(stderr || stdout)}`)),
    );
  });
  const cpu = readActivity(child);
  try {
    return await waitFor(`${what} to end`, ended, () => `${stdout.length} ${stderr.length} ${String(cpu())}`);
  } catch (error) {
    if (child.pid !== undefined) await killAndWait(child);
    throw error;
  }
}
