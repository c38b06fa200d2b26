import { fork, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { onSmallDisk, type SmallDisk } from './small-disk.ts';
import { v8OptionsForTests } from '../v8-options.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const ownThread = /-(?:worker|process)\.mjs$/;

/**
 * Packages of several hundred files each, which load in a third less processor time from one file. Others stay
 * external, as in a built product: they have binaries, threads or data.
 */
const bundled =
  /^(?:@fastify\/|(?:fastify|ajv|ajv-formats|jose|kysely|nodemailer|openid-client|prom-client|typebox)(?:\/|$))/;
const external = /^(?:pino|thread-stream)(?:\/|$)/;

const bundlePackages: Plugin = {
  name: 'bundle-packages',
  setup: (build) =>
    build.onResolve({ filter: /^[^./#]/ }, ({ path: name, importer }) => {
      const isInside = importer.includes(`${path.sep}node_modules${path.sep}`);
      return (isInside ? !external.test(name) : bundled.test(name)) ? undefined : { path: name, external: true };
    }),
};

export interface NodeProgram {
  /**
   * Forks the program; `process.send` delivers its messages. `execArgv`: Node options, default: those for short test
   * processes. `disk`: a separate file system for this process.
   */
  run(environment?: Readonly<Record<string, string>>, execArgv?: readonly string[], disk?: SmallDisk): ChildProcess;
  remove(): void;
}

/**
 * Bundles a TypeScript program for plain Node, as the build bundles the server: packages stay external, worker files
 * are next to it. `source` imports by paths from the project's root, such as `./core/server/index.ts`.
 */
export async function nodeProgram(source: string): Promise<NodeProgram> {
  const folder = path.join(root, 'node_modules', '.cache', 'walkdown', `program-${randomUUID()}`);
  const threads = ['core/server', 'plugins'].flatMap((part) =>
    filesBelow(path.join(root, part)).filter((file) => ownThread.test(file)),
  );
  const shared = {
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    logLevel: 'silent',
    absWorkingDir: root,
  } as const;
  const tsconfigRaw = {
    compilerOptions: { experimentalDecorators: true, useDefineForClassFields: true, verbatimModuleSyntax: true },
  };
  await Promise.all([
    build({
      ...shared,
      tsconfigRaw,
      stdin: { contents: source, resolveDir: root, loader: 'ts', sourcefile: 'program.ts' },
      entryNames: 'program',
      plugins: [bundlePackages],
      // Some packages are CommonJS.
      banner: {
        js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
      },
    }),
    build({
      ...shared,
      packages: 'external',
      entryPoints: Object.fromEntries(threads.map((file) => [path.basename(file, '.mjs'), file])),
    }),
  ]);
  return {
    run: (environment = {}, execArgv = v8OptionsForTests(), disk = undefined) =>
      fork(path.join(folder, 'program.mjs'), {
        env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...environment },
        stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
        ...(disk ? onSmallDisk(disk, execArgv) : { execArgv: [...execArgv] }),
      }),
    remove: () => fs.rmSync(folder, { recursive: true, force: true }),
  };
}

function filesBelow(folder: string): readonly string[] {
  return fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => !name.includes('node_modules'))
    .map((name) => path.join(folder, name));
}

/** The next message of a process; rejects with its output if it ends before. */
export function nextMessage<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    let output = '';
    const handleMessage = (chunk: Buffer): void => void (output = (output + chunk.toString()).slice(-10_000));
    const done = (): void => {
      child.stdout?.off('data', handleMessage);
      child.stderr?.off('data', handleMessage);
      child.off('exit', ended);
      child.off('message', got);
    };
    const ended = (code: number | null): void => {
      done();
      reject(new Error(`The process ended (${code}) before it answered: ${output}`));
    };
    const got = (message: unknown): void => {
      done();
      resolve(message as T);
    };
    child.stdout?.on('data', handleMessage);
    child.stderr?.on('data', handleMessage);
    child.once('exit', ended);
    child.once('message', got);
  });
}

/** Kills a process (default: SIGKILL) and waits for its exit. */
export function killed(child: ChildProcess, signal: NodeJS.Signals = 'SIGKILL'): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode);
  return new Promise((resolve) => {
    child.once('exit', (code) => resolve(code));
    child.kill(signal);
  });
}
