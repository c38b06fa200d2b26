import { serverEventsPath } from '#core';

export interface ReadEvent {
  readonly id: string;
  readonly topic: string;
  readonly data: unknown;
}

/** Reads a server's events like a browser, with waits for expected events. */
export class EventReader {
  readonly events: ReadEvent[] = [];
  readonly headers: Headers;
  readonly #abort: AbortController;
  readonly #waiting = new Set<() => void>();
  /** Resolves when the server ends the stream. */
  readonly ended: Promise<void>;
  /** Lines that begin with a colon. */
  beats = 0;

  private constructor(response: Response, abort: AbortController) {
    this.headers = response.headers;
    this.#abort = abort;
    this.ended = this.#read(response).catch(() => undefined);
  }

  /**
   * Resolves after the first event, `core.open`.
   *
   * @throws Error for a status other than 200
   */
  static async connect(address: string, token: string, lastId?: string, replaySeconds?: number): Promise<EventReader> {
    const abort = new AbortController();
    const query = replaySeconds === undefined ? '' : `?replaySeconds=${replaySeconds}`;
    const headers = { authorization: `Bearer ${token}`, ...(lastId === undefined ? {} : { 'last-event-id': lastId }) };
    const response = await fetch(`${address}${serverEventsPath}${query}`, { headers, signal: abort.signal });
    if (response.status !== 200) throw new Error(`The stream of events was answered with ${response.status}.`);
    const reader = new EventReader(response, abort);
    await reader.until(({ topic }) => topic === 'core.open');
    return reader;
  }

  get lastId(): string {
    return this.events.at(-1)?.id ?? '';
  }

  topics(): readonly string[] {
    return this.events.map(({ topic }) => topic);
  }

  /** The first matching event, past or future. Only the test's timeout ends the wait. */
  async until(fits: (event: ReadEvent) => boolean): Promise<ReadEvent> {
    for (;;) {
      const found = this.events.find(fits);
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => this.#waiting.add(resolve));
    }
  }

  async close(): Promise<void> {
    this.#abort.abort();
    await this.ended;
  }

  async #read(response: Response): Promise<void> {
    let rest = '';
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) {
      const blocks = (rest + decoder.decode(chunk, { stream: true })).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) this.#take(block);
    }
  }

  #take(block: string): void {
    if (block.startsWith(':')) this.beats++;
    const fields = new Map(
      block
        .split('\n')
        .map((line): [string, string] => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
    );
    const topic = fields.get('event');
    if (topic === undefined) return;
    this.events.push({ id: fields.get('id') ?? '', topic, data: JSON.parse(fields.get('data') ?? 'null') });
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }
}
