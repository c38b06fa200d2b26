import { Type } from 'typebox';
import { definePlugin, endpoint } from '#core';
import { Accounts, enabledPlugin, serverPlugin } from '#core/server';
import { addPerson } from '../../core/testing/server/test-people.ts';
import { toDatabase } from '../../core/testing/server/to-database.ts';

/** Endpoints for tests in another process: sign in a person, publish an event, close an account. */
const manifest = definePlugin({
  id: 'setup',
  title: 'setup.title',
  settings: Type.Object({}),
  access: [],
  requires: [],
  bridges: [],
});

const addSomebody = endpoint('POST', '/api/setup/people', {
  summary: 'A new person.',
  access: 'public',
  reply: Type.Object({ uid: Type.String(), username: Type.String(), password: Type.String() }),
});
const announce = endpoint('POST', '/api/setup/events', {
  summary: 'Announces an event to everybody.',
  access: 'signedIn',
  body: Type.Object({ topic: Type.String(), data: Type.Number() }),
  reply: Type.Object({}),
});
const closeAccount = endpoint('POST', '/api/setup/people/:uid/deactivate', {
  summary: 'Makes an account inactive.',
  access: 'signedIn',
  params: Type.Object({ uid: Type.String() }),
  reply: Type.Object({}),
});

const plugin = serverPlugin<typeof manifest>()({
  api: (api, { tables, events, service }) => {
    api.serve(addSomebody, async () => {
      const { uid, username, password } = await addPerson(toDatabase(tables));
      return { uid, username, password };
    });
    api.serve(announce, async ({ body }) => {
      await events.publish({ topic: body.topic, data: Type.Number() }, 'signedIn', body.data);
      return {};
    });
    api.serve(closeAccount, async ({ params }) => {
      await service(Accounts).deactivate(params.uid);
      return {};
    });
  },
});

export const setupPlugin = enabledPlugin(manifest, {}, plugin);
