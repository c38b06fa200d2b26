import { decodeJwt } from 'jose';
import { Gauge } from 'prom-client';
import { Type } from 'typebox';
import { serverEventsPath } from '#core';
import { AccessChanges, type AccessChange } from '../access/access-changes.ts';
import type { Caller } from '../access/caller.ts';
import type { CoreContext, CorePart } from '../kernel/core-part.ts';
import { Authenticator } from '../kernel/authenticator.ts';
import { rawEndpoint } from '../kernel/raw-endpoint.ts';
import { EventHub } from './event-hub.ts';
import { EventSubscriber } from './event-subscriber.ts';
import { EventStream } from './event-stream.ts';
import { Events } from './events.ts';

export const readEvents = rawEndpoint({
  method: 'GET',
  path: serverEventsPath,
  summary:
    'Send events to the signed-in person, beginning after the event in the header `last-event-id`. Without this header, ' +
    'the events of the last `replaySeconds` are sent first.',
  access: 'signedIn',
  query: Type.Object({ replaySeconds: Type.Optional(Type.Integer({ minimum: 0, maximum: 3600 })) }),
  produces: 'text/event-stream',
});

const heartbeatIntervalMs = 15_000;
/** The limit of streams per person. For a further stream the oldest one ends. */
const maxPerPerson = 50;

/**
 * Core's part for server-sent events: provides `Events` and serves the streams. Must be mounted after the part
 * `access`.
 */
export const eventsPart: CorePart = {
  id: 'events',
  migrations: [],
  mount(api, context) {
    const hub = new EventHub(context.database);
    const streams = new Map<EventSubscriber, () => void>();
    context.provide(Events, hub);
    context.onStart(async () => context.onStop(await hub.start()));
    context.onStop(() => {
      for (const end of streams.values()) end();
    });
    context.service(AccessChanges).onChange((change) => {
      for (const subscriber of streams.keys())
        if (change.kind === 'locations') subscriber.reset();
        else if (isAffected(change, subscriber.caller)) subscriber.checkAccess();
    });
    new Gauge({
      name: 'walkdown_event_streams',
      help: 'Number of open streams of server-sent events.',
      registers: [context.metrics],
      collect() {
        this.set(streams.size);
      },
    });

    api.serveRaw(readEvents, async ({ caller, query, request, reply, signal }) => {
      if (request.method === 'HEAD') return reply.send('');
      const bearer = request.headers.authorization?.slice('Bearer '.length);
      const lastId = request.headers['last-event-id'];
      const stream = new EventStream(reply.raw);
      endOldest(streams, caller.uid);
      reply.hijack();
      stream.begin(reply.getHeaders());
      const subscriber = new EventSubscriber({
        caller,
        authenticate: () => context.service(Authenticator).authenticate(bearer, {}),
        locations: context.locations,
        send: (id, topic, data) => stream.send(id, topic, data),
        onFailed: () => end(),
      });
      const disconnect = hub.connect(subscriber, {
        lastId: typeof lastId === 'string' && lastId !== '' ? lastId : undefined,
        replaySeconds: query.replaySeconds,
      });
      const end = (): void => {
        disconnect();
        clearInterval(heartbeat);
        clearTimeout(expiry);
        streams.delete(subscriber);
        stream.end();
      };
      const heartbeat = setInterval(() => {
        stream.sendHeartbeat();
        subscriber.checkAccess();
      }, heartbeatIntervalMs);
      const expiry = setTimeout(
        end,
        Math.max(0, Math.min(readExpiry(bearer, context) - context.clock.now(), 2 ** 31 - 1)),
      );
      streams.set(subscriber, end);
      signal.addEventListener('abort', end, { once: true });
      reply.raw.once('close', end);
      return reply;
    });
  },
};

/** Whether a change may affect the person's access. */
function isAffected(change: AccessChange, caller: Caller): boolean {
  if (change.kind === 'account') return change.account === caller.uid;
  return change.kind !== 'session' || change.session === caller.session;
}

function endOldest(streams: ReadonlyMap<EventSubscriber, () => void>, uid: string): void {
  const personStreams = [...streams].filter(([{ caller }]) => caller.uid === uid);
  if (personStreams.length >= maxPerPerson) personStreams[0]?.[1]();
}

/** The token's expiry in milliseconds since the epoch. The kernel has already verified the token. */
function readExpiry(bearer: string | undefined, context: CoreContext): number {
  const fallback = context.clock.now() + context.config.session.accessTokenLifetimeMs;
  if (bearer === undefined) return fallback;
  try {
    const { exp } = decodeJwt(bearer);
    return exp === undefined ? fallback : exp * 1000;
  } catch {
    return fallback;
  }
}
