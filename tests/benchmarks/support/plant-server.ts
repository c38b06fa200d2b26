import type { LocationRow } from '#core';
import { enabledPlugin, LocationStore, startServer, type Database } from '#core/server';
import { createTestCalls } from '../../../core/testing/server/test-calls.ts';
import { addPerson, signInAs } from '../../../core/testing/server/test-people.ts';
import scanManifest from '../../../plugins/scan/plugin.ts';
import scan from '../../../plugins/scan/server/index.ts';
import { buildStationRow, insertScanRows } from '../../../plugins/scan/testing/server/scan-rows.ts';
import tourManifest from '../../../plugins/tour/plugin.ts';
import tour from '../../../plugins/tour/server/index.ts';
import {
  buildNodeRow,
  buildTourRow,
  insertTourRows,
  nodeUid,
  tourUid,
} from '../../../plugins/tour/testing/server/tour-rows.ts';
import { plainProduct } from './plain-product.ts';

/**
 * Program: a server with the plugins `tour` and `scan` and one person. Each number in `BENCH_TOURS` (`16,100`) or
 * `BENCH_STATIONS` is a unit with that many nodes, or nodes with scan stations. Sends `{ address }` and `{ token }` to
 * its parent.
 */
const numbersIn = (name: string): readonly number[] => (process.env[name] ?? '').split(',').map(Number);
const decksPerUnit = 10;

const levels = [512, 1024, 2048, 4096].map((width) => ({
  width,
  height: width / 2,
  columns: width / 512,
  rows: Math.max(1, width / 1024),
}));
const pyramid = JSON.stringify({ tileSize: 512, levels, mesh: true });

function locationRows(sizes: readonly number[]): readonly LocationRow[] {
  const row = (uid: string, parent: string | null, locationType: LocationRow['locationType']): LocationRow => ({
    uid,
    label: uid,
    name: `${uid} of the plant`,
    parent,
    root: 'site',
    locationType,
  });
  return [
    row('site', null, 'PRIMARY_LOCATION'),
    ...sizes.flatMap((size) => [
      row(`unit-${size}`, 'site', 'PLATFORM_UNIT'),
      ...Array.from({ length: decksPerUnit }, (_, deck) => row(`deck-${size}-${deck}`, `unit-${size}`, 'LOC_LEVEL')),
    ]),
  ];
}

async function insertUnit(database: Database, size: number, withStations: boolean): Promise<void> {
  const places = Array.from({ length: size }, (_, index) => ({
    code: `N${size}-${index}`,
    location: `deck-${size}-${index % decksPerUnit}`,
    x: 10 * (index % 40),
    y: 10 * Math.floor(index / 40),
  }));
  const code = `T${size}`;
  await insertTourRows(database, {
    tours: [buildTourRow(code, { location: `unit-${size}`, start_node: nodeUid(places[0]!.code) })],
    nodes: places.map(({ code: node, ...place }, position) =>
      buildNodeRow(node, {
        ...place,
        tour: tourUid(code),
        position,
        pyramid_file: 'none',
        thumbnail_file: 'none',
        pyramid,
      }),
    ),
  });
  if (!withStations) return;
  await insertScanRows(database, {
    stations: places.map(({ code: node, ...place }) => buildStationRow(node, { ...place, pyramid })),
  });
}

const [tours, stations] = [numbersIn('BENCH_TOURS'), numbersIn('BENCH_STATIONS')];
await startServer(
  {
    product: plainProduct,
    plugins: [enabledPlugin(tourManifest, {}, tour), enabledPlugin(scanManifest, { token: true }, scan)],
    bridges: [],
  },
  process.env,
  {
    prepare: async (server) => {
      await server.start();
      await server.registrar.services.find(LocationStore, 'bench').upsert(locationRows([...tours, ...stations]));
      for (const size of tours) await insertUnit(server.database, size, false);
      for (const size of stations) await insertUnit(server.database, size, true);
      await server.database.query(
        "insert into scan.token (location, expires_at, set_by) values ('site', '2099-01-01', 'bench')",
      );
      const flags = ['vrAccess', 'scanAccess'] as const;
      const token = await signInAs(createTestCalls(server.app), await addPerson(server.database, { flags }));
      process.send?.({ token });
    },
  },
);
