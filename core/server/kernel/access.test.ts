import { Type } from 'typebox';
import { definePlugin, endpoint } from '#core';
import { describeAccess } from '#core/testing/server';
import { enabledPlugin } from './enabled-plugin.ts';
import { serverPlugin } from './server-plugin.ts';

const manifest = definePlugin({
  id: 'shop',
  title: 'shop.title',
  settings: Type.Object({}),
  access: ['configure', 'vrAccess'],
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

const shop = enabledPlugin(
  manifest,
  {},
  serverPlugin<typeof manifest>()({
    api(api) {
      for (const each of [configure, look, search, move]) api.serve(each, () => ({}));
    },
  }),
);

describeAccess('access to every endpoint of core, and of a plugin with every kind', [shop]);
