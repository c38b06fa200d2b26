import { fork, type ChildProcess } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { CliError, exitCodes } from '../cli-error.ts';
import { projectRoot } from '../project-root.ts';

/** The remedy for a failed start. The server's own messages name remedies for operators, not for developers. */
const startRemedy =
  'Correct what these messages name. If they are about a migration that was changed, renamed or removed before it was ' +
  'delivered, stop this command and run `walkdown dev --fresh`, which deletes the data and writes the demo again.';

/** Runs the API of a product in development in its own process. */
export class ApiProcess {
  readonly #folder: string;
  readonly #environment: NodeJS.ProcessEnv;
  #child: ChildProcess | undefined;
  #lastStart: Promise<void> = Promise.resolve();
  #startCount = 0;
  #url: Promise<string> = Promise.reject(new Error('The API was not started.'));

  /** @param folder for the files of the server, with the layout of a product's folder */
  constructor(folder: string, environment: NodeJS.ProcessEnv) {
    this.#folder = folder;
    this.#environment = environment;
    this.#url.catch(() => undefined);
  }

  /** The URL of the API. Waits until a starting process listens. */
  get url(): Promise<string> {
    return this.#url;
  }

  /** Stops the running process and starts another one with `files`. Resolves when it, or its replacement, listens. */
  async restart(files: ReadonlyMap<string, Uint8Array>): Promise<void> {
    this.#startCount += 1;
    const start = this.#startCount;
    // One process after the other, because the embedded database allows only one at a time.
    const replacement = this.#lastStart.then(() => this.#replaceProcess(files));
    this.#lastStart = replacement.then(
      () => undefined,
      () => undefined,
    );
    const listening = replacement.then((child) => this.#waitForUrl(child, start));
    this.#url = listening;
    listening.catch(() => undefined);
    await listening;
  }

  async stop(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exitEvent = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    await exitEvent;
  }

  async #replaceProcess(files: ReadonlyMap<string, Uint8Array>): Promise<ChildProcess> {
    await this.stop();
    const server = path.join(this.#folder, 'server');
    const web = path.join(this.#folder, 'web');
    await rm(this.#folder, { recursive: true, force: true });
    await Promise.all([mkdir(server, { recursive: true }), mkdir(web, { recursive: true })]);
    // The API needs the pages to start, but the server of `dev` serves them. These files are placeholders.
    const pages = ['index.html', 'login.html'].map((page) => writeFile(path.join(web, page), ''));
    await Promise.all([...pages, ...[...files].map(([name, content]) => writeFile(path.join(server, name), content))]);
    this.#child = fork(path.join(projectRoot, 'cli', 'walkdown.mjs'), ['serve', '--out', this.#folder, '--demo'], {
      env: this.#environment,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    return this.#child;
  }

  #waitForUrl(child: ChildProcess, start: number): Promise<string> {
    return new Promise((resolve, reject) => {
      child.once('message', (message: { readonly address: string }) => resolve(message.address));
      child.once('error', reject);
      child.once('exit', (code) => {
        // The process was replaced during its start: callers get the URL of the replacement.
        if (start !== this.#startCount) resolve(this.#url);
        else
          reject(
            new CliError(exitCodes.unexpected, [
              {
                cause: `The API ended before it listened (exit code ${code ?? 'none'}). See its messages above.`,
                remedy: startRemedy,
              },
            ]),
          );
      });
    });
  }
}
