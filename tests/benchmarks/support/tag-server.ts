import type { LocationRow } from '#core';
import { enabledPlugin, LocationStore, startServer, type Database } from '#core/server';
import { createTestCalls } from '../../../core/testing/server/test-calls.ts';
import { addPerson, signInAs } from '../../../core/testing/server/test-people.ts';
import tourManifest from '../../../plugins/tour/plugin.ts';
import tour from '../../../plugins/tour/server/index.ts';
import { buildNodeRow, buildTourRow, insertTourRows, tourUid } from '../../../plugins/tour/testing/server/tour-rows.ts';
import { plainProduct } from './plain-product.ts';
import { formatDescription, formatTagNumber } from './tag-names.ts';

/**
 * This program is a server with the plugin `tour`, `BENCH_SITES` sites and `BENCH_TAGS` tags and lines on each. It
 * sends `{ filledSites }` after each site, `{ address }`, `{ token }` of a person who can access everything, and `{
 * restrictedToken }` of a person who can access one deck of the first site.
 */
const [siteCount, tagsPerSite] = [Number(process.env['BENCH_SITES']), Number(process.env['BENCH_TAGS'])];
const nodesPerSite = 100;
const decksPerSite = 10;
const sites = Array.from({ length: siteCount }, (_, site) => site);

function listLocations(site: number): readonly LocationRow[] {
  const buildLocation = (
    uid: string,
    parent: string | null,
    locationType: LocationRow['locationType'],
  ): LocationRow => ({ uid, label: uid, name: uid, parent, root: `site-${site}`, locationType });
  return [
    buildLocation(`site-${site}`, null, 'PRIMARY_LOCATION'),
    buildLocation(`unit-${site}`, `site-${site}`, 'PLATFORM_UNIT'),
    ...Array.from({ length: decksPerSite }, (_, deck) =>
      buildLocation(`deck-${site}-${deck}`, `unit-${site}`, 'LOC_LEVEL'),
    ),
  ];
}

async function insertTour(database: Database, site: number): Promise<void> {
  const code = `T${site}`;
  await insertTourRows(database, {
    tours: [buildTourRow(code, { site: `site-${site}`, location: `unit-${site}`, start_node: `node-N${site}-0` })],
    nodes: Array.from({ length: nodesPerSite }, (_, position) =>
      buildNodeRow(`N${site}-${position}`, {
        site: `site-${site}`,
        tour: tourUid(code),
        location: `deck-${site}-${position % decksPerSite}`,
        position,
        x: position,
      }),
    ),
  });
}

/** Inserts the tags of a site, spread over its decks. Each is visible from two nodes. */
async function insertTags(database: Database, site: number): Promise<void> {
  const indexes = Array.from({ length: tagsPerSite }, (_, index) => index);
  const numbers = indexes.map(formatTagNumber);
  const descriptions = indexes.map(formatDescription);
  await database.query(
    `insert into tour.tag (uid, site, code, type, kind, description, location, search_key)
       select 'tag-' || $1 || '-' || nr, 'site-' || $1, number, case when number like '%"%' then 'LINE' else 'TAG' end,
              'VALVE', description, 'deck-' || $1 || '-' || (nr % $2::int),
              upper(regexp_replace(number, '[^A-Za-z0-9]', '', 'g'))
       from unnest($3::text[], $4::text[]) with ordinality tags (number, description, nr)`,
    [String(site), decksPerSite, numbers, descriptions],
  );
  await database.query(
    `insert into tour.code (site, kind, code, entity)
       select site, 'TAG', code, uid from tour.tag where site = 'site-' || $1`,
    [String(site)],
  );
  await database.query(
    `insert into tour.tag_view (tag, node, pan, tilt, distance, visible)
       select tag.uid, 'node-N' || $1 || '-' || ((nr + view) % $2::int), 0, 0, view, 1
       from (select uid, row_number() over (order by uid)::int nr from tour.tag where site = 'site-' || $1) tag,
            generate_series(1, 2) view`,
    [String(site), nodesPerSite],
  );
}

await startServer(
  { product: plainProduct, plugins: [enabledPlugin(tourManifest, {}, tour)], bridges: [] },
  process.env,
  {
    prepare: async (server) => {
      await server.start();
      await server.registrar.services.find(LocationStore, 'bench').upsert(sites.flatMap(listLocations));
      for (const site of sites) {
        await insertTour(server.database, site);
        await insertTags(server.database, site);
        process.send?.({ filledSites: String(site + 1) });
      }
      const calls = createTestCalls(server.app);
      const flags = ['vrAccess'] as const;
      process.send?.({
        token: await signInAs(calls, await addPerson(server.database, { flags })),
        restrictedToken: await signInAs(calls, await addPerson(server.database, { flags, locations: ['deck-0-1'] })),
      });
    },
  },
);
