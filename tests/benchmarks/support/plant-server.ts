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
 * This program is a server with the plugins `tour` and `scan` and one person. For each number in `BENCH_TOURS` (such as
 * `16,100`) it has a unit with that many nodes. For each number in `BENCH_STATIONS` it has one whose nodes also have
 * scan stations. It sends `{ address }` and `{ token }` to its parent.
 */
const readNumbers = (name: string): readonly number[] => (process.env[name] ?? '').split(',').map(Number);
const decksPerUnit = 10;

const levels = [512, 1024, 2048, 4096].map((width) => ({
  width,
  height: width / 2,
  columns: width / 512,
  rows: Math.max(1, width / 1024),
}));
const pyramid = JSON.stringify({ tileSize: 512, levels, mesh: true });

function buildLocations(sizes: readonly number[]): readonly LocationRow[] {
  const buildLocation = (
    uid: string,
    parent: string | null,
    locationType: LocationRow['locationType'],
  ): LocationRow => ({
    uid,
    label: uid,
    name: `${uid} of the plant`,
    parent,
    root: 'site',
    locationType,
  });
  return [
    buildLocation('site', null, 'PRIMARY_LOCATION'),
    ...sizes.flatMap((size) => [
      buildLocation(`unit-${size}`, 'site', 'PLATFORM_UNIT'),
      ...Array.from({ length: decksPerUnit }, (_, deck) =>
        buildLocation(`deck-${size}-${deck}`, `unit-${size}`, 'LOC_LEVEL'),
      ),
    ]),
  ];
}

async function insertUnit(database: Database, size: number, withStations: boolean): Promise<void> {
  const viewpoints = Array.from({ length: size }, (_, index) => ({
    code: `N${size}-${index}`,
    location: `deck-${size}-${index % decksPerUnit}`,
    x: 10 * (index % 40),
    y: 10 * Math.floor(index / 40),
  }));
  const code = `T${size}`;
  await insertTourRows(database, {
    tours: [buildTourRow(code, { location: `unit-${size}`, start_node: nodeUid(viewpoints[0]!.code) })],
    nodes: viewpoints.map(({ code: node, ...viewpoint }, position) =>
      buildNodeRow(node, {
        ...viewpoint,
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
    stations: viewpoints.map(({ code: node, ...viewpoint }) => buildStationRow(node, { ...viewpoint, pyramid })),
  });
}

const [tours, stations] = [readNumbers('BENCH_TOURS'), readNumbers('BENCH_STATIONS')];
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
      await server.registrar.services.find(LocationStore, 'bench').upsert(buildLocations([...tours, ...stations]));
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
