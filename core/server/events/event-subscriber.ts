import { hasAccess, streamTopics } from '#core';
import type { Caller } from '../access/caller.ts';
import type { LocationStore } from '../access/location-store.ts';
import { createStreamEvent, type EventReceiver, type HubEvent } from './event-hub.ts';
import type { EventAudience } from './events.ts';

export interface EventSubscriberOptions {
  /** The person who opened the stream. */
  readonly caller: Caller;
  /** Loads the person's current access. Rejects if their session or token has ended. */
  readonly authenticate: () => Promise<Caller>;
  readonly locations: LocationStore;
  readonly send: (id: string, topic: string, data: string) => void;
  /** Called if a delivery failed. The client must then reconnect. */
  readonly onFailed: () => void;
}

/** Delivers events to one open stream in order. Skips events that the person may not receive at that moment. */
export class EventSubscriber implements EventReceiver {
  readonly #options: EventSubscriberOptions;
  #caller: Caller;
  #lastId = '';
  #isCheckQueued = false;
  #deliveries = Promise.resolve();

  constructor(options: EventSubscriberOptions) {
    this.#options = options;
    this.#caller = options.caller;
  }

  get caller(): Caller {
    return this.#caller;
  }

  receive(event: HubEvent): void {
    this.#enqueue(() => this.#deliver(event));
  }

  /** Loads the person's access, and tells the browser to reload its data if the access has changed. */
  checkAccess(): void {
    if (this.#isCheckQueued) return;
    this.#isCheckQueued = true;
    this.#enqueue(async () => {
      this.#isCheckQueued = false;
      const caller = await this.#options.authenticate();
      const isSame = JSON.stringify(caller.access) === JSON.stringify(this.#caller.access);
      this.#caller = caller;
      if (!isSame) this.#send(createStreamEvent(this.#lastId, streamTopics.reset));
    });
  }

  /** Tells the browser to reload its data. */
  reset(): void {
    this.#enqueue(async () => this.#send(createStreamEvent(this.#lastId, streamTopics.reset)));
  }

  async #deliver(event: HubEvent): Promise<void> {
    this.#lastId = event.id;
    if (await this.#canReceive(event.audience)) this.#send(event);
  }

  async #canReceive(audience: EventAudience): Promise<boolean> {
    if (audience === 'signedIn') return true;
    if ('accounts' in audience) return audience.accounts.includes(this.#caller.uid);
    const { location, flag } = audience;
    return hasAccess(this.#caller.access, flag) && this.#options.locations.canAccess(this.#caller, location);
  }

  #send({ id, topic, data }: HubEvent): void {
    this.#options.send(id, topic, data);
  }

  #enqueue(task: () => Promise<void>): void {
    this.#deliveries = this.#deliveries.then(task).catch(() => this.#options.onFailed());
  }
}
