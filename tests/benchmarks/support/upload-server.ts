import { Type } from 'typebox';
import { definePlugin, endpoint } from '#core';
import { enabledPlugin, serverPlugin, startServer } from '#core/server';
import { createTestCalls } from '../../../core/testing/server/test-calls.ts';
import { addPerson, signInAs } from '../../../core/testing/server/test-people.ts';
import { plainProduct } from './plain-product.ts';

/**
 * This program is the server with one endpoint that stores photos. It sends `{ address }` and `{ token }` to its
 * parent.
 */
const manifest = definePlugin({
  id: 'bench',
  title: 'bench.title',
  settings: Type.Object({}),
  access: [],
  requires: [],
  bridges: [],
});

const savePhotos = endpoint('POST', '/api/bench/photos', {
  summary: 'Stores the uploaded photos.',
  access: 'signedIn',
  status: 201,
  reply: Type.Object({ saved: Type.Integer() }),
});

const plugin = serverPlugin<typeof manifest>()({
  api: (api, { files }) =>
    api.serveUpload(
      savePhotos,
      { accept: ['image/jpeg', 'image/png'], maximumBytes: 200_000, maximumFiles: 2 },
      async (_call, upload) => {
        const savedFiles = await Promise.all(
          upload.files.map((file) =>
            files.put({ name: file.name, mediaType: file.mediaType, audience: { kind: 'signedIn' } }, file.stream()),
          ),
        );
        return { saved: savedFiles.length };
      },
    ),
});

await startServer(
  { product: plainProduct, plugins: [enabledPlugin(manifest, {}, plugin)], bridges: [], bundleFolder: undefined },
  process.env,
  {
    prepare: async (server) => {
      await server.start();
      process.send?.({ token: await signInAs(createTestCalls(server.app), await addPerson(server.database)) });
    },
  },
);
