import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getSettings, testProvider } from '#core/api';
import { describeOnDatabases, startTestServer, type TestServer } from '#core/testing/server';
import { startIdentityProvider, type TestIdentityProvider } from '../../testing/identity-provider.ts';
import { testIdentityProvider } from '../auth/sign-on/test-identity-provider.ts';
import type { ChangeTables } from '../changes/change-tables.ts';
import { systemClock } from '../kernel/clock.ts';
import { readServerConfig } from '../kernel/server-config.ts';
import { SettingSources } from './setting-sources.ts';

const publicUrl = 'https://tours.example.com';

describeOnDatabases('the settings', (database) => {
  let provider: TestIdentityProvider;
  let server: TestServer;
  let admin: string;
  beforeAll(async () => {
    provider = await startIdentityProvider(`${publicUrl}/dashboard/login/return`);
    server = await startTestServer({
      database,
      product: {
        login: {
          type: 'EMAIL_PW',
          providers: [
            { id: 'first', label: 'Contoso' },
            { id: 'second', label: 'B' },
          ],
        },
      },
      config: { publicUrl, signOn: { first: provider.configuration } },
    });
    admin = await server.signIn({ flags: ['configure'] });
    server
      .service(SettingSources)
      .register({ key: 'test.things', actions: ['test.saved'], subject: 'things', count: async () => 2 });
  });
  afterAll(async () => {
    await server.close();
    await provider.stop();
  });

  it('[ADM-11] shows the effective settings and their sources to admins with access to all locations', async () => {
    const { body } = await server.call(getSettings, { token: admin });
    expect(body.stored).toEqual([{ key: 'test.things', count: 2, changedBy: null, changedAt: null }]);
    expect(body.providers).toEqual([
      {
        id: 'first',
        issuer: provider.configuration.issuer,
        clientId: 'walkdown-tests',
        mailDomains: [],
        variables: 'WALKDOWN_OIDC_FIRST_',
      },
      { id: 'second', issuer: null, clientId: null, mailDomains: [], variables: 'WALKDOWN_OIDC_SECOND_' },
    ]);
    expect(body.returnAddress).toBe(`${publicUrl}/dashboard/login/return`);
    const find = (name: string) => body.environment.find(({ variable }) => variable === name);
    expect(find('LOG_LEVEL')).toEqual({ variable: 'LOG_LEVEL', isSet: true, value: 'silent' });
    expect(find('WALKDOWN_SESSION_IDLE_MS')).toMatchObject({ isSet: false, value: '2592000000' });
    expect(JSON.stringify(body)).not.toContain(provider.configuration.clientSecret.reveal());
    const siteAdmin = await server.signIn({ flags: ['configure'], locations: [] });
    expect((await server.call(getSettings, { token: siteAdmin })).status).toBe(403);
    const call = { params: { provider: 'first' as const }, body: {}, token: siteAdmin };
    expect((await server.call(testProvider, call)).status).toBe(403);
  });

  it('[ADM-11] names the person who last changed a setting, also by a redo, with a query that uses an index', async () => {
    const tables = server.database.of<ChangeTables>('core');
    const change = (uid: string, day: number, rest: object) => ({
      ...{ uid, author: uid, owner: 'test', action: 'test.changeUndone', subject: 'things', name: '', location: '' },
      ...{ at: new Date(Date.UTC(2026, 0, day)), undoes: null, undone_by: null },
      ...rest,
    });
    await tables
      .insertInto('change')
      .values([
        change('saved', 1, { action: 'test.saved', undone_by: 'undone' }),
        change('undone', 2, { undone_by: 'redone' }),
        change('redone', 4, { undone_by: 'redone' }),
        change('later', 3, { action: 'test.saved' }),
        change('other', 5, { action: 'test.saved', subject: 'others' }),
      ])
      .execute();
    const { body } = await server.call(getSettings, { token: admin });
    expect(body.stored[0]).toMatchObject({ changedBy: 'redone', changedAt: '2026-01-04T00:00:00.000Z' });
    const plan = await tables.transaction().execute(async (transaction) => {
      await sql`set local enable_seqscan = off`.execute(transaction);
      return sql`explain select from core.change where action = 'test.saved'`.execute(transaction);
    });
    expect(JSON.stringify(plan.rows)).toContain('change_action');
  });

  it('tests each provider by itself, and reports one that is not configured', async () => {
    const test = async (id: 'first' | 'second') =>
      (await server.call(testProvider, { params: { provider: id }, body: {}, token: admin })).body.steps;
    expect((await test('first')).map(({ step, outcome }) => [step, outcome])).toEqual([
      ['DISCOVERY', 'OK'],
      ['ISSUER', 'OK'],
      ['KEYS', 'OK'],
      ['CLOCK', 'OK'],
    ]);
    expect((await test('second')).map(({ outcome, problem }) => [outcome, problem])).toEqual([
      ['FAILED', 'NOT_SET_UP'],
      ...Array.from({ length: 3 }, () => ['SKIPPED', null]),
    ]);
  });
});

it('lists the variables of the environment without secrets', () => {
  const secrets = {
    DATABASE_URL: 'postgres://acme:hidden-1@10.0.0.4/acme',
    SMTP_URL: 'smtp://acme:hidden-2@10.0.0.4',
    WALKDOWN_TOKEN_SECRET: 'hidden-3'.repeat(8),
    WALKDOWN_METRICS_SECRET: 'hidden-4'.repeat(8),
    WALKDOWN_OIDC_FIRST_ISSUER: 'https://login.example.com',
    WALKDOWN_OIDC_FIRST_CLIENT_ID: 'acme',
    WALKDOWN_OIDC_FIRST_CLIENT_SECRET: 'hidden-5',
    S3_BUCKET: 'files',
    S3_ENDPOINT: 'https://acme:hidden-6@files.example.com/',
    S3_ACCESS_KEY_ID: 'hidden-7',
    S3_SECRET_ACCESS_KEY: 'hidden-8',
  };
  const { variables } = readServerConfig(secrets).config;
  expect(JSON.stringify(variables)).not.toContain('hidden');
  expect(variables.find(({ variable }) => variable === 'S3_ENDPOINT')?.value).toBe('https://files.example.com');
  const isSet = Object.keys(secrets).map((name) => variables.find(({ variable }) => variable === name)?.isSet);
  expect(isSet.filter((set) => set !== true && set !== undefined)).toEqual([]);
  expect(variables.find(({ variable }) => variable === 'S3_SECRET_ACCESS_KEY')).toMatchObject({
    isSet: true,
    value: null,
  });
});

describe('the test of a provider', () => {
  let provider: Server;
  let issuer: string;
  let reply: {
    status?: number;
    body?: string;
    keys?: object;
    headers?: Record<string, string>;
    silent?: true;
    endless?: true;
  } = {};
  let requests: string[] = [];
  beforeAll(async () => {
    provider = createServer((request, response) => {
      requests.push(request.url ?? '');
      if (reply.silent) return;
      if (reply.endless) return void response.writeHead(reply.status ?? 200).write('.');
      const isKeys = request.url === '/jwks';
      const metadata = { issuer, jwks_uri: `${issuer}/jwks` };
      response
        .writeHead(isKeys ? 200 : (reply.status ?? 200), isKeys ? {} : reply.headers)
        .end(
          isKeys ? JSON.stringify(reply.keys ?? { keys: [{ kty: 'EC' }] }) : (reply.body ?? JSON.stringify(metadata)),
        );
    });
    await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
    issuer = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    provider.closeAllConnections();
    await new Promise((resolve) => provider.close(resolve));
  });

  const listProblems = async (
    next: typeof reply,
    changes: { issuer?: string; timeoutMs?: number; aheadMs?: number } = {},
  ) => {
    reply = next;
    requests = [];
    const { steps } = await testIdentityProvider(
      { issuer: changes.issuer ?? issuer },
      {
        clock: { now: () => systemClock.now() + (changes.aheadMs ?? 0) },
        ...(changes.timeoutMs === undefined ? {} : { timeoutMs: changes.timeoutMs }),
      },
    );
    return steps.flatMap(({ step, problem, detail }) => (problem === null ? [] : [[step, problem, detail]]));
  };
  const metadata = (changes: object): string => JSON.stringify({ issuer, jwks_uri: `${issuer}/jwks`, ...changes });

  it.each([
    [302, 'REDIRECT', ''],
    [503, 'STATUS', '503'],
  ])('closes the connection of a reply with the status %s', async (status, problem, detail) => {
    const closeEvent = new Promise((resolve) =>
      provider.once('request', (_, response) => void response.once('close', resolve)),
    );
    expect(await listProblems({ status, endless: true }, { timeoutMs: 600_000 })).toEqual([
      ['DISCOVERY', problem, detail],
    ]);
    await closeEvent;
  });

  it('reports the failed step and its reason', async () => {
    expect(await listProblems({})).toEqual([]);
    expect(await listProblems({ status: 503 })).toEqual([['DISCOVERY', 'STATUS', '503']]);
    expect(await listProblems({ status: 302, headers: { location: 'http://127.0.0.1:1/' } })).toEqual([
      ['DISCOVERY', 'REDIRECT', ''],
    ]);
    expect(requests).toEqual(['/.well-known/openid-configuration']);
    expect(await listProblems({ body: '<!doctype html>' })).toEqual([['DISCOVERY', 'NO_JSON', '']]);
    expect(await listProblems({ body: '[]' })).toEqual([['DISCOVERY', 'NO_JSON', '']]);
    expect(await listProblems({ body: `"${'x'.repeat(600_000)}"` })).toEqual([['DISCOVERY', 'TOO_LARGE', '']]);
    expect(await listProblems({ silent: true }, { timeoutMs: 50 })).toEqual([['DISCOVERY', 'TIMEOUT', '0.05']]);
    expect(await listProblems({}, { issuer: 'http://127.0.0.1:1' })).toEqual([
      ['DISCOVERY', 'UNREACHABLE', '127.0.0.1:1'],
    ]);
    expect(await listProblems({ body: metadata({ issuer: 'https://other.example' }) })).toEqual([
      ['ISSUER', 'OTHER_ISSUER', 'https://other.example'],
    ]);
    expect(await listProblems({ body: metadata({ jwks_uri: 'http://10.0.0.1/keys' }) })).toEqual([
      ['KEYS', 'KEYS_ADDRESS', 'http://10.0.0.1/keys'],
    ]);
    expect(await listProblems({ keys: { keys: [{ kty: 'EC', use: 'enc' }] } })).toEqual([['KEYS', 'NO_KEYS', '']]);
    expect((await listProblems({}, { aheadMs: 120_000 })).map(([step, problem]) => [step, problem])).toEqual([
      ['CLOCK', 'CLOCK'],
    ]);
  });
});
