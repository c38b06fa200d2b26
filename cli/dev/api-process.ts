import { fork, type ChildProcess } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { CliError, exitCodes } from '../cli-error.ts';
import { projectRoot } from '../project-root.ts';

/** The API of a product under work, in a process of its own that is replaced when its code changes. */
export class ApiProcess {
  readonly #folder: string;
  readonly #environment: NodeJS.ProcessEnv;
  #child: ChildProcess | undefined;
  #address: Promise<string> = Promise.reject(new Error('The API was not started.'));

  /** @param folder where its files are written; a product's folder in little */
  constructor(folder: string, environment: NodeJS.ProcessEnv) {
    this.#folder = folder;
    this.#environment = environment;
    this.#address.catch(() => undefined);
  }

  /** Where it listens; waits for a start that is under way. */
  get address(): Promise<string> {
    return this.#address;
  }

  /** Stops what runs, and starts the given code. Resolves when it listens. */
  async restart(files: ReadonlyMap<string, Uint8Array>): Promise<void> {
    const starting = this.#replace(files);
    this.#address = starting;
    starting.catch(() => undefined);
    await starting;
  }

  async stop(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    await ended;
  }

  async #replace(files: ReadonlyMap<string, Uint8Array>): Promise<string> {
    // The embedded database takes one process at a time.
    await this.stop();
    const server = path.join(this.#folder, 'server');
    await rm(this.#folder, { recursive: true, force: true });
    await mkdir(server, { recursive: true });
    const web = path.join(this.#folder, 'web');
    await mkdir(web);
    // The pages come from the server of `dev`; a product without them would not start.
    await Promise.all([...['index.html', 'login.html'].map((page) => writeFile(path.join(web, page), '')), ...[...files].map(([name, content]) => writeFile(path.join(server, name), content))]);
    const child = fork(path.join(projectRoot, 'cli', 'walkdown.mjs'), ['serve', '--out', this.#folder, '--demo'], { env: this.#environment, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    this.#child = child;
    return new Promise((resolve, reject) => {
      child.once('message', (message: { readonly address: string }) => resolve(message.address));
      // Replaced while it started: whoever waits for it waits for its successor.
      child.once('exit', (code) => (this.#child !== child ? resolve(this.#address) : reject(new CliError(exitCodes.unexpected, [{ cause: `The API ended before it listened (exit code ${code ?? 'none'}); its own words stand above.` }]))));
      child.once('error', reject);
    });
  }
}
