import { createHash } from 'node:crypto';
import sharp from 'sharp';
import { Type } from 'typebox';
import { definePlugin, endpoint } from '#core';
import { enabledPlugin, serverPlugin } from '#core/server';
import { addPerson } from '../../core/testing/server/test-people.ts';
import { toDatabase } from '../../core/testing/server/to-database.ts';
import { tilePanoramaJob } from '../../plugins/tour/server/jobs/tile-panorama.ts';

/** Endpoints for a server that the test kills. They store an upload, and start the tour's job that tiles a panorama. */
const manifest = definePlugin({
  id: 'soak',
  title: 'soak.title',
  settings: Type.Object({}),
  access: [],
  requires: ['tour'],
  bridges: [],
});

const addPersonEndpoint = endpoint('POST', '/api/soak/people', {
  summary: 'Adds a person.',
  access: 'public',
  reply: Type.Object({ username: Type.String(), password: Type.String() }),
});
const saveUpload = endpoint('POST', '/api/soak/uploads', {
  summary: 'Stores a file.',
  access: 'signedIn',
  status: 201,
  reply: Type.Object({ id: Type.String(), sha256: Type.String() }),
});
const cutPanorama = endpoint('POST', '/api/soak/panoramas', {
  summary: 'Starts a job that cuts a panorama into tiles.',
  access: 'signedIn',
  status: 201,
  reply: Type.Object({ node: Type.String(), job: Type.String() }),
});

let panorama: Promise<Buffer> | undefined;
/** 2048 x 1024 pixels that compress badly. */
const createPanorama = (): Promise<Buffer> =>
  (panorama ??= sharp({
    create: {
      width: 2048,
      height: 1024,
      channels: 3,
      background: '#000',
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  })
    .jpeg()
    .toBuffer());

const plugin = serverPlugin<typeof manifest>()({
  api: (api, { tables, files, jobs }) => {
    const database = toDatabase(tables);
    api.serve(addPersonEndpoint, async () => {
      const { username, password } = await addPerson(database);
      return { username, password };
    });
    api.serveUpload(
      saveUpload,
      { accept: ['application/octet-stream'], maximumBytes: 1_000_000 },
      async (_call, upload) => {
        const [file] = upload.files;
        if (!file) throw new Error('The form has no file.');
        const { id, sha256 } = await files.put(
          { name: file.name, mediaType: file.mediaType, audience: { kind: 'signedIn' } },
          file.stream(),
        );
        return { id, sha256 };
      },
    );
    api.serve(cutPanorama, async () => {
      const { id } = await files.put(
        { name: 'panorama.jpg', mediaType: 'image/jpeg', audience: { kind: 'signedIn' } },
        await createPanorama(),
      );
      const node = `N-${createHash('sha256').update(id).digest('hex').slice(0, 12)}`;
      await database.query(
        "insert into tour.tour (uid, site, code, name, location, start_node) values ('T', 'S', 'T', 'T', 'T', 'T') " +
          'on conflict do nothing',
      );
      await database.query(
        'insert into tour.node (uid, site, code, tour, position, name, location, x, y, z, heading, view_pan, view_tilt, ' +
          "captured_at, panorama_file) values ($1, 'S', $1, 'T', 0, $1, 'T', 0, 0, 0, 0, 0, 0, now(), $2)",
        [node, id],
      );
      return { node, job: await jobs.start(tilePanoramaJob, { node }, null) };
    });
  },
});

export const soakPlugin = enabledPlugin(manifest, {}, plugin);
