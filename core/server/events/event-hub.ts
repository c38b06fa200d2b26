import { randomBytes } from 'node:crypto';
import { streamTopics, type AccessFlag, type EventDataOf, type ServerEvent } from '#core';
import type { Database } from '../database/database.ts';
import { createSerializer } from '../kernel/reply-serializer.ts';
import type { EventAudience, Events } from './events.ts';

/** A published event. */
export interface HubEvent {
  readonly id: string;
  readonly topic: string;
  /** JSON without line breaks. */
  readonly data: string;
  readonly audience: EventAudience;
}

/** Receives events in the order of their ids and filters them. Must not throw. */
export interface EventReceiver {
  receive(event: HubEvent): void;
}

/** The position at which a stream begins. Without any property it begins at the next event. */
export interface StreamStart {
  /** The id of the last event that the client received. */
  readonly lastId?: string | undefined;
  /** Replays the events of this many seconds first. Ignored if there is a `lastId`. */
  readonly replaySeconds?: number | undefined;
}

/** The payload of the announcement: id, topic, data, and the audience (accounts `p`, or location `l` and flag `f`). */
interface AnnouncedEvent {
  readonly i: string;
  readonly t: string;
  readonly d: string;
  readonly p?: readonly string[];
  readonly l?: string;
  readonly f?: AccessFlag;
}

const channel = 'core_events';
const topicPattern = /^[A-Za-z0-9._-]{1,200}$/;
const accountsPerAnnouncement = 100;

/**
 * Distributes events to all processes of a database. Every process, including the sender, receives them through the
 * database and therefore in the same order. Caches the latest events for clients that reconnect to any process.
 */
export class EventHub implements Events {
  readonly #database: Database;
  readonly #capacity: number;
  readonly #processId = randomBytes(6).toString('base64url');
  readonly #cachedEvents: (HubEvent & { readonly receivedAt: number })[] = [];
  readonly #receivers = new Set<EventReceiver>();
  #count = 0;
  /** The id of the event before the oldest cached one. */
  #idBeforeOldest = `${this.#processId}.0`;
  /** All events since this time are in the cache. */
  #completeSince = performance.now();

  constructor(database: Database, capacity = 2000) {
    this.#database = database;
    this.#capacity = capacity;
  }

  /** Resolves with a function that stops listening. */
  start(): Promise<() => Promise<void>> {
    this.#completeSince = performance.now();
    return this.#database.listen(channel, (payload) => this.#handleMessage(JSON.parse(payload) as AnnouncedEvent), {
      onMissed: () => this.#clearCache(),
    });
  }

  async publish<E extends ServerEvent>(event: E, audience: EventAudience, data: EventDataOf<E>): Promise<void> {
    const { topic } = event;
    if (!topicPattern.test(topic))
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
   * Replays events from `start`, or sends `core.reset` if some of them are not in the cache. Then sends `core.open`,
   * whose id is a valid start, and new events. Returns a function that disconnects.
   */
  connect(receiver: EventReceiver, start: StreamStart = {}): () => void {
    const newest = this.newestId;
    const missedEvents = this.#findMissed(start);
    if (missedEvents) for (const event of missedEvents) receiver.receive(event);
    else receiver.receive(createStreamEvent(newest, streamTopics.reset));
    receiver.receive(createStreamEvent(newest, streamTopics.open));
    this.#receivers.add(receiver);
    return () => void this.#receivers.delete(receiver);
  }

  get receiverCount(): number {
    return this.#receivers.size;
  }

  get newestId(): string {
    return this.#cachedEvents.at(-1)?.id ?? this.#idBeforeOldest;
  }

  /** Finds the events since `start`. Undefined if some of them are not in the cache. */
  #findMissed({ lastId, replaySeconds = 0 }: StreamStart): readonly HubEvent[] | undefined {
    if (lastId !== undefined) {
      if (lastId === this.#idBeforeOldest) return this.#cachedEvents.slice();
      const index = this.#cachedEvents.findIndex(({ id }) => id === lastId);
      return index === -1 ? undefined : this.#cachedEvents.slice(index + 1);
    }
    if (replaySeconds === 0) return [];
    const since = performance.now() - replaySeconds * 1000;
    return since < this.#completeSince ? undefined : this.#cachedEvents.filter(({ receivedAt }) => receivedAt >= since);
  }

  #announce(topic: string, data: string, audience: Pick<AnnouncedEvent, 'p' | 'l' | 'f'>): Promise<void> {
    const announcement: AnnouncedEvent = { i: `${this.#processId}.${++this.#count}`, t: topic, d: data, ...audience };
    return this.#database.notify(channel, JSON.stringify(announcement));
  }

  #handleMessage(announcement: AnnouncedEvent): void {
    const { i: id, t: topic, d: data } = announcement;
    const event = { id, topic, data, audience: toAudience(announcement), receivedAt: performance.now() };
    this.#cachedEvents.push(event);
    if (this.#cachedEvents.length > this.#capacity) {
      const droppedEvent = this.#cachedEvents.shift();
      this.#idBeforeOldest = droppedEvent?.id ?? this.#idBeforeOldest;
      this.#completeSince = this.#cachedEvents[0]?.receivedAt ?? this.#completeSince;
    }
    for (const receiver of this.#receivers) receiver.receive(event);
  }

  /** Clears the cache after the database connection was lost, because events may have been missed. */
  #clearCache(): void {
    this.#cachedEvents.length = 0;
    this.#idBeforeOldest = `${this.#processId}.${++this.#count}`;
    this.#completeSince = performance.now();
    for (const receiver of this.#receivers)
      receiver.receive(createStreamEvent(this.#idBeforeOldest, streamTopics.reset));
  }
}

/** Creates an event about the stream of one client. */
export const createStreamEvent = (id: string, topic: string): HubEvent => ({
  id,
  topic,
  data: '{}',
  audience: 'signedIn',
});

function toAudience({ p: accounts, l: location, f: flag }: AnnouncedEvent): EventAudience {
  if (accounts) return { accounts };
  if (location === undefined) return 'signedIn';
  return { location, ...(flag === undefined ? {} : { flag }) };
}
