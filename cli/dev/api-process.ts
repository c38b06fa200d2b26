import { fork, type ChildProcess } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { CliError, exitCodes } from '../cli-error.ts';
import { projectRoot } from '../project-root.ts';

/** The most common cause; its own message names a remedy for products, not for developers. */
const staleDatabase =
  'Mend what they name. Where they are about a step of the database that was changed, renamed or taken back before ' +
  'it was ever delivered: end this, and start `walkdown dev --fresh`, which throws the data away and writes the ' +
  'demo anew.';

/** The API of a product in development, in its own process, restarted when its code changes. */
export class ApiProcess {
  readonly #folder: string;
  readonly #environment: NodeJS.ProcessEnv;
  #child: ChildProcess | undefined;
  #turn: Promise<void> = Promise.resolve();
  #starts = 0;
  #address: Promise<string> = Promise.reject(new Error('The API was not started.'));

  /** @param folder where its files are written; like a product's folder */
  constructor(folder: string, environment: NodeJS.ProcessEnv) {
    this.#folder = folder;
    this.#environment = environment;
    this.#address.catch(() => undefined);
  }

  /** Its address; waits for a running start. */
  get address(): Promise<string> {
    return this.#address;
  }

  /** Stops the running process and starts the given code. Resolves when it, or its replacement, listens. */
  async restart(files: ReadonlyMap<string, Uint8Array>): Promise<void> {
    this.#starts += 1;
    const start = this.#starts;
    // Sequential: the embedded database allows one process at a time.
    const started = this.#turn.then(() => this.#replace(files));
    this.#turn = started.then(
      () => undefined,
      () => undefined,
    );
    const listening = started.then((child) => this.#listening(child, start));
    this.#address = listening;
    listening.catch(() => undefined);
    await listening;
  }

  async stop(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    await ended;
  }

  async #replace(files: ReadonlyMap<string, Uint8Array>): Promise<ChildProcess> {
    await this.stop();
    const server = path.join(this.#folder, 'server');
    const web = path.join(this.#folder, 'web');
    await rm(this.#folder, { recursive: true, force: true });
    await Promise.all([mkdir(server, { recursive: true }), mkdir(web, { recursive: true })]);
    // The server of `dev` serves the pages; these placeholders let the API start.
    const pages = ['index.html', 'login.html'].map((page) => writeFile(path.join(web, page), ''));
    await Promise.all([...pages, ...[...files].map(([name, content]) => writeFile(path.join(server, name), content))]);
    this.#child = fork(path.join(projectRoot, 'cli', 'walkdown.mjs'), ['serve', '--out', this.#folder, '--demo'], {
      env: this.#environment,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    return this.#child;
  }

  #listening(child: ChildProcess, start: number): Promise<string> {
    return new Promise((resolve, reject) => {
      child.once('message', (message: { readonly address: string }) => resolve(message.address));
      child.once('error', reject);
      child.once('exit', (code) => {
        // Replaced during its start: waiters get the address of the replacement.
        if (start !== this.#starts) resolve(this.#address);
        else
          reject(
            new CliError(exitCodes.unexpected, [
              {
                cause: `The API ended before it listened (exit code ${code ?? 'none'}); its own words stand above.`,
                remedy: staleDatabase,
              },
            ]),
          );
      });
    });
  }
}
