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
const closed = { additionalProperties: false } as const;
const reply = Type.Object({});

const configure = endpoint('POST', '/api/shop/configure', {
  summary: 'By flag.',
  access: 'configure',
  body: Type.Object({ name: Type.String({ minLength: 3 }) }, closed),
  reply,
});
const look = endpoint('GET', '/api/shop/:location/look', {
  summary: 'By flag and location.',
  access: 'vrAccess',
  location: 'params.location',
  params: Type.Object({ location: Type.String() }),
  reply,
});
const search = endpoint('GET', '/api/shop/search', {
  summary: 'By location.',
  access: 'signedIn',
  location: 'query.location',
  query: Type.Object({ location: Type.String() }),
  reply,
});
const move = endpoint('POST', '/api/shop/move', {
  summary: 'By location in the body.',
  access: 'signedIn',
  location: 'body.location',
  body: Type.Object({ location: Type.String() }, closed),
  reply,
});

const chart = endpoint('GET', '/api/shop/chart', {
  summary: 'Of a dashboard.',
  access: 'permitDashboardAccess',
  reply,
});

const shop = enabledPlugin(
  manifest,
  {},
  serverPlugin<typeof manifest>()({
    api(api) {
      for (const each of [configure, look, search, move, chart]) api.serve(each, () => ({}));
    },
  }),
);

describeAccess('access to every endpoint of core, and of a plugin with every kind', [shop]);

it('[ACC-02] [ACC-05] requires the flag of a dashboard, not an admin', async () => {
  const server = await startTestServer({ plugins: [shop] });
  try {
    const statusFor = async (person: Parameters<typeof server.signIn>[0]) =>
      (await server.call(chart, { token: await server.signIn(person) })).status;
    expect([
      await statusFor({ userType: 'TENANT_USER', flags: ['permitDashboardAccess'] }),
      await statusFor({ userType: 'TENANT_USER', flags: ['tourDashboardAccess'] }),
      await statusFor({ userType: 'TENANT_ADMIN', flags: ['configure'] }),
    ]).toEqual([200, 403, 403]);
  } finally {
    await server.close();
  }
});
