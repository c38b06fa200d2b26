import { Type } from 'typebox';
import { expect, it } from 'vitest';
import { definePlugin, endpoint } from '#core';
import { describeAccess, startTestServer } from '#core/testing/server';
import { enabledPlugin } from './enabled-plugin.ts';
import { serverPlugin } from './server-plugin.ts';

const manifest = definePlugin({
  id: 'shop',
  title: 'shop.title',
  settings: Type.Object({}),
  access: ['configure', 'permitDashboardAccess', 'vrAccess'],
  requires: [],
  bridges: [],
});
const closedOptions = { additionalProperties: false } as const;
const reply = Type.Object({});

const configure = endpoint('POST', '/api/shop/configure', {
  summary: 'Requires an access flag.',
  access: 'configure',
  body: Type.Object({ name: Type.String({ minLength: 3 }) }, closedOptions),
  reply,
});
const view = endpoint('GET', '/api/shop/:location/view', {
  summary: 'Requires an access flag and a location.',
  access: 'vrAccess',
  location: 'params.location',
  params: Type.Object({ location: Type.String() }),
  reply,
});
const search = endpoint('GET', '/api/shop/search', {
  summary: 'Requires a location.',
  access: 'signedIn',
  location: 'query.location',
  query: Type.Object({ location: Type.String() }),
  reply,
});
const move = endpoint('POST', '/api/shop/move', {
  summary: 'Requires a location in the body.',
  access: 'signedIn',
  location: 'body.location',
  body: Type.Object({ location: Type.String() }, closedOptions),
  reply,
});

const chart = endpoint('GET', '/api/shop/chart', {
  summary: 'Requires the access flag of a dashboard.',
  access: 'permitDashboardAccess',
  reply,
});

const shop = enabledPlugin(
  manifest,
  {},
  serverPlugin<typeof manifest>()({
    api(api) {
      for (const servedEndpoint of [configure, view, search, move, chart]) api.serve(servedEndpoint, () => ({}));
    },
  }),
);

describeAccess('access to the endpoints of core, and of a plugin with every kind of endpoint', [shop]);

it('[ACC-02] [ACC-05] refuses a dashboard to anyone without its access flag, even to an admin', async () => {
  const server = await startTestServer({ plugins: [shop] });
  try {
    const readStatus = async (person: Parameters<typeof server.signIn>[0]) =>
      (await server.call(chart, { token: await server.signIn(person) })).status;
    expect([
      await readStatus({ userType: 'TENANT_USER', flags: ['permitDashboardAccess'] }),
      await readStatus({ userType: 'TENANT_USER', flags: ['tourDashboardAccess'] }),
      await readStatus({ userType: 'TENANT_ADMIN', flags: ['configure'] }),
    ]).toEqual([200, 403, 403]);
  } finally {
    await server.close();
  }
});
