import type { ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { SmallDisk } from './small-disk.ts';
import { killAndWait, waitForMessage, buildNodeProgram, type NodeProgram } from './node-program.ts';
import { testProduct } from './start-test-server.ts';
import { copyCoreDatabase } from './test-databases.ts';

/** A server in its own process. */
export interface RunningServer {
  readonly url: string;
  readonly child: ChildProcess;
  /** The server's log so far, one JSON object per line. */
  log(): string;
  /** Sends SIGTERM; resolves to the exit code. */
  stop(): Promise<number | null>;
  /** Sends SIGKILL. */
  kill(): Promise<void>;
}

export interface ServerProgram {
  /** Creates a data folder with a migrated core database. It is removed with the program. */
  createDataFolder(): Promise<string>;
  /** Resolves when the server listens. Rejects with its output if it exits before. */
  start(
    environment: Readonly<Record<string, string>>,
    execArgv?: readonly string[],
    disk?: SmallDisk,
  ): Promise<RunningServer>;
  /** Stops running processes. */
  remove(): Promise<void>;
}

/**
 * Bundles a server with core and the given plugins. `imports` and `list` are source text as in the generated entry,
 * such as `import shop from './plugins/shop/server/index.ts'` and `[enabledPlugin(...)]`; `bridges` is that of its
 * bridges. `plant` is an expression of a demo plant to seed before the server listens.
 */
export async function buildServerProgram(
  plugins: {
    readonly imports: string;
    readonly list: string;
    readonly bridges?: string;
    readonly bundleFolder?: string;
    readonly plant?: string;
  } = {
    imports: '',
    list: '[]',
  },
): Promise<ServerProgram> {
  const program = await buildNodeProgram(`
    import { enabledPlugin, serverPlugin, startServer } from './core/server/index.ts';
    ${plugins.imports}
    void enabledPlugin; void serverPlugin;
    startServer({
      product: ${JSON.stringify(testProduct)}, plugins: ${plugins.list}, bridges: ${plugins.bridges ?? '[]'},
      bundleFolder: ${JSON.stringify(plugins.bundleFolder)} }, process.env, {
      prepare: async (server) => { ${plugins.plant === undefined ? '' : `await server.seed(await (${plugins.plant}));`} },
    }).catch((error) => {
      process.stderr.write(error.message + '\\n', () => process.exit(1));
    });
  `);
  return createServerProgram(program);
}

function createServerProgram(program: NodeProgram): ServerProgram {
  const children: ChildProcess[] = [];
  const folders: string[] = [];
  return {
    createDataFolder: async () => {
      const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'walkdown-data-'));
      folders.push(folder);
      await copyCoreDatabase(folder);
      return folder;
    },
    start: async (environment, execArgv, disk) => {
      const child = program.run({ PORT: '0', WALKDOWN_BUSY_AFTER_MS: '0', ...environment }, execArgv, disk);
      children.push(child);
      let output = '';
      child.stdout?.on('data', (chunk: Buffer) => void (output += chunk.toString()));
      const { address } = await waitForMessage<{ readonly address: string }>(child);
      return {
        url: address,
        child,
        log: () => output,
        stop: () => killAndWait(child, 'SIGTERM'),
        kill: async () => void (await killAndWait(child)),
      };
    },
    remove: async () => {
      await Promise.all(children.map((child) => killAndWait(child)));
      for (const folder of folders) fs.rmSync(folder, { recursive: true, force: true });
      program.remove();
    },
  };
}
