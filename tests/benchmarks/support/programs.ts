import { spawn, type ChildProcess } from 'node:child_process';
import { stripVTControlCharacters } from 'node:util';
import { killAndWait, buildNodeProgram } from '../../../core/testing/server/node-program.ts';
import { waitFor, type Activity } from '../../browser/waiting.ts';
import { createProcessActivity } from './process-tree.ts';

/** The environment of a measured server, without rate limits and overload protection. */
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
 * Starts a program of this folder in a child process. Resolves when it has sent the values with all `names`. Rejects
 * with its output if it exits before. Each message counts as progress, as CPU time does.
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
  const cpuActivity = createChildActivity(child);
  let messageCount = 0;
  child.on('message', () => void (messageCount += 1));
  try {
    return {
      values: await waitFor(
        `the program ${file} to start`,
        receiveValues(child, names),
        () => `${String(cpuActivity())} ${messageCount}`,
      ),
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
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => void (output = (output + chunk.toString()).slice(-10_000)));
    const values: Partial<Record<string, string>> = {};
    child.on('message', (message: Readonly<Record<string, string>>) => {
      Object.assign(values, message);
      if (names.every((name) => values[name] !== undefined)) resolve(values as Record<K, string>);
    });
    child.once('exit', (code) => reject(new Error(`The program ended (${code}) before it was ready: ${output}`)));
  });
}

/** Creates the activity of a child process. */
export const createChildActivity = ({ pid }: ChildProcess): Activity => createProcessActivity(pid ?? 0);

export interface CommandOptions {
  /** A noun for error messages, such as `the build by Vite`. */
  readonly description: string;
  readonly cwd?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/**
 * Runs a command and returns its output. Output and CPU time count as progress.
 *
 * @throws Error with the output if the command cannot be started, exits with a status other than 0, or makes no
 *   progress
 */
export async function runCommand(
  command: string,
  args: readonly string[],
  { description, cwd, environment = {} }: CommandOptions,
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
  const output = new Promise<string>((resolve, reject) => {
    child.once('error', (error) => reject(new Error(`${description} could not be started: ${error.message}`)));
    child.once('close', (code, signal) =>
      code === 0
        ? resolve(stdout)
        : reject(
            new Error(`${description} ended with ${code ?? signal}:\n${stripVTControlCharacters(stderr || stdout)}`),
          ),
    );
  });
  const cpuActivity = createChildActivity(child);
  try {
    return await waitFor(
      `${description} to end`,
      output,
      () => `${stdout.length} ${stderr.length} ${String(cpuActivity())}`,
    );
  } catch (error) {
    if (child.pid !== undefined) await killAndWait(child);
    throw error;
  }
}
