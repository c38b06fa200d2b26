import { decodeJwt } from 'jose';
import { Gauge } from 'prom-client';
import { serverEventsPath } from '#core';
import type { CoreContext, CorePart } from '../kernel/core-part.ts';
import { Authenticator } from '../kernel/authenticator.ts';
import { rawEndpoint } from '../kernel/raw-endpoint.ts';
import { EventHub } from './event-hub.ts';
import { EventStream } from './event-stream.ts';
import { Events } from './events.ts';

export const readEvents = rawEndpoint({
  method: 'GET',
  path: serverEventsPath,
  summary: 'Server-sent events for the signed-in person, from the header `last-event-id` on.',
  access: 'signedIn',
  produces: 'text/event-stream',
});

const beatEvery = 15_000;
/** A person's windows; past it the oldest stream ends. */
const mostPerPerson = 50;

/** Core's part for server-sent events: provides `Events`, and serves them to browsers. */
export const eventsPart: CorePart = {
  id: 'events',
  migrations: [],
  mount(api, context) {
    const hub = new EventHub(context.database);
    const streams = new Map<EventStream, () => void>();
    context.provide(Events, hub);
    context.onStart(async () => context.onStop(await hub.start()));
    context.onStop(() => {
      for (const end of streams.values()) end();
    });
    new Gauge({
      name: 'walkdown_event_streams',
      help: 'Open streams of server-sent events.',
      registers: [context.metrics],
      collect() {
        this.set(streams.size);
      },
    });

    api.serveRaw(readEvents, async ({ caller, request, reply, signal }) => {
      if (request.method === 'HEAD') return reply.send('');
      const bearer = request.headers.authorization?.slice('Bearer '.length);
      const lastId = request.headers['last-event-id'];
      const stream = new EventStream(caller.uid, reply.raw);
      endOldest(streams, caller.uid);
      reply.hijack();
      stream.begin(reply.getHeaders());
      const disconnect = hub.connect(stream, typeof lastId === 'string' && lastId !== '' ? lastId : undefined);
      const end = (): void => {
        disconnect();
        clearInterval(beat);
        clearTimeout(expiry);
        streams.delete(stream);
        stream.end();
      };
      const check = async (): Promise<void> => {
        stream.beat();
        await context.service(Authenticator).authenticate(bearer, {}).catch(end);
      };
      const beat = setInterval(() => void check(), beatEvery);
      const expiry = setTimeout(
        end,
        Math.max(0, Math.min(expiryOf(bearer, context) - context.clock.now(), 2 ** 31 - 1)),
      );
      streams.set(stream, end);
      signal.addEventListener('abort', end, { once: true });
      reply.raw.once('close', end);
      return reply;
    });
  },
};

function endOldest(streams: ReadonlyMap<EventStream, () => void>, uid: string): void {
  const own = [...streams].filter(([stream]) => stream.uid === uid);
  if (own.length >= mostPerPerson) own[0]?.[1]();
}

/** When the token ends, in milliseconds since 1970. The kernel has verified the token already. */
function expiryOf(bearer: string | undefined, context: CoreContext): number {
  const fallback = context.clock.now() + context.config.session.accessTokenLifetime;
  if (bearer === undefined) return fallback;
  try {
    const { exp } = decodeJwt(bearer);
    return exp === undefined ? fallback : exp * 1000;
  } catch {
    return fallback;
  }
}
