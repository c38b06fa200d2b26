import { expect, it, onTestFinished } from 'vitest';
import type { LocationRow } from '#core';
import { enabledPlugin, LocationStore } from '#core/server';
import { describeOnDatabases, startTestServer } from '#core/testing/server';
import { listLocationPictures } from '../contract/api.ts';
import manifest from '../plugin.ts';
import plugin from './index.ts';
import type { LocationsTables } from './tables.ts';

const rows: readonly LocationRow[] = [
  { uid: 'b', name: 'Bravo', label: '', parent: null, root: 'b', locationType: 'PRIMARY_LOCATION' },
  { uid: 'b1', name: 'Process', label: '', parent: 'b', root: 'b', locationType: 'PLATFORM_UNIT' },
  { uid: 'b2', name: 'Utilities', label: '', parent: 'b', root: 'b', locationType: 'PLATFORM_UNIT' },
  { uid: 'a', name: 'Alpha', label: '', parent: null, root: 'a', locationType: 'PRIMARY_LOCATION' },
];
const square = [
  [0, 0],
  [1, 0],
  [1, 1],
];

describeOnDatabases('pictures of locations', (database) => {
  const startServer = async () => {
    const server = await startTestServer({
      database,
      plugins: [enabledPlugin(manifest, { alphabetical: false }, plugin)],
    });
    onTestFinished(() => server.close());
    await server.service(LocationStore).upsert(rows);
    const tables = server.database.of<LocationsTables>('locations');
    await tables
      .insertInto('location_picture')
      .values([
        {
          location: 'b',
          icon: null,
          navigation_image: 'file-1',
          areas: JSON.stringify([
            { location: 'b1', polygon: square },
            { location: 'b2', polygon: square },
          ]),
        },
        { location: 'a', icon: 'file-2', navigation_image: null, areas: '[]' },
      ])
      .execute();
    return server;
  };

  it('require a session', async () => {
    const server = await startServer();
    expect((await server.call(listLocationPictures, {})).status).toBe(401);
  });

  it('[ACC-04] are limited to images and areas that lead to accessible locations', async () => {
    const server = await startServer();
    const token = await server.signIn({ locations: ['b1'] });
    const { body } = await server.call(listLocationPictures, { token });
    expect(body).toEqual([
      {
        location: 'b',
        icon: null,
        navigationImage: '/api/files/file-1',
        areas: [{ location: 'b1', polygon: square }],
        version: 1,
      },
    ]);
  });

  it('include all locations for a person with access to all', async () => {
    const server = await startServer();
    const { body } = await server.call(listLocationPictures, { token: await server.signIn({ locations: 'ALL' }) });
    expect(body).toHaveLength(2);
  });
});
