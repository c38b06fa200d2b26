import type { Logger } from 'pino';

/**
 * Work whose outcome and duration the caller of an endpoint must not learn, such as "send a code if there is such an account". Failures are logged.
 * A few at a time; past `waitingAtMost` new work is refused and logged.
 */
export class QuietWork {
  readonly #log: Logger;
  readonly #waiting: (() => Promise<void>)[] = [];
  #running = 0;
  #whenIdle: (() => void)[] = [];

  constructor(log: Logger) {
    this.#log = log;
  }

  run(name: string, work: () => Promise<void>): void {
    if (this.#waiting.length >= waitingAtMost) {
      this.#log.error({ work: name }, `Too much work is waiting: '${name}' was dropped. Is the mail server slow or away? The person can ask again.`);
      return;
    }
    this.#waiting.push(async () => {
      try {
        await work();
      } catch (error) {
        this.#log.error({ work: name, err: error }, `'${name}' failed. The person can ask again once the cause is gone.`);
      }
    });
    void this.#next();
  }

  /** Resolves when nothing is waiting or running. */
  idle(): Promise<void> {
    if (this.#running === 0 && this.#waiting.length === 0) return Promise.resolve();
    return new Promise((resolve) => this.#whenIdle.push(resolve));
  }

  async #next(): Promise<void> {
    if (this.#running >= atOnce) return;
    const work = this.#waiting.shift();
    if (work === undefined) return;
    this.#running += 1;
    await work();
    this.#running -= 1;
    if (this.#running === 0 && this.#waiting.length === 0) {
      for (const resolve of this.#whenIdle.splice(0)) resolve();
    }
    void this.#next();
  }
}

const atOnce = 4;
const waitingAtMost = 500;
