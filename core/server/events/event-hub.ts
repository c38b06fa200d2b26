import { randomBytes } from 'node:crypto';
import { streamTopics, type AccessFlag, type EventDataOf, type ServerEvent } from '#core';
import type { Database } from '../database/database.ts';
import { createSerializer } from '../kernel/reply-serializer.ts';
import type { EventAudience, Events } from './events.ts';

/** One published event. */
export interface HubEvent {
  readonly id: string;
  readonly topic: string;
  /** One line of JSON. */
  readonly data: string;
  readonly audience: EventAudience;
}

/** Receives events in the order of their ids and filters them. Must not throw. */
export interface EventReceiver {
  receive(event: HubEvent): void;
}

/** Where a stream begins. Default: at the next event. */
export interface StreamStart {
  /** Id of the last received event. */
  readonly lastId?: string | undefined;
  /** First replays the events of the last seconds. */
  readonly replaySeconds?: number | undefined;
}

/** The payload of the database announcement: id, topic, data, and the audience as one field. */
interface AnnouncedEvent {
  readonly i: string;
  readonly t: string;
  readonly d: string;
  readonly p?: readonly string[];
  readonly l?: string;
  readonly f?: AccessFlag;
}

const channel = 'core_events';
const topicShape = /^[A-Za-z0-9._-]{1,200}$/;
const accountsPerAnnouncement = 100;

/**
 * Events of all processes of a database, in the same order for all: every process, including the sender, receives them
 * through the database. Caches the latest events, so that a client that reconnects to any process receives what it
 * missed.
 */
export class EventHub implements Events {
  readonly #database: Database;
  readonly #capacity: number;
  readonly #process = randomBytes(6).toString('base64url');
  readonly #latest: (HubEvent & { readonly receivedAt: number })[] = [];
  readonly #receivers = new Set<EventReceiver>();
  #count = 0;
  /** The id before the first cached event. */
  #before = `${this.#process}.0`;
  /** The cache is complete since this time. */
  #completeSince = performance.now();

  constructor(database: Database, capacity = 2000) {
    this.#database = database;
    this.#capacity = capacity;
  }

  /** Resolves with a function that stops listening. */
  start(): Promise<() => Promise<void>> {
    this.#completeSince = performance.now();
    return this.#database.listen(channel, (payload) => this.#handleMessage(JSON.parse(payload) as AnnouncedEvent), {
      missed: () => this.#forget(),
    });
  }

  async publish<E extends ServerEvent>(event: E, audience: EventAudience, data: EventDataOf<E>): Promise<void> {
    const { topic } = event;
    if (!topicShape.test(topic))
      throw new Error(`'${topic}' cannot be a topic. Use letters, digits, '.', '_' and '-'.`);
    const line = createSerializer(event.data)(data);
    if (audience === 'signedIn') return this.#announce(topic, line, {});
    if ('location' in audience)
      return this.#announce(topic, line, { l: audience.location, ...(audience.flag ? { f: audience.flag } : {}) });
    const { accounts } = audience;
    for (let from = 0; from < accounts.length; from += accountsPerAnnouncement)
      await this.#announce(topic, line, { p: accounts.slice(from, from + accountsPerAnnouncement) });
  }

  /**
   * Replays events from `start`, or sends `core.reset` if they are no longer cached; then `core.open`, whose id is a
   * valid start, and new events. Returns the function that disconnects.
   */
  connect(receiver: EventReceiver, start: StreamStart = {}): () => void {
    const newest = this.newestId;
    const missed = this.#missedSince(start);
    if (missed) for (const event of missed) receiver.receive(event);
    else receiver.receive(streamEvent(newest, streamTopics.reset));
    receiver.receive(streamEvent(newest, streamTopics.open));
    this.#receivers.add(receiver);
    return () => void this.#receivers.delete(receiver);
  }

  get connected(): number {
    return this.#receivers.size;
  }

  get newestId(): string {
    return this.#latest.at(-1)?.id ?? this.#before;
  }

  /** Undefined if some of the missed events are no longer cached. */
  #missedSince({ lastId, replaySeconds = 0 }: StreamStart): readonly HubEvent[] | undefined {
    if (lastId !== undefined) {
      const known = lastId === this.#before ? -1 : this.#latest.findIndex(({ id }) => id === lastId);
      return known === -1 && lastId !== this.#before ? undefined : this.#latest.slice(known + 1);
    }
    if (replaySeconds === 0) return [];
    const since = performance.now() - replaySeconds * 1000;
    return since < this.#completeSince ? undefined : this.#latest.filter(({ receivedAt }) => receivedAt >= since);
  }

  #announce(topic: string, data: string, audience: Pick<AnnouncedEvent, 'p' | 'l' | 'f'>): Promise<void> {
    const announced: AnnouncedEvent = { i: `${this.#process}.${++this.#count}`, t: topic, d: data, ...audience };
    return this.#database.notify(channel, JSON.stringify(announced));
  }

  #handleMessage(announced: AnnouncedEvent): void {
    const { i: id, t: topic, d: data } = announced;
    const event = { id, topic, data, audience: toAudience(announced), receivedAt: performance.now() };
    this.#latest.push(event);
    if (this.#latest.length > this.#capacity) {
      const dropped = this.#latest.shift();
      this.#before = dropped?.id ?? this.#before;
      this.#completeSince = this.#latest[0]?.receivedAt ?? this.#completeSince;
    }
    for (const receiver of this.#receivers) receiver.receive(event);
  }

  /** Clears the cache after a lost database connection: events may have been missed. */
  #forget(): void {
    this.#latest.length = 0;
    this.#before = `${this.#process}.${++this.#count}`;
    this.#completeSince = performance.now();
    for (const receiver of this.#receivers) receiver.receive(streamEvent(this.#before, streamTopics.reset));
  }
}

/** An event of the stream itself, for one client. */
export const streamEvent = (id: string, topic: string): HubEvent => ({ id, topic, data: '{}', audience: 'signedIn' });

function toAudience({ p: accounts, l: location, f: flag }: AnnouncedEvent): EventAudience {
  if (accounts) return { accounts };
  if (location === undefined) return 'signedIn';
  return { location, ...(flag === undefined ? {} : { flag }) };
}
