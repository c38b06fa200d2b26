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
  url: string,
  body?: unknown,
  token?: string,
): Promise<Answer<T>> {
  const headers = {
    'x-token-transport': 'json',
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  };
  const answer = await fetch(server.url + url, {
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
const callMe = (server: RunningServer, token: string): Promise<Answer<object>> =>
  send(server, 'GET', '/api/me', undefined, token);
const publishEvent = (server: RunningServer, token: string, data: number): Promise<Answer<object>> =>
  send(server, 'POST', '/api/setup/events', { topic: 'step', data }, token);

describe.skipIf('missing' in postgres)(
  `two processes over one PostgreSQL${'missing' in postgres ? ` (not run: ${postgres.missing})` : ''}`,
  () => {
    let program: ServerProgram;
    let database: TestDatabase;
    let firstServer: RunningServer;
    let secondServer: RunningServer;
    const readers: EventReader[] = [];

    const start = async (): Promise<RunningServer> =>
      program.start({
        WALKDOWN_DATA: await program.createDataFolder(),
        LOG_LEVEL: 'silent',
        WALKDOWN_REQUESTS_PER_MINUTE: '0',
        ...(database.config.kind === 'postgres' ? { DATABASE_URL: database.config.url.reveal() } : {}),
      });
    const connect = async (server: RunningServer, token: string, lastId?: string): Promise<EventReader> => {
      const reader = await EventReader.connect(server.url, token, lastId);
      readers.push(reader);
      return reader;
    };
    const addPerson = async (): Promise<Person> => (await send<Person>(firstServer, 'POST', '/api/setup/people')).body;

    beforeAll(async () => {
      program = await buildServerProgram({
        imports: "import { setupPlugin } from './tests/processes/setup-plugin.ts';",
        list: '[setupPlugin]',
      });
      database = await createTestDatabase('postgres');
      // Starts both at once, so that they race for the first migration and the first signing key.
      [firstServer, secondServer] = await Promise.all([start(), start()]);
    });
    afterEach(() => Promise.all(readers.splice(0).map((reader) => reader.close())));
    afterAll(async () => {
      await program.remove();
      await database.remove();
    });

    it("[SES-01] accept each other's tokens", async () => {
      const person = await addPerson();
      const { accessToken, refreshToken } = await signIn(firstServer, person);
      expect((await callMe(secondServer, accessToken)).status).toBe(200);
      const renewedSession = await renew(secondServer, person, refreshToken);
      expect((await callMe(firstServer, renewedSession.body.accessToken)).status).toBe(200);
    });

    it('[SES-13] issue one successor for 100 simultaneous renewals with one token on both servers', async () => {
      const person = await addPerson();
      const { refreshToken } = await signIn(firstServer, person);
      const answers = await Promise.all(
        Array.from({ length: 100 }, (_, index) =>
          renew(index % 2 === 0 ? firstServer : secondServer, person, refreshToken),
        ),
      );
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
      const successors = new Set(answers.map(({ body }) => body.refreshToken));
      expect(successors.size).toBe(1);
      expect((await renew(secondServer, person, [...successors][0] ?? '')).status).toBe(200);
    });

    it('[SES-05] refuse a person with E006 after the other process deactivated the account', async () => {
      const person = await addPerson();
      const { accessToken, refreshToken } = await signIn(secondServer, person);
      expect((await callMe(secondServer, accessToken)).status).toBe(200);
      const closer = await signIn(firstServer, await addPerson());
      await send(firstServer, 'POST', `/api/setup/people/${person.uid}/deactivate`, undefined, closer.accessToken);
      await expect.poll(async () => (await callMe(secondServer, accessToken)).body.code).toBe('E006');
      expect((await renew(secondServer, person, refreshToken)).body.code).toBe('E006');
    });

    it('deliver an event published on one to readers on the other, in order and once', async () => {
      const { accessToken } = await signIn(firstServer, await addPerson());
      const [firstReader, secondReader] = [
        await connect(firstServer, accessToken),
        await connect(secondServer, accessToken),
      ];
      for (let step = 1; step <= 20; step += 1)
        await publishEvent(step % 2 === 0 ? firstServer : secondServer, accessToken, step);
      for (const reader of [firstReader, secondReader]) {
        const listSteps = (): readonly unknown[] =>
          reader.events.filter(({ topic }) => topic === 'step').map(({ data }) => data);
        await expect.poll(() => listSteps().length).toBe(20);
        expect([...listSteps()].sort((a, b) => Number(a) - Number(b))).toEqual(
          Array.from({ length: 20 }, (_, index) => index + 1),
        );
      }
      expect(firstReader.events.filter(({ topic }) => topic === 'step')).toEqual(
        secondReader.events.filter(({ topic }) => topic === 'step'),
      );
    });

    it('continue sessions and events after the other process was killed', async () => {
      const person = await addPerson();
      const { accessToken, refreshToken } = await signIn(firstServer, person);
      const reader = await connect(firstServer, accessToken);
      await publishEvent(secondServer, accessToken, 101);
      await reader.waitFor(({ data }) => data === 101);
      // The other server has received the event too and can resume from it.
      const secondReader = await connect(secondServer, accessToken);
      await publishEvent(firstServer, accessToken, 102);
      await secondReader.waitFor(({ data }) => data === 102);
      await reader.waitFor(({ data }) => data === 102);
      await firstServer.kill();
      await publishEvent(secondServer, accessToken, 103);
      const resumedReader = await connect(secondServer, accessToken, reader.lastId);
      // The event may not have been read from the database yet when the stream opens.
      await resumedReader.waitFor(({ data }) => data === 103);
      expect(resumedReader.events.filter(({ topic }) => topic === 'step').map(({ data }) => data)).toEqual([103]);
      expect((await renew(secondServer, person, refreshToken)).status).toBe(200);
      firstServer = await start();
      expect((await callMe(firstServer, accessToken)).status).toBe(200);
    });
  },
);
