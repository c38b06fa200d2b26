import { randomUUID } from 'node:crypto';
import { mkdir, readFile, readdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Clock } from '../kernel/clock.ts';
import type { ComposedMail, MailTransport } from './mailer.ts';

/** A mail in the outbox. */
export interface OutboxMail extends ComposedMail {
  /** ISO 8601 instant at which the mail was written. */
  readonly at: string;
}

/**
 * Writes each mail as one JSON file, readable by the owner only, whose name begins with the time. For trials and
 * deployments without a mail server.
 */
export class OutboxTransport implements MailTransport {
  readonly #folder: string;
  readonly #clock: Clock;

  constructor(folder: string, clock: Clock) {
    this.#folder = folder;
    this.#clock = clock;
  }

  async deliver(mail: ComposedMail): Promise<void> {
    const at = new Date(this.#clock.now()).toISOString();
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const file = path.join(this.#folder, `${at.replaceAll(':', '-')}-${randomUUID().slice(0, 8)}`);
    await writeFile(`${file}.part`, `${JSON.stringify({ at, ...mail } satisfies OutboxMail, null, 2)}\n`, {
      mode: 0o600,
    });
    await rename(`${file}.part`, `${file}.json`);
  }
}

/** Reads all mails of an outbox, oldest first. Returns none if the folder is missing. */
export async function readOutbox(folder: string): Promise<readonly OutboxMail[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const fileNames = names.filter((name) => name.endsWith('.json')).sort();
  return Promise.all(
    fileNames.map(async (name) => JSON.parse(await readFile(path.join(folder, name), 'utf8')) as OutboxMail),
  );
}
