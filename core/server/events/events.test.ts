import { Type } from 'typebox';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { serverEvent, serverEventsPath, streamTopics, type LocationRow } from '#core';
import { Accounts } from '../auth/accounts.ts';
import { LocationStore } from '../access/location-store.ts';
import { Roles } from '../access/roles.ts';
import {
  describeOnDatabases,
  EventReader,
  createTestDatabase,
  openTestDatabase,
  startTestServer,
  type TestDatabase,
  type TestServer,
} from '#core/testing/server';
import { EventHub, type StreamStart } from './event-hub.ts';
import { Events, type EventAudience } from './events.ts';

const readers: EventReader[] = [];
async function connect(...parameters: Parameters<typeof EventReader.connect>): Promise<EventReader> {
  const reader = await EventReader.connect(...parameters);
  readers.push(reader);
  return reader;
}
afterEach(() => Promise.all(readers.splice(0).map((reader) => reader.close())));

const publish = (server: TestServer, topic: string, data: unknown, audience: EventAudience = 'signedIn') =>
  server.service(Events).publish({ topic, data: Type.Any() }, audience, data);

const rowsChanged = serverEvent('test.rowsChanged', Type.Object({ uid: Type.String() }));
const locationRow = (uid: string, parent: string | null): LocationRow => ({
  uid,
  label: uid,
  name: uid,
  parent,
  root: 'site',
  locationType: parent === null ? 'PRIMARY_LOCATION' : 'LOC_LEVEL',
});
const addLocations = (server: TestServer): Promise<void> =>
  server
    .service(LocationStore)
    .upsert([locationRow('site', null), locationRow('lower', 'site'), locationRow('upper', 'site')]);

/** Tests for one server, and for two on one database. `sender` publishes events, and clients connect to `receiver`. */
function testDelivery(servers: () => { readonly sender: TestServer; readonly receiver: TestServer }): void {
  it('sends an event to everybody, or to named people only', async () => {
    const { sender, receiver } = servers();
    const [ann, ben] = [await receiver.addPerson(), await receiver.addPerson()];
    const address = await receiver.url();
    const [annReader, benReader, benSecondReader] = [
      await connect(address, await receiver.signIn(ann)),
      await connect(address, await receiver.signIn(ben)),
      await connect(address, await receiver.signIn(ben)),
    ];
    await publish(sender, 'job.1', { done: 1 }, { accounts: [ben.uid] });
    await publish(sender, 'locations', null);
    for (const reader of [annReader, benReader, benSecondReader])
      await reader.waitFor(({ topic }) => topic === 'locations');
    expect(annReader.listTopics()).toEqual([streamTopics.open, 'locations']);
    expect(benReader.listTopics()).toEqual([streamTopics.open, 'job.1', 'locations']);
    expect(benSecondReader.listTopics()).toEqual([streamTopics.open, 'job.1', 'locations']);
    expect(benReader.events[1]?.data).toEqual({ done: 1 });
  });

  it('replays missed events once and in order to a client that reconnects', async () => {
    const { sender, receiver } = servers();
    const person = await receiver.addPerson();
    const token = await receiver.signIn(person);
    const address = await receiver.url();
    const first = await connect(address, token);
    await publish(sender, 'step', 1);
    await first.waitFor(({ data }) => data === 1);
    const lastId = first.lastId;
    await first.close();
    for (const step of [2, 3, 4])
      await publish(sender, 'step', step, step === 3 ? { accounts: ['somebody-else'] } : 'signedIn');
    // This client shows when the receiver has processed all three events.
    const witness = await connect(address, token);
    await publish(sender, 'step', 5);
    await witness.waitFor(({ data }) => data === 5);
    const second = await connect(address, token, lastId);
    expect(second.events.map(({ topic, data }) => [topic, data])).toEqual([
      ['step', 2],
      ['step', 4],
      ['step', 5],
      [streamTopics.open, {}],
    ]);
    const third = await connect(address, token, second.lastId);
    expect(third.listTopics()).toEqual([streamTopics.open]);
  });

  it('sends an event to people with access to the location, and with the flag if the event has one', async () => {
    const { sender, receiver } = servers();
    await addLocations(receiver);
    const address = await receiver.url();
    const [everywhere, lower, upper, configurator] = [
      await connect(address, await receiver.signIn()),
      await connect(address, await receiver.signIn({ locations: ['lower'] })),
      await connect(address, await receiver.signIn({ locations: ['upper'] })),
      await connect(address, await receiver.signIn({ locations: ['site'], flags: ['configure'] })),
    ];
    const events = sender.service(Events);
    await events.publish(rowsChanged, { location: 'lower' }, { uid: 'a' });
    await events.publish(rowsChanged, { location: 'lower', flag: 'configure' }, { uid: 'b' });
    await events.publish(rowsChanged, { location: 'nowhere' }, { uid: 'c' });
    await publish(sender, 'end', null);
    const readUids = async (reader: EventReader): Promise<unknown[]> => {
      await reader.waitFor(({ topic }) => topic === 'end');
      return reader.events.filter(({ topic }) => topic === rowsChanged.topic).map(({ data }) => data);
    };
    expect(await readUids(everywhere)).toEqual([{ uid: 'a' }]);
    expect(await readUids(lower)).toEqual([{ uid: 'a' }]);
    expect(await readUids(upper)).toEqual([]);
    expect(await readUids(configurator)).toEqual([{ uid: 'a' }, { uid: 'b' }]);
  });

  it("checks the person's current access when it delivers new and missed events", async () => {
    const { sender, receiver } = servers();
    await addLocations(receiver);
    const person = await receiver.addPerson({ locations: ['lower'] });
    const token = await receiver.signIn(person);
    const reader = await connect(await receiver.url(), token);
    const listUids = (stream: EventReader) =>
      stream.events.filter(({ topic }) => topic === rowsChanged.topic).map(({ data }) => (data as { uid: string }).uid);
    const announce = async (uid: string): Promise<void> => {
      const { services } = sender.server.registrar;
      for (const location of ['lower', 'upper'])
        await services.find(Events, 'test').publish(rowsChanged, { location }, { uid: `${location} ${uid}` });
      await publish(sender, 'end', uid);
    };
    await announce('1');
    await reader.waitFor(({ data }) => data === '1');
    const { lastId } = reader;
    await sender.service(Roles).update(person.role, { locations: ['upper'] });
    await reader.waitFor(({ topic }) => topic === streamTopics.reset);
    await announce('2');
    await reader.waitFor(({ data }) => data === '2');
    expect(listUids(reader)).toEqual(['lower 1', 'upper 2']);
    const secondReader = await connect(await receiver.url(), token, lastId);
    expect(listUids(secondReader)).toEqual(['upper 2']);
  });

  it('ends the stream of a deactivated account', async () => {
    const { sender, receiver } = servers();
    const person = await receiver.addPerson();
    const reader = await connect(await receiver.url(), await receiver.signIn(person));
    await sender.service(Accounts).deactivate(person.uid);
    await reader.ended;
  });

  it('begins with `core.reset` if events of the requested seconds are not in the cache', async () => {
    const { receiver } = servers();
    const reader = await connect(await receiver.url(), await receiver.signIn(), undefined, 3600);
    expect(reader.listTopics()).toEqual([streamTopics.reset, streamTopics.open]);
  });

  it('sends `core.reset` to a client that reconnects too late', async () => {
    const { receiver } = servers();
    const reader = await connect(await receiver.url(), await receiver.signIn(), 'long.gone');
    expect(reader.listTopics()).toEqual([streamTopics.reset, streamTopics.open]);
    const next = await connect(await receiver.url(), await receiver.signIn(), reader.lastId);
    expect(next.listTopics()).toEqual([streamTopics.open]);
  });
}

describeOnDatabases('GET /api/events', (database) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ database });
  });
  afterAll(() => server.close());

  testDelivery(() => ({ sender: server, receiver: server }));

  it('requires a signed-in person', async () => {
    const address = await server.url();
    expect((await fetch(`${address}${serverEventsPath}`)).status).toBe(401);
    expect((await fetch(`${address}${serverEventsPath}`, { headers: { authorization: 'Bearer x' } })).status).toBe(401);
  });

  it('forbids proxies to cache or transform the stream', async () => {
    const reader = await connect(await server.url(), await server.signIn());
    expect(reader.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(reader.headers.get('cache-control')).toBe('no-cache, no-transform');
    expect(reader.headers.get('x-accel-buffering')).toBe('no');
    expect(reader.headers.get('content-encoding')).toBeNull();
    expect(reader.headers.get('x-request-id')).not.toBeNull();
  });

  it('answers HEAD without a stream', async () => {
    const answer = await fetch(`${await server.url()}${serverEventsPath}`, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${await server.signIn()}` },
    });
    expect(answer.status).toBe(200);
  });

  it('refuses invalid topics and too large data', async () => {
    for (const topic of ['a\nb', '', 'a b', 'a\r'])
      await expect(publish(server, topic, 1)).rejects.toThrow(/cannot be a topic/);
    await expect(publish(server, 'large', 'x'.repeat(8000))).rejects.toThrow(/7000 bytes/);
  });

  it('sends an event to a thousand named people', async () => {
    const person = await server.addPerson();
    const reader = await connect(await server.url(), await server.signIn(person));
    await publish(server, 'many', 1, {
      accounts: [
        ...Array.from({ length: 999 }, (_, index) => `5f0c6a52-0000-4000-8000-${String(index).padStart(12, '0')}`),
        person.uid,
      ],
    });
    await reader.waitFor(({ topic }) => topic === 'many');
  });

  it("removes properties that the event's schema does not define", async () => {
    const reader = await connect(await server.url(), await server.signIn());
    const row = { uid: 'a', name: 'not in the schema' };
    await server.service(Events).publish(rowsChanged, 'signedIn', row);
    expect((await reader.waitFor(({ topic }) => topic === rowsChanged.topic)).data).toEqual({ uid: 'a' });
  });

  it('transmits data with line breaks unchanged', async () => {
    const reader = await connect(await server.url(), await server.signIn());
    const data = { text: 'a\nb\r\n\ndata: x\n\nevent: y\u2028' };
    await publish(server, 'lines', data);
    expect((await reader.waitFor(({ topic }) => topic === 'lines')).data).toEqual(data);
  });
});

describeOnDatabases('a stream of events', (database) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ database, config: { session: { accessTokenLifetimeMs: 4000 } } });
  });
  afterAll(() => server.close());

  it('ends with the access token, so that the client reconnects with a new one', async () => {
    const person = await server.addPerson();
    const startedAt = performance.now();
    const token = await server.signIn(person);
    const reader = await connect(await server.url(), token);
    await reader.ended;
    expect(performance.now() - startedAt).toBeGreaterThan(2900);
    await expect(EventReader.connect(await server.url(), token, reader.lastId)).rejects.toThrow('401');
    const secondReader = await connect(await server.url(), await server.signIn(person), reader.lastId);
    expect(secondReader.listTopics()).toEqual([streamTopics.open]);
  });

  it('ends when the server stops, without delaying the stop', async () => {
    const streams = [
      await connect(await server.url(), await server.signIn()),
      await connect(await server.url(), await server.signIn()),
    ];
    await server.close();
    await Promise.all(streams.map(({ ended }) => ended));
  });
});

describeOnDatabases('EventHub', (database) => {
  it('caches only the latest events', async () => {
    const eventDatabase = await openTestDatabase(database);
    const hub = new EventHub(eventDatabase, 3);
    const stop = await hub.start();
    const ids: string[] = [];
    const allReceived = new Promise<void>((resolve) => {
      hub.connect({
        receive: ({ id, topic, data }) => void (topic === 'n' && (ids.push(id), data === '5' && resolve())),
      });
    });
    for (let n = 1; n <= 5; n++) await hub.publish({ topic: 'n', data: Type.Number() }, 'signedIn', n);
    await allReceived;
    const reconnect = (start: StreamStart): readonly string[] => {
      const receivedTexts: string[] = [];
      hub.connect({ receive: ({ topic, data }) => void receivedTexts.push(topic === 'n' ? data : topic) }, start)();
      return receivedTexts;
    };
    expect(reconnect({ lastId: ids[0] })).toEqual([streamTopics.reset, streamTopics.open]);
    expect(reconnect({ lastId: ids[1] })).toEqual(['3', '4', '5', streamTopics.open]);
    expect(reconnect({ lastId: ids[3] })).toEqual(['5', streamTopics.open]);
    expect(reconnect({ lastId: ids[4] })).toEqual([streamTopics.open]);
    expect(reconnect({})).toEqual([streamTopics.open]);
    expect(hub.receiverCount).toBe(1);
    await stop();
    await eventDatabase.close();
  });
});

describe('EventHub', () => {
  it('replays the events of the last seconds', async () => {
    const eventDatabase = await openTestDatabase('embedded');
    let seconds = 100;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => seconds * 1000);
    const hub = new EventHub(eventDatabase, 2);
    const stop = await hub.start();
    const publishAt = async (second: number): Promise<void> => {
      seconds = second;
      const arrival = new Promise<void>((resolve) => {
        const disconnect = hub.connect({
          receive: ({ topic }) => void (topic === 'n' && (disconnect?.(), resolve())),
        }) as (() => void) | undefined;
      });
      await hub.publish({ topic: 'n', data: Type.Number() }, 'signedIn', second);
      await arrival;
    };
    const replay = (replaySeconds: number): readonly string[] => {
      const receivedTexts: string[] = [];
      hub.connect(
        { receive: ({ topic, data }) => void receivedTexts.push(topic === 'n' ? data : topic) },
        { replaySeconds },
      )();
      return receivedTexts;
    };
    await publishAt(110);
    await publishAt(120);
    expect(replay(5)).toEqual(['120', streamTopics.open]);
    expect(replay(20)).toEqual(['110', '120', streamTopics.open]);
    expect(replay(21)).toEqual([streamTopics.reset, streamTopics.open]);
    await publishAt(130);
    expect(replay(10)).toEqual(['120', '130', streamTopics.open]);
    expect(replay(11)).toEqual([streamTopics.reset, streamTopics.open]);
    clock.mockRestore();
    await stop();
    await eventDatabase.close();
  });
});

const postgres = inject('postgres');
describe.skipIf('missing' in postgres)(
  `events of two servers over one PostgreSQL${'missing' in postgres ? ` (not run: ${postgres.missing})` : ''}`,
  () => {
    let sharedDatabase: TestDatabase;
    let first: TestServer;
    let second: TestServer;
    beforeAll(async () => {
      sharedDatabase = await createTestDatabase('postgres');
      first = await startTestServer({ database: sharedDatabase });
      second = await startTestServer({ database: sharedDatabase });
    });
    afterAll(async () => {
      await first.close();
      await second.close();
      await sharedDatabase.remove();
    });

    testDelivery(() => ({ sender: first, receiver: second }));

    it('sends the missed events if a client reconnects to the other server', async () => {
      const person = await first.addPerson();
      const firstReader = await connect(await first.url(), await first.signIn(person));
      const secondReader = await connect(await second.url(), await second.signIn(person));
      await publish(first, 'step', 1);
      await firstReader.waitFor(({ data }) => data === 1);
      await secondReader.waitFor(({ data }) => data === 1);
      const lastId = firstReader.lastId;
      await firstReader.close();
      await publish(first, 'step', 2);
      await publish(second, 'step', 3);
      await secondReader.waitFor(({ data }) => data === 3);
      await secondReader.waitFor(({ data }) => data === 2);
      const reconnectedReader = await connect(await second.url(), await first.signIn(person), lastId);
      expect(
        reconnectedReader.events
          .slice(0, -1)
          .map(({ data }) => data)
          .sort(),
      ).toEqual([2, 3]);
      expect(reconnectedReader.events.map(({ id }) => id)).toEqual([
        ...secondReader.events.filter(({ data }) => data === 2 || data === 3).map(({ id }) => id),
        reconnectedReader.lastId,
      ]);
    });

    it('sends `core.reset` to everybody after the listening connection was lost', async () => {
      const reader = await connect(await second.url(), await second.signIn());
      await first.database.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'walkdown listener' and " +
          'datname = current_database()',
      );
      await reader.waitFor(({ topic }) => topic === streamTopics.reset);
      await publish(first, 'after', 1);
      await reader.waitFor(({ topic }) => topic === 'after');
    });
  },
);
