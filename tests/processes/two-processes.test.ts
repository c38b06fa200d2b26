import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import {
  EventReader,
  createTestDatabase,
  buildServerProgram,
  type RunningServer,
  type ServerProgram,
  type TestDatabase,
} from '#core/testing/server';

const postgres = inject('postgres');

interface Person {
  readonly uid: string;
  readonly username: string;
  readonly password: string;
}
interface Session {
  readonly accessToken: string;
  readonly refreshToken: string;
}
interface Answer<T> {
  readonly status: number;
  readonly body: T & { readonly code?: string };
}

async function send<T>(
  server: RunningServer,
  method: string,
  address: string,
  body?: unknown,
  token?: string,
): Promise<Answer<T>> {
  const headers = {
    'x-token-transport': 'json',
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  };
  const answer = await fetch(server.address + address, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: (await answer.json()) as Answer<T>['body'] };
}

const signIn = async (server: RunningServer, { username, password }: Person): Promise<Session> =>
  (await send<Session>(server, 'POST', '/auth/pub/user/login', { username, password })).body;
const renew = (server: RunningServer, { username }: Person, refreshToken: string): Promise<Answer<Session>> =>
  send(server, 'POST', '/auth/pub/user/token/renew', { username, refreshToken });
const me = (server: RunningServer, token: string): Promise<Answer<object>> =>
  send(server, 'GET', '/api/me', undefined, token);
const announce = (server: RunningServer, token: string, data: number): Promise<Answer<object>> =>
  send(server, 'POST', '/api/setup/events', { topic: 'step', data }, token);

describe.skipIf('missing' in postgres)(
  `two processes over one PostgreSQL${'missing' in postgres ? ` (not run: ${postgres.missing})` : ''}`,
  () => {
    let program: ServerProgram;
    let database: TestDatabase;
    let one: RunningServer;
    let two: RunningServer;
    const readers: EventReader[] = [];

    const start = async (): Promise<RunningServer> =>
      program.start({
        WALKDOWN_DATA: await program.createDataFolder(),
        LOG_LEVEL: 'silent',
        WALKDOWN_REQUESTS_PER_MINUTE: '0',
        ...(database.config.kind === 'postgres' ? { DATABASE_URL: database.config.url.reveal() } : {}),
      });
    const connect = async (server: RunningServer, token: string, lastId?: string): Promise<EventReader> => {
      const reader = await EventReader.connect(server.address, token, lastId);
      readers.push(reader);
      return reader;
    };
    const somebody = async (): Promise<Person> => (await send<Person>(one, 'POST', '/api/setup/people')).body;

    beforeAll(async () => {
      program = await buildServerProgram({
        imports: "import { setupPlugin } from './tests/processes/stage-plugin.ts';",
        list: '[setupPlugin]',
      });
      database = await createTestDatabase('postgres');
      // Starts both at once, so that they race for the first migration and the first signing key.
      [one, two] = await Promise.all([start(), start()]);
    });
    afterEach(() => Promise.all(readers.splice(0).map((reader) => reader.close())));
    afterAll(async () => {
      await program.remove();
      await database.remove();
    });

    it("[SES-01] accept each other's tokens", async () => {
      const person = await somebody();
      const { accessToken, refreshToken } = await signIn(one, person);
      expect((await me(two, accessToken)).status).toBe(200);
      const renewed = await renew(two, person, refreshToken);
      expect((await me(one, renewed.body.accessToken)).status).toBe(200);
    });

    it('[SES-13] issue one successor for 100 simultaneous renewals with one token, half on each', async () => {
      const person = await somebody();
      const { refreshToken } = await signIn(one, person);
      const answers = await Promise.all(
        Array.from({ length: 100 }, (_, index) => renew(index % 2 === 0 ? one : two, person, refreshToken)),
      );
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
      const successors = new Set(answers.map(({ body }) => body.refreshToken));
      expect(successors.size).toBe(1);
      expect((await renew(two, person, [...successors][0] ?? '')).status).toBe(200);
    });

    it('[SES-05] refuse a person with E006 on one after the account was closed on the other', async () => {
      const person = await somebody();
      const { accessToken, refreshToken } = await signIn(two, person);
      expect((await me(two, accessToken)).status).toBe(200);
      const closer = await signIn(one, await somebody());
      await send(one, 'POST', `/api/setup/people/${person.uid}/deactivate`, undefined, closer.accessToken);
      await expect.poll(async () => (await me(two, accessToken)).body.code).toBe('E006');
      expect((await renew(two, person, refreshToken)).body.code).toBe('E006');
    });

    it('deliver an event published on one to readers on the other, in order and once', async () => {
      const { accessToken } = await signIn(one, await somebody());
      const [here, there] = [await connect(one, accessToken), await connect(two, accessToken)];
      for (let step = 1; step <= 20; step += 1) await announce(step % 2 === 0 ? one : two, accessToken, step);
      for (const reader of [here, there]) {
        const heard = (): readonly unknown[] =>
          reader.events.filter(({ topic }) => topic === 'step').map(({ data }) => data);
        await expect.poll(() => heard().length).toBe(20);
        expect([...heard()].sort((a, b) => Number(a) - Number(b))).toEqual(
          Array.from({ length: 20 }, (_, index) => index + 1),
        );
      }
      expect(here.events.filter(({ topic }) => topic === 'step')).toEqual(
        there.events.filter(({ topic }) => topic === 'step'),
      );
    });

    it('continue sessions and events on one after the other was killed', async () => {
      const person = await somebody();
      const { accessToken, refreshToken } = await signIn(one, person);
      const reader = await connect(one, accessToken);
      await announce(two, accessToken, 101);
      await reader.waitFor(({ data }) => data === 101);
      // The other server has received the event too and can resume from it.
      const witness = await connect(two, accessToken);
      await announce(one, accessToken, 102);
      await witness.waitFor(({ data }) => data === 102);
      await reader.waitFor(({ data }) => data === 102);
      await one.kill();
      await announce(two, accessToken, 103);
      const moved = await connect(two, accessToken, reader.lastId);
      // The event may not have been read from the database yet when the stream opens.
      await moved.waitFor(({ data }) => data === 103);
      expect(moved.events.filter(({ topic }) => topic === 'step').map(({ data }) => data)).toEqual([103]);
      expect((await renew(two, person, refreshToken)).status).toBe(200);
      one = await start();
      expect((await me(one, accessToken)).status).toBe(200);
    });
  },
);
