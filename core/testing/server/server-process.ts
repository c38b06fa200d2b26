import type { ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { SmallDisk } from './small-disk.ts';
import { killed, nextMessage, nodeProgram, type NodeProgram } from './node-program.ts';
import { testProduct } from './start-test-server.ts';
import { placeCoreDatabase } from './test-databases.ts';

/** A server in its own process. */
export interface RunningServer {
  readonly address: string;
  readonly child: ChildProcess;
  /** Its log so far: one JSON object per line. */
  log(): string;
  /** Sends SIGTERM; resolves to the exit code. */
  stop(): Promise<number | null>;
  /** Sends SIGKILL. */
  kill(): Promise<void>;
}

export interface ServerProgram {
  /** A new data folder with a migrated core database; removed with the program. */
  dataFolder(): Promise<string>;
  /** Resolves when it listens; rejects with its output otherwise. */
  start(
    environment: Readonly<Record<string, string>>,
    execArgv?: readonly string[],
    disk?: SmallDisk,
  ): Promise<RunningServer>;
  /** Stops running processes. */
  remove(): Promise<void>;
}

/**
 * `plugins`: imports and an array, as in the generated entry: `{ imports: "import shop from
 * './plugins/shop/server/index.ts'", list: "[enabledPlugin(...)]" }`; default: only core. `plant`: expression of a demo
 * plant to seed before it listens.
 */
export async function serverProgram(
  plugins: {
    readonly imports: string;
    readonly list: string;
    readonly bundleFolder?: string;
    readonly plant?: string;
  } = {
    imports: '',
    list: '[]',
  },
): Promise<ServerProgram> {
  const program = await nodeProgram(`
    import { enabledPlugin, serverPlugin, startServer } from './core/server/index.ts';
    ${plugins.imports}
    void enabledPlugin; void serverPlugin;
    startServer({
      product: ${JSON.stringify(testProduct)}, plugins: ${plugins.list},
      bundleFolder: ${JSON.stringify(plugins.bundleFolder)} }, process.env, {
      prepare: async (server) => { ${plugins.plant === undefined ? '' : `await server.seed(await (${plugins.plant}));`} },
    }).catch((error) => {
      process.stderr.write(error.message + '\\n', () => process.exit(1));
    });
  `);
  return createProgram(program);
}

function createProgram(program: NodeProgram): ServerProgram {
  const children: ChildProcess[] = [];
  const folders: string[] = [];
  return {
    dataFolder: async () => {
      const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'walkdown-data-'));
      folders.push(folder);
      await placeCoreDatabase(folder);
      return folder;
    },
    start: async (environment, execArgv, disk) => {
      const child = program.run({ PORT: '0', WALKDOWN_BUSY_AFTER_MS: '0', ...environment }, execArgv, disk);
      children.push(child);
      let output = '';
      child.stdout?.on('data', (chunk: Buffer) => void (output += chunk.toString()));
      const { address } = await nextMessage<{ readonly address: string }>(child);
      return {
        address,
        child,
        log: () => output,
        stop: () => killed(child, 'SIGTERM'),
        kill: async () => void (await killed(child)),
      };
    },
    remove: async () => {
      await Promise.all(children.map((child) => killed(child)));
      for (const folder of folders) fs.rmSync(folder, { recursive: true, force: true });
      program.remove();
    },
  };
}
