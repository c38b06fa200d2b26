import { Type } from 'typebox';
import { definePlugin, endpoint } from '#core';
import { Accounts, enabledPlugin, serverPlugin } from '#core/server';
import { addPerson } from '../../core/testing/server/test-people.ts';
import { toDatabase } from '../../core/testing/server/to-database.ts';

/** Endpoints for tests in another process. They add a person, publish an event and deactivate an account. */
const manifest = definePlugin({
  id: 'setup',
  title: 'setup.title',
  settings: Type.Object({}),
  access: [],
  requires: [],
  bridges: [],
});

const addPersonEndpoint = endpoint('POST', '/api/setup/people', {
  summary: 'Adds a person.',
  access: 'public',
  reply: Type.Object({ uid: Type.String(), username: Type.String(), password: Type.String() }),
});
const publishEvent = endpoint('POST', '/api/setup/events', {
  summary: 'Publishes an event to all signed-in people.',
  access: 'signedIn',
  body: Type.Object({ topic: Type.String(), data: Type.Number() }),
  reply: Type.Object({}),
});
const deactivateAccount = endpoint('POST', '/api/setup/people/:uid/deactivate', {
  summary: 'Deactivates an account.',
  access: 'signedIn',
  params: Type.Object({ uid: Type.String() }),
  reply: Type.Object({}),
});

const plugin = serverPlugin<typeof manifest>()({
  api: (api, { tables, events, service }) => {
    api.serve(addPersonEndpoint, async () => {
      const { uid, username, password } = await addPerson(toDatabase(tables));
      return { uid, username, password };
    });
    api.serve(publishEvent, async ({ body }) => {
      await events.publish({ topic: body.topic, data: Type.Number() }, 'signedIn', body.data);
      return {};
    });
    api.serve(deactivateAccount, async ({ params }) => {
      await service(Accounts).deactivate(params.uid);
      return {};
    });
  },
});

export const setupPlugin = enabledPlugin(manifest, {}, plugin);
