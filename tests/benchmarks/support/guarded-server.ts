import { Type } from 'typebox';
import { definePlugin, type LocationRow } from '#core';
import { enabledPlugin, LocationStore, notFound, serverPlugin, startServer } from '#core/server';
import { createTestCalls } from '../../../core/testing/server/test-calls.ts';
import { addPerson, signInAs } from '../../../core/testing/server/test-people.ts';
import { createItemsSql, readItem } from './item-endpoint.ts';
import { plainProduct } from './plain-product.ts';

/**
 * This program is the product's server with one extra plugin, 2,000 locations and one person. It sends `{ address }`
 * and `{ token }` to its parent and serves the folder `BENCH_BUNDLE` as the product's pages.
 */
const manifest = definePlugin({
  id: 'bench',
  title: 'bench.title',
  settings: Type.Object({}),
  access: ['vrAccess'],
  requires: [],
  bridges: [],
});

interface Tables {
  item: { id: number; code: string; name: string; amount: number; remark: string | null };
}

const plugin = serverPlugin<typeof manifest, Tables>()({
  migrations: [{ id: 'bench-0001-items', up: createItemsSql }],
  api: (api, { tables }) =>
    api.serve(readItem, async ({ params }) => {
      const row = await tables
        .selectFrom('item')
        .select(['id', 'code', 'name', 'amount', 'remark'])
        .where('code', '=', params.code)
        .executeTakeFirst();
      if (row === undefined) throw notFound('This item');
      return row;
    }),
});

/** Builds 2,000 locations like those of a typical customer: 10 sites, 40 units, and areas below the units. */
function buildLocations(): readonly LocationRow[] {
  const buildLocation = (
    uid: string,
    label: string,
    parent: string | null,
    root: string,
    locationType: LocationRow['locationType'],
  ): LocationRow => ({ uid, label, name: `${label} of the plant`, parent, root, locationType });
  const sites = Array.from({ length: 10 }, (_, site) =>
    buildLocation(`site-${site}`, `S${site}`, null, `site-${site}`, 'PRIMARY_LOCATION'),
  );
  const units = Array.from({ length: 40 }, (_, unit) =>
    buildLocation(`unit-${unit}`, `U${unit}`, `site-${unit % 10}`, `site-${unit % 10}`, 'PLATFORM_UNIT'),
  );
  const areas = Array.from({ length: 1950 }, (_, area) =>
    buildLocation(`area-${area}`, `A${area}`, `unit-${area % 40}`, `site-${(area % 40) % 10}`, 'LOC_LEVEL'),
  );
  return [...sites, ...units, ...areas];
}

await startServer(
  {
    product: plainProduct,
    plugins: [enabledPlugin(manifest, {}, plugin)],
    bridges: [],
    bundleFolder: process.env['BENCH_BUNDLE'],
  },
  process.env,
  {
    prepare: async (server) => {
      await server.start();
      await server.registrar.services.find(LocationStore, 'bench').upsert(buildLocations());
      const token = await signInAs(
        createTestCalls(server.app),
        await addPerson(server.database, { flags: ['vrAccess'] }),
      );
      process.send?.({ token });
    },
  },
);
