import { serverEventsPath } from '#core';

export interface ReadEvent {
  readonly id: string;
  readonly topic: string;
  readonly data: unknown;
}

/** Reads a server's events like a browser and waits for expected events. */
export class EventReader {
  readonly events: ReadEvent[] = [];
  readonly headers: Headers;
  readonly #abort: AbortController;
  readonly #waiters = new Set<() => void>();
  /** Resolves when the server ends the stream. */
  readonly ended: Promise<void>;
  /** Number of lines that begin with a colon. */
  keepAlives = 0;

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
  static async connect(url: string, token: string, lastId?: string, replaySeconds?: number): Promise<EventReader> {
    const abort = new AbortController();
    const query = replaySeconds === undefined ? '' : `?replaySeconds=${replaySeconds}`;
    const headers = { authorization: `Bearer ${token}`, ...(lastId === undefined ? {} : { 'last-event-id': lastId }) };
    const response = await fetch(`${url}${serverEventsPath}${query}`, { headers, signal: abort.signal });
    if (response.status !== 200)
      throw new Error(`The server answered ${response.status} to the request for its events.`);
    const reader = new EventReader(response, abort);
    await reader.waitFor(({ topic }) => topic === 'core.open');
    return reader;
  }

  get lastId(): string {
    return this.events.at(-1)?.id ?? '';
  }

  listTopics(): readonly string[] {
    return this.events.map(({ topic }) => topic);
  }

  /** The first matching event, past or future. Only the test's timeout ends the wait. */
  async waitFor(matches: (event: ReadEvent) => boolean): Promise<ReadEvent> {
    for (;;) {
      const event = this.events.find(matches);
      if (event !== undefined) return event;
      await new Promise<void>((resolve) => this.#waiters.add(resolve));
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
      for (const block of blocks) this.#addEvent(block);
    }
  }

  #addEvent(block: string): void {
    if (block.startsWith(':')) this.keepAlives++;
    const fields = new Map(
      block
        .split('\n')
        .map((line): [string, string] => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
    );
    const topic = fields.get('event');
    if (topic === undefined) return;
    this.events.push({ id: fields.get('id') ?? '', topic, data: JSON.parse(fields.get('data') ?? 'null') });
    for (const wake of this.#waiters) wake();
    this.#waiters.clear();
  }
}
