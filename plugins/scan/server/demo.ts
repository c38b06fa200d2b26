import type { DemoRows, ServerContext } from '#core/server';
import type { DemoNode } from '#core';
import { Tours } from '#plugins/tour';
import { seedClouds } from './cloud/demo-clouds.ts';
import { tileStationJob, type TileStationPayload } from './jobs/tile-station.ts';
import { noisyRanges } from './noisy-ranges.ts';
import { scanAudience } from './queries/scan-token.ts';
import { scanSchema, type ScanTables } from './tables.ts';

/** A survey scanner's: one standard deviation of a range, metres. */
const sigma = 0.003;

/**
 * A scan station at each node of the demo plant, with noise of its own, and its clouds. What is there already stays;
 * the tiles are made by jobs after the start.
 */
const demoRows: DemoRows = async (context, plant) => {
  const tables = context.database.of<ScanTables>(scanSchema);
  const known = new Set((await tables.selectFrom('station').select('code').execute()).map(({ code }) => code));
  for (const [index, node] of plant.nodes.entries()) {
    if (known.has(stationCode(node))) continue;
    const nodes = await context.service(Tours).findNodes(node.location, [node.code]);
    await seedStation(context, node, nodes.get(node.code) ?? null, index + 1);
  }
  const bare = await tables
    .selectFrom('station')
    .select('code')
    .where('tiles_file', 'is', null)
    .orderBy('code')
    .execute();
  for (const { code } of bare) await context.jobs.start<TileStationPayload>(tileStationJob, { station: code }, null);
  await seedClouds(context, plant);
};
export default demoRows;

const stationCode = (node: DemoNode): string => `SCAN-${node.code}`;

async function seedStation(
  context: Pick<ServerContext, 'database' | 'files'>,
  node: DemoNode,
  uid: string | null,
  seed: number,
): Promise<void> {
  const [x, y, z] = node.position;
  const stored = await context.files.put(
    { name: `${stationCode(node)}.png`, mediaType: 'image/png', audience: scanAudience(node.location) },
    await noisyRanges(node.range.path, sigma, seed),
  );
  await context.database
    .of<ScanTables>(scanSchema)
    .insertInto('station')
    .values({
      code: stationCode(node),
      name: node.name,
      node: uid,
      location: node.location,
      x,
      y,
      z,
      heading: node.heading,
      captured_at: node.capturedAt,
      range_file: stored.id,
      sigma,
      panorama_file: null,
      tiles_file: null,
      pyramid: null,
      ranges: null,
      delivery: null,
    })
    .execute();
}
