import { pino } from 'pino';
import { Type } from 'typebox';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { definePlugin, endpoint, token } from '#core';
import { openTestDatabase, startTestServer, testProduct, type TestServer } from '#core/testing/server';
import { enabledPlugin } from './enabled-plugin.ts';
import type { PoolDatabase } from '../database/pool-database.ts';
import type { CorePart } from './core-part.ts';
import { rawEndpoint } from './raw-endpoint.ts';
import { createServer } from '../start/server.ts';
import { readServerConfig } from './server-config.ts';
import { serverPlugin, type Api, type ServerContext } from './server-plugin.ts';

interface Greeter {
  greet(): string;
}
const Greeter = token<Greeter>('first.Greeter');

const list = endpoint('GET', '/api/things', { summary: 'List.', access: 'public', reply: Type.Object({}) });
const settings = Type.Object({ deep: Type.Object({ value: Type.Number() }) });

type Setup = (api: Api, context: ServerContext<unknown, { readonly deep: { readonly value: number } }>) => void;

function buildPlugin(
  id: string,
  api: Setup,
  moreOptions: {
    readonly access?: readonly 'configure'[];
    readonly migrations?: readonly { readonly id: `${string}-${string}`; readonly up: string }[];
  } = {},
) {
  const manifest = definePlugin({
    id,
    title: `${id}.title`,
    settings,
    access: moreOptions.access ?? [],
    requires: [],
    bridges: [],
  });
  return enabledPlugin(
    manifest,
    { deep: { value: 1 } },
    serverPlugin<typeof manifest>()({ api, ...(moreOptions.migrations ? { migrations: moreOptions.migrations } : {}) }),
  );
}

describe('mounting', () => {
  let database: PoolDatabase;
  let server: TestServer | undefined;
  beforeAll(async () => {
    database = await openTestDatabase('embedded');
  });
  afterAll(() => database.close());
  afterEach(async () => {
    await server?.close();
    server = undefined;
  });
  const noParts: readonly CorePart[] = [];
  const mount = async (...plugins: readonly ReturnType<typeof buildPlugin>[]) => {
    server = await startTestServer({ database, plugins, coreParts: noParts });
    return server;
  };

  it('refuses an endpoint without access', async () => {
    // The cast bypasses the compiler, as plain JavaScript would.
    const { access: _access, ...withoutAccess } = list;
    await expect(
      mount(buildPlugin('shop', (api) => api.serve(withoutAccess as never, () => ({}) as never))),
    ).rejects.toThrow('"shop" serves GET /api/things without saying who may call it');
    await expect(
      mount(buildPlugin('shop', (api) => api.serve({ ...list, access: 'everybody' } as never, () => ({}) as never))),
    ).rejects.toThrow('without saying who may call it');
  });

  it('fails to compile without access', () => {
    // @ts-expect-error `access` is missing
    endpoint('GET', '/api/things', { summary: 'List.', reply: Type.Object({}) });
    // @ts-expect-error there is no such flag
    endpoint('GET', '/api/things', { summary: 'List.', access: 'everybody', reply: Type.Object({}) });
    // @ts-expect-error `access` is missing
    rawEndpoint({ method: 'GET', path: '/api/things', summary: 'List.', produces: 'text/plain' });
  });

  it('accepts only access flags that the manifest names', async () => {
    const guardedEndpoint = { ...list, access: 'configure' } as const;
    await expect(mount(buildPlugin('shop', (api) => api.serve(guardedEndpoint, () => ({}))))).rejects.toThrow(
      '"shop" guards GET /api/things by "configure", which its manifest does not name',
    );
    await mount(buildPlugin('shop', (api) => api.serve(guardedEndpoint, () => ({})), { access: ['configure'] }));
  });

  it('refuses two endpoints whose paths differ only in the names of parameters', async () => {
    const firstEndpoint = { ...list, path: '/api/things/:id' } as const;
    const secondEndpoint = { ...list, path: '/api/things/:uid' } as const;
    await expect(
      mount(
        buildPlugin('first', (api) => api.serve(firstEndpoint, () => ({}))),
        buildPlugin('second', (api) => api.serve(secondEndpoint, () => ({}))),
      ),
    ).rejects.toThrow('Both "first" and "second" serve GET /api/things/:uid');
  });

  it('refuses a location field that the schema lacks or makes optional, and a location check on a public endpoint', async () => {
    const invalidEndpoint = {
      ...list,
      access: 'signedIn',
      location: 'query.place',
      query: Type.Object({ location: Type.String() }),
    } as const;
    await expect(mount(buildPlugin('shop', (api) => api.serve(invalidEndpoint, () => ({}))))).rejects.toThrow(
      'at the location in "query.place", which its schema does not have',
    );
    const optionalLocation = {
      ...invalidEndpoint,
      location: 'query.place',
      query: Type.Object({ place: Type.Optional(Type.String()) }),
    } as const;
    await expect(mount(buildPlugin('shop', (api) => api.serve(optionalLocation, () => ({}))))).rejects.toThrow(
      'at the location in "query.place", which may be left out',
    );
    const nestedLocation = {
      ...list,
      method: 'POST',
      access: 'signedIn',
      location: 'body.node.place',
      body: Type.Object({ node: Type.Object({ place: Type.Optional(Type.String()) }) }),
    } as const;
    await expect(mount(buildPlugin('shop', (api) => api.serve(nestedLocation, () => ({}))))).rejects.toThrow(
      'which may be left out',
    );
    const publicEndpoint = {
      ...list,
      location: 'query.location',
      query: Type.Object({ location: Type.String() }),
    } as const;
    await expect(mount(buildPlugin('shop', (api) => api.serve(publicEndpoint, () => ({}))))).rejects.toThrow(
      'to anybody but checks a location',
    );
  });

  it('refuses a path outside the API, and an endpoint that is added after mounting', async () => {
    await expect(
      mount(buildPlugin('shop', (api) => api.serve({ ...list, path: '/things' } as never, () => ({}) as never))),
    ).rejects.toThrow('begins with /api/ or /auth/');
    let laterApi: Api | undefined;
    await mount(buildPlugin('shop', (api) => (laterApi = api)));
    expect(() => laterApi?.serve(list, () => ({}))).toThrow('after all plugins were mounted');
  });

  it('passes a plugin its frozen settings and the services of earlier plugins', async () => {
    let greeting = '';
    let frozenSettings: unknown;
    await mount(
      buildPlugin('first', (_api, context) => context.provide(Greeter, { greet: () => 'hello' })),
      buildPlugin('second', (_api, context) => {
        greeting = context.service(Greeter).greet();
        frozenSettings = context.settings;
      }),
    );
    expect(greeting).toBe('hello');
    expect(() => Object.assign((frozenSettings as { deep: object }).deep, { value: 2 })).toThrow(TypeError);
  });

  it('names a missing service with its consumer, and a service that two plugins provide', async () => {
    await expect(mount(buildPlugin('second', (_api, context) => void context.service(Greeter)))).rejects.toThrow(
      'The plugin "second" could not be mounted: "second" asks for first.Greeter, which nobody provides',
    );
    const provide: Setup = (_api, context) => context.provide(Greeter, { greet: () => '' });
    await expect(mount(buildPlugin('first', provide), buildPlugin('second', provide))).rejects.toThrow(
      'Both "first" and "second" provide first.Greeter',
    );
  });

  it('creates a database schema for each plugin, and runs its migrations', async () => {
    const { server: startedServer } = await mount(
      buildPlugin('my-shop', () => undefined, {
        migrations: [{ id: 'my-shop-0001-create', up: 'create table item (id int)' }],
      }),
    );
    expect(startedServer.applied).toEqual([{ owner: 'my-shop', id: 'my-shop-0001-create' }]);
    expect(await startedServer.database.query('select count(*) as n from my_shop.item')).toEqual([{ n: 0 }]);
  });

  it('runs bridges after both plugins, with the owner’s context, and refuses a bridge of a plugin that is off', async () => {
    let greeting = '';
    const first = buildPlugin('first', (_api, context) => context.provide(Greeter, { greet: () => 'over the bridge' }));
    const second = buildPlugin('second', () => undefined);
    server = await startTestServer({
      database,
      plugins: [second, first],
      coreParts: noParts,
      bridges: [
        {
          owner: 'second',
          partner: 'first',
          bridge: (_api, context) => void (greeting = context.service(Greeter).greet()),
        },
      ],
    });
    expect(greeting).toBe('over the bridge');
    await server.close();
    server = undefined;
    await expect(
      startTestServer({
        database,
        plugins: [first],
        coreParts: noParts,
        bridges: [{ owner: 'second', partner: 'first', bridge: () => undefined }],
      }),
    ).rejects.toThrow('"second" is off');
  });

  it('calls onListening functions once the listening address is known', async () => {
    const urls: string[] = [];
    const part: CorePart = {
      id: 'mails',
      migrations: [],
      mount: (_api, context) => {
        context.onStart(() => void urls.push(context.getPublicUrl()));
        context.onListening(() => void urls.push(context.getPublicUrl()));
      },
    };
    const { config } = readServerConfig({ PORT: '0' });
    const listening = await createServer({
      product: testProduct,
      plugins: [],
      parts: [part],
      config,
      log: pino({ level: 'silent' }),
      database,
    });
    const url = await listening.listen();
    await listening.close();
    expect(urls).toEqual(['http://127.0.0.1:0', url]);
  });

  it('starts parts in order, stops them in reverse order, and names a part that cannot be mounted', async () => {
    const steps: string[] = [];
    const part = (id: string): CorePart => ({
      id,
      migrations: [],
      mount: (_api, context) => {
        context.onListening(() => void steps.push(`begin ${id}`));
        context.onStart(() => void steps.push(`start ${id}`));
        context.onStop(() => void steps.push(`stop ${id}`));
      },
    });
    server = await startTestServer({ database, coreParts: [part('a'), part('b')] });
    await Promise.all([server.close(), server.close()]);
    server = undefined;
    expect(steps).toEqual(['start a', 'start b', 'begin a', 'begin b', 'stop b', 'stop a']);
    const brokenPart: CorePart = { id: 'broken', migrations: [], mount: () => Promise.reject(new Error('no')) };
    await expect(startTestServer({ database, coreParts: [brokenPart] })).rejects.toThrow(
      'The part "broken" could not be mounted: no',
    );
  });
});
