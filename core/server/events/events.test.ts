import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { serverEventsPath, streamTopics } from '#core';
import {
  describeOnDatabases,
  EventReader,
  makeTestDatabase,
  openTestDatabase,
  startTestServer,
  type TestDatabase,
  type TestServer,
} from '#core/testing/server';
import { EventHub } from './event-hub.ts';
import { Events } from './events.ts';

const readers: EventReader[] = [];
async function connect(...parameters: Parameters<typeof EventReader.connect>): Promise<EventReader> {
  const reader = await EventReader.connect(...parameters);
  readers.push(reader);
  return reader;
}
afterEach(() => Promise.all(readers.splice(0).map((reader) => reader.close())));

const eventsOf = (server: TestServer): Events => server.server.board.services.find(Events, 'test');

/** The same for one process, and for two over one database: `sender` announces, `receiver` is connected to. */
function behaviour(servers: () => { readonly sender: TestServer; readonly receiver: TestServer }): void {
  it('reaches everybody, or only those that are named', async () => {
    const { sender, receiver } = servers();
    const [ann, ben] = [await receiver.addPerson(), await receiver.addPerson()];
    const address = await receiver.url();
    const [annReads, benReads, benReadsToo] = [
      await connect(address, await receiver.signIn(ann)),
      await connect(address, await receiver.signIn(ben)),
      await connect(address, await receiver.signIn(ben)),
    ];
    await eventsOf(sender).publish('job.1', { done: 1 }, [ben.uid]);
    await eventsOf(sender).publish('locations', null);
    for (const reader of [annReads, benReads, benReadsToo]) await reader.until(({ topic }) => topic === 'locations');
    expect(annReads.topics()).toEqual([streamTopics.open, 'locations']);
    expect(benReads.topics()).toEqual([streamTopics.open, 'job.1', 'locations']);
    expect(benReadsToo.topics()).toEqual([streamTopics.open, 'job.1', 'locations']);
    expect(benReads.events[1]?.data).toEqual({ done: 1 });
  });

  it('keeps the order, and gives who returns what was missed, once', async () => {
    const { sender, receiver } = servers();
    const person = await receiver.addPerson();
    const token = await receiver.signIn(person);
    const address = await receiver.url();
    const first = await connect(address, token);
    await eventsOf(sender).publish('step', 1);
    await first.until(({ data }) => data === 1);
    const lastId = first.lastId;
    await first.close();
    for (const step of [2, 3, 4])
      await eventsOf(sender).publish('step', step, step === 3 ? ['somebody-else'] : undefined);
    // A reader that is there already shows when the receiver has heard all three.
    const witness = await connect(address, token);
    await eventsOf(sender).publish('step', 5);
    await witness.until(({ data }) => data === 5);
    const second = await connect(address, token, lastId);
    expect(second.events.map(({ topic, data }) => [topic, data])).toEqual([
      ['step', 2],
      ['step', 4],
      ['step', 5],
      [streamTopics.open, {}],
    ]);
    const third = await connect(address, token, second.lastId);
    expect(third.topics()).toEqual([streamTopics.open]);
  });

  it('tells who returns after too long to read anew', async () => {
    const { receiver } = servers();
    const reader = await connect(await receiver.url(), await receiver.signIn(), 'long.gone');
    expect(reader.topics()).toEqual([streamTopics.reset, streamTopics.open]);
    const next = await connect(await receiver.url(), await receiver.signIn(), reader.lastId);
    expect(next.topics()).toEqual([streamTopics.open]);
  });
}

describeOnDatabases('GET /api/events', (database) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ database });
  });
  afterAll(() => server.close());

  behaviour(() => ({ sender: server, receiver: server }));

  it('asks for a signed-in person', async () => {
    const address = await server.url();
    expect((await fetch(`${address}${serverEventsPath}`)).status).toBe(401);
    expect((await fetch(`${address}${serverEventsPath}`, { headers: { authorization: 'Bearer x' } })).status).toBe(401);
  });

  it('is a stream that nobody on the way may keep or change', async () => {
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

  it('refuses a topic that would break the stream, and data that are too large', async () => {
    for (const topic of ['a\nb', '', 'a b', 'a\r'])
      await expect(eventsOf(server).publish(topic, 1)).rejects.toThrow(/cannot be a topic/);
    await expect(eventsOf(server).publish('large', 'x'.repeat(8000))).rejects.toThrow(/7000 bytes/);
  });

  it('reaches a thousand named people', async () => {
    const person = await server.addPerson();
    const reader = await connect(await server.url(), await server.signIn(person));
    await eventsOf(server).publish('many', 1, [
      ...Array.from({ length: 999 }, (_, index) => `5f0c6a52-0000-4000-8000-${String(index).padStart(12, '0')}`),
      person.uid,
    ]);
    await reader.until(({ topic }) => topic === 'many');
  });

  it('keeps data in one line, whatever they hold', async () => {
    const reader = await connect(await server.url(), await server.signIn());
    const data = { text: 'a\nb\r\n\ndata: x\n\nevent: y\u2028' };
    await eventsOf(server).publish('lines', data);
    expect((await reader.until(({ topic }) => topic === 'lines')).data).toEqual(data);
  });
});

describeOnDatabases('a stream of events', (database) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ database, config: { session: { accessTokenLifetime: 4000 } } });
  });
  afterAll(() => server.close());

  it('ends when the access token does, so that the reader returns with a fresh one', async () => {
    const person = await server.addPerson();
    const started = performance.now();
    const token = await server.signIn(person);
    const reader = await connect(await server.url(), token);
    await reader.ended;
    expect(performance.now() - started).toBeGreaterThan(2900);
    await expect(EventReader.connect(await server.url(), token, reader.lastId)).rejects.toThrow('401');
    const again = await connect(await server.url(), await server.signIn(person), reader.lastId);
    expect(again.topics()).toEqual([streamTopics.open]);
  });

  it('ends when the server stops, which does not wait for it', async () => {
    const streams = [
      await connect(await server.url(), await server.signIn()),
      await connect(await server.url(), await server.signIn()),
    ];
    await server.close();
    await Promise.all(streams.map(({ ended }) => ended));
  });
});

describeOnDatabases('EventHub', (database) => {
  it('keeps the latest events only', async () => {
    const opened = await openTestDatabase(database);
    const hub = new EventHub(opened, 3);
    const stop = await hub.start();
    const got: string[] = [];
    const heard: string[] = [];
    const allHeard = new Promise<void>((resolve) => {
      hub.connect(
        { uid: 'a', send: (id, topic, data) => void (topic === 'n' && (heard.push(id), data === '5' && resolve())) },
        undefined,
      );
    });
    for (let n = 1; n <= 5; n++) await hub.publish('n', n);
    await allHeard;
    const reconnect = (lastId: string | undefined): readonly string[] => {
      got.length = 0;
      hub.connect({ uid: 'a', send: (_, topic, data) => void got.push(topic === 'n' ? data : topic) }, lastId)();
      return [...got];
    };
    expect(reconnect(heard[0])).toEqual([streamTopics.reset, streamTopics.open]);
    expect(reconnect(heard[1])).toEqual(['3', '4', '5', streamTopics.open]);
    expect(reconnect(heard[3])).toEqual(['5', streamTopics.open]);
    expect(reconnect(heard[4])).toEqual([streamTopics.open]);
    expect(hub.connected).toBe(1);
    await stop();
    await opened.close();
  });
});

const postgres = inject('postgres');
describe.skipIf('missing' in postgres)(
  `events of two servers over one PostgreSQL${'missing' in postgres ? ` (not run: ${postgres.missing})` : ''}`,
  () => {
    let shared: TestDatabase;
    let first: TestServer;
    let second: TestServer;
    beforeAll(async () => {
      shared = await makeTestDatabase('postgres');
      first = await startTestServer({ database: shared });
      second = await startTestServer({ database: shared });
    });
    afterAll(async () => {
      await first.close();
      await second.close();
      await shared.remove();
    });

    behaviour(() => ({ sender: first, receiver: second }));

    it('goes on at the other server where it stopped at the first', async () => {
      const person = await first.addPerson();
      const here = await connect(await first.url(), await first.signIn(person));
      const there = await connect(await second.url(), await second.signIn(person));
      await eventsOf(first).publish('step', 1);
      await here.until(({ data }) => data === 1);
      await there.until(({ data }) => data === 1);
      const lastId = here.lastId;
      await here.close();
      await eventsOf(first).publish('step', 2);
      await eventsOf(second).publish('step', 3);
      await there.until(({ data }) => data === 3);
      await there.until(({ data }) => data === 2);
      const moved = await connect(await second.url(), await first.signIn(person), lastId);
      expect(
        moved.events
          .slice(0, -1)
          .map(({ data }) => data)
          .sort(),
      ).toEqual([2, 3]);
      expect(moved.events.map(({ id }) => id)).toEqual([
        ...there.events.filter(({ data }) => data === 2 || data === 3).map(({ id }) => id),
        moved.lastId,
      ]);
    });

    it('tells everybody to read anew after the connection that listens was lost', async () => {
      const reader = await connect(await second.url(), await second.signIn());
      await first.server.database.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'walkdown listener' and " +
          'datname = current_database()',
      );
      await reader.until(({ topic }) => topic === streamTopics.reset);
      await eventsOf(first).publish('after', 1);
      await reader.until(({ topic }) => topic === 'after');
    });
  },
);
