import { randomBytes } from 'node:crypto';
import { streamTopics } from '#core';
import type { Database } from '../database/database.ts';
import type { Events } from './events.ts';

/** One announced event. */
export interface HubEvent {
  readonly id: string;
  readonly topic: string;
  /** One line of JSON. */
  readonly data: string;
  /** Undefined: everybody. */
  readonly to: ReadonlySet<string> | undefined;
}

/** Where the hub delivers to. `send` must not throw. */
export interface EventSink {
  readonly uid: string;
  send(id: string, topic: string, data: string): void;
}

interface Announced {
  readonly i: string;
  readonly t: string;
  readonly d: string;
  readonly p?: readonly string[];
}

const channel = 'core_events';
const topicShape = /^[A-Za-z0-9._-]{1,200}$/;
const peopleAtOnce = 100;

/**
 * Events of all processes over one database, in one order for all: each announcement reaches every process, this one
 * too, by the database. The latest are kept, so that who returns is given what was missed, from whichever process it
 * reaches.
 */
export class EventHub implements Events {
  readonly #database: Database;
  readonly #capacity: number;
  readonly #process = randomBytes(6).toString('base64url');
  readonly #latest: HubEvent[] = [];
  readonly #sinks = new Set<EventSink>();
  #count = 0;
  /** Id that stands before the first kept event. */
  #before = `${this.#process}.0`;

  constructor(database: Database, capacity = 2000) {
    this.#database = database;
    this.#capacity = capacity;
  }

  /** Returns what ends the listening. */
  start(): Promise<() => Promise<void>> {
    return this.#database.listen(channel, (payload) => this.#hear(JSON.parse(payload) as Announced), {
      missed: () => this.#forget(),
    });
  }

  async publish(topic: string, data: unknown, to?: readonly string[]): Promise<void> {
    if (!topicShape.test(topic))
      throw new Error(`'${topic}' cannot be a topic. Use letters, digits, '.', '_' and '-'.`);
    const line = JSON.stringify(data ?? null);
    if (to === undefined) return this.#announce(topic, line);
    for (let from = 0; from < to.length; from += peopleAtOnce)
      await this.#announce(topic, line, to.slice(from, from + peopleAtOnce));
  }

  /**
   * Delivers from now on, beginning with what came after `lastId`: nothing where that is undefined, and `core.reset`
   * where it is no longer known. Returns what ends it. The first event is `core.open`; its id is where a reader
   * continues that hears nothing else.
   */
  connect(sink: EventSink, lastId: string | undefined): () => void {
    const newest = this.#latest.at(-1)?.id ?? this.#before;
    const known =
      lastId === undefined || lastId === this.#before ? -1 : this.#latest.findIndex(({ id }) => id === lastId);
    const isLost = lastId !== undefined && lastId !== this.#before && known === -1;
    if (isLost) sink.send(newest, streamTopics.reset, '{}');
    else if (lastId !== undefined) for (const event of this.#latest.slice(known + 1)) this.#deliver(event, sink);
    sink.send(newest, streamTopics.open, '{}');
    this.#sinks.add(sink);
    return () => void this.#sinks.delete(sink);
  }

  get connected(): number {
    return this.#sinks.size;
  }

  #announce(topic: string, data: string, to?: readonly string[]): Promise<void> {
    const announced: Announced = {
      i: `${this.#process}.${++this.#count}`,
      t: topic,
      d: data,
      ...(to === undefined ? {} : { p: to }),
    };
    return this.#database.notify(channel, JSON.stringify(announced));
  }

  #hear({ i: id, t: topic, d: data, p: people }: Announced): void {
    const event: HubEvent = { id, topic, data, to: people === undefined ? undefined : new Set(people) };
    this.#latest.push(event);
    if (this.#latest.length > this.#capacity) this.#before = this.#latest.shift()?.id ?? this.#before;
    for (const sink of this.#sinks) this.#deliver(event, sink);
  }

  #deliver(event: HubEvent, sink: EventSink): void {
    if (event.to === undefined || event.to.has(sink.uid)) sink.send(event.id, event.topic, event.data);
  }

  /** After a time without connection to the database nobody knows what was missed. */
  #forget(): void {
    this.#latest.length = 0;
    this.#before = `${this.#process}.${++this.#count}`;
    for (const sink of this.#sinks) sink.send(this.#before, streamTopics.reset, '{}');
  }
}
