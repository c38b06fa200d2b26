import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sampleDataFolder } from '../../core/testing/sample-data-folder.mjs';
import { bytesInMemory } from '../../plugins/scan/server/adapters/byte-source.ts';
import { writeCloud } from '../../plugins/scan/server/cloud/jobs/octree/write-cloud.ts';
import { openLas } from '../../plugins/scan/server/adapters/las/open-las.ts';
import { decodeTile } from '../../plugins/scan/web/viewer/cloud/decode-tile.ts';
import { atLeast, atMost, median, type Bench } from './bench.ts';

const files = ['pdal/lone-star.copc.laz', 'copc/ellipsoid.copc.laz'];

/**
 * Compares decoding the importer's tiles of real COPC files with decoding the LAZ of those files, in turns in the same
 * process. Unit: points per CPU second on one thread.
 */
const bench: Bench = async ({ root, count, say }) => {
  const folder = path.join(sampleDataFolder(root), 'pointcloud');
  if (!existsSync(folder)) throw new Error(`There are no sample point clouds in ${folder}: set WALKDOWN_SAMPLE_DATA.`);
  const results = [];
  for (const name of files) {
    const delivered = await readFile(path.join(folder, name));
    const cloud = await openLas(bytesInMemory(delivered));
    const { tiles, seconds } = await readTiles(cloud);
    const bytes = tiles.reduce((sum, tile) => sum + tile.length, 0);
    const laz: number[] = [];
    const own: number[] = [];
    for (let round = 0; round < count(1, 7); round++) {
      laz.push(
        cloud.count /
          (await cpuSeconds(async () => {
            for await (const _ of cloud.points());
          })),
      );
      // Short runs repeat until the CPU clock resolves them.
      const times = 8;
      own.push(
        (cloud.count * times) /
          (await cpuSeconds(async () => {
            for (let time = 0; time < times; time++) for (const tile of tiles) await decodeTile(tile);
          })),
      );
    }
    const rate = (value: number): string => `${(value / 1e6).toFixed(1)} million points a CPU second`;
    say(`  ${name}: ${cloud.count} points, imported in ${seconds.toFixed(1)} CPU s`);
    results.push(
      atLeast(5, {
        name: `decode of tiles against LAZ, ${path.basename(name)}`,
        value: median(own) / median(laz),
        unit: 'x',
        against: `${rate(median(own))} against ${rate(median(laz))} of laz-perf`,
      }),
      atMost(2, {
        name: `bytes of tiles against LAZ, ${path.basename(name)}`,
        value: bytes / delivered.length,
        unit: 'x',
        against:
          `${(bytes / cloud.count).toFixed(1)} against ${(delivered.length / cloud.count).toFixed(1)} bytes ` +
          'a point',
      }),
    );
  }
  return results;
};
export default bench;

async function readTiles(
  cloud: Awaited<ReturnType<typeof openLas>>,
): Promise<{ readonly tiles: readonly Uint8Array[]; readonly seconds: number }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'walkdown-bench-'));
  try {
    const tiles: Uint8Array[] = [];
    const seconds = await cpuSeconds(async () => {
      for await (const { path: name, content } of writeCloud(cloud.points(), { folder }))
        if (name.endsWith('.glb')) tiles.push(content);
    });
    return { tiles, seconds };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function cpuSeconds(run: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}
