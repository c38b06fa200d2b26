import { randomUUID } from 'node:crypto';
import type { SeedDemo, ServerContext } from '#core/server';
import type { DemoPlant } from '#core';
import { Tours, type DemoNode, type TourDemo } from '#plugins/tour';
import type { ScanDemo } from '../contract/index.ts';
import { seedClouds } from './cloud/demo.ts';
import { tileStationJob, type TileStationPayload } from './stations/jobs/tile-station.ts';
import { addRangeNoise } from './stations/jobs/add-range-noise.ts';
import { scanAudience } from './queries/scan-token.ts';
import type { ScanTables } from './tables.ts';

/** One standard deviation of a range of a survey scanner. */
const sigmaMetres = 0.003;

/**
 * Creates a scan station with its own noise at each node of the demo plant, and the point clouds. Skips nodes that have
 * a station and locations that have a station of that name. Jobs make the tiles after the server has started.
 */
const seedDemo: SeedDemo<ScanTables, DemoPlant & Partial<TourDemo & ScanDemo>> = async (context, plant) => {
  const { tables } = context;
  const existingStations = await tables.selectFrom('station').select(['node', 'name', 'location']).execute();
  for (const [index, node] of (plant.nodes ?? []).entries()) {
    const uid = (await context.service(Tours).findNodes(node.location, [node.code])).get(node.code) ?? null;
    const hasStation = existingStations.some(
      (row) => (uid !== null && row.node === uid) || (row.location === node.location && row.name === node.name),
    );
    if (!hasStation) await seedStation(context, node, uid, index + 1);
  }
  const stationsWithoutTiles = await tables
    .selectFrom('station')
    .select('uid')
    .where('tiles_file', 'is', null)
    .orderBy('name')
    .orderBy('uid')
    .execute();
  for (const { uid } of stationsWithoutTiles)
    await context.jobs.start<TileStationPayload>(tileStationJob, { station: uid }, null);
  await seedClouds(context, plant);
};
export default seedDemo;

async function seedStation(
  context: Pick<ServerContext<ScanTables>, 'tables' | 'files'>,
  node: DemoNode,
  nodeUid: string | null,
  seed: number,
): Promise<void> {
  const [x, y, z] = node.position;
  const rangeFile = await context.files.put(
    { name: `${node.code} ranges.png`, mediaType: 'image/png', audience: scanAudience(node.location) },
    await addRangeNoise(node.range.path, sigmaMetres, seed),
  );
  await context.tables
    .insertInto('station')
    .values({
      uid: randomUUID(),
      name: node.name,
      node: nodeUid,
      location: node.location,
      x,
      y,
      z,
      heading: node.heading,
      captured_at: node.capturedAt,
      range_file: rangeFile.id,
      sigma: sigmaMetres,
      panorama_file: null,
      tiles_file: null,
      pyramid: null,
      ranges: null,
      delivery: null,
    })
    .execute();
}
