import { fork, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { toSmallDiskOptions, type SmallDisk } from './small-disk.ts';
import { v8OptionsForTests } from '../v8-options.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const threadFile = /-(?:worker|process)\.mjs$/;

/**
 * Packages of several hundred files each, which load in a third less processor time from one file. Other packages stay
 * external, as in a built product, because they have binaries, threads or data.
 */
const bundledPackage =
  /^(?:@fastify\/|(?:fastify|ajv|ajv-formats|jose|kysely|nodemailer|openid-client|prom-client|typebox)(?:\/|$))/;
const external = /^(?:pino|thread-stream)(?:\/|$)/;

const bundlePackages: Plugin = {
  name: 'bundle-packages',
  setup: (pluginBuild) =>
    pluginBuild.onResolve({ filter: /^[^./#]/ }, ({ path: name, importer }) => {
      const isInside = importer.includes(`${path.sep}node_modules${path.sep}`);
      return (isInside ? !external.test(name) : bundledPackage.test(name)) ? undefined : { path: name, external: true };
    }),
};

export interface NodeProgram {
  /**
   * Forks the program, which sends messages by `process.send`. `execArgv` are options of Node, by default those for
   * short test processes. `disk` is a separate file system for this process.
   */
  run(environment?: Readonly<Record<string, string>>, execArgv?: readonly string[], disk?: SmallDisk): ChildProcess;
  remove(): void;
}

/**
 * Bundles a TypeScript program for plain Node, as the build bundles the server. Packages stay external, and worker
 * files are written to the same folder. `source` imports by paths from the project's root.
 */
export async function buildNodeProgram(source: string): Promise<NodeProgram> {
  const folder = path.join(root, 'node_modules', '.cache', 'walkdown', `program-${randomUUID()}`);
  const threads = ['core/server', 'plugins'].flatMap((part) =>
    listFilesBelow(path.join(root, part)).filter((file) => threadFile.test(file)),
  );
  const sharedOptions = {
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
      ...sharedOptions,
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
      ...sharedOptions,
      packages: 'external',
      entryPoints: Object.fromEntries(threads.map((file) => [path.basename(file, '.mjs'), file])),
    }),
  ]);
  return {
    run: (environment = {}, execArgv = v8OptionsForTests(), disk = undefined) =>
      fork(path.join(folder, 'program.mjs'), {
        env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...environment },
        stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
        ...(disk ? toSmallDiskOptions(disk, execArgv) : { execArgv: [...execArgv] }),
      }),
    remove: () => fs.rmSync(folder, { recursive: true, force: true }),
  };
}

function listFilesBelow(folder: string): readonly string[] {
  return fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => !name.includes('node_modules'))
    .map((name) => path.join(folder, name));
}

/** The next message of a process. Rejects with the output of the process if it exits first. */
export function waitForMessage<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    let output = '';
    const collectOutput = (chunk: Buffer): void => void (output = (output + chunk.toString()).slice(-10_000));
    const removeListeners = (): void => {
      child.stdout?.off('data', collectOutput);
      child.stderr?.off('data', collectOutput);
      child.off('exit', handleExit);
      child.off('message', handleMessage);
    };
    const handleExit = (code: number | null): void => {
      removeListeners();
      reject(new Error(`The process exited (${code}) before it sent a message: ${output}`));
    };
    const handleMessage = (message: unknown): void => {
      removeListeners();
      resolve(message as T);
    };
    child.stdout?.on('data', collectOutput);
    child.stderr?.on('data', collectOutput);
    child.once('exit', handleExit);
    child.once('message', handleMessage);
  });
}

/** Kills a process (default: SIGKILL) and waits for its exit. */
export function killAndWait(child: ChildProcess, signal: NodeJS.Signals = 'SIGKILL'): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode);
  return new Promise((resolve) => {
    child.once('exit', (code) => resolve(code));
    child.kill(signal);
  });
}
