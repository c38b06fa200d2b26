import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sampleDataFolder } from '../../core/testing/sample-data-folder.mjs';
import { openBytes } from '../../plugins/scan/server/adapters/byte-source.ts';
import { writeCloud } from '../../plugins/scan/server/cloud/jobs/octree/write-cloud.ts';
import { openLas } from '../../plugins/scan/server/adapters/las/open-las.ts';
import { decodeTile } from '../../plugins/scan/common/decode-tile.ts';
import { atLeast, atMost, median, type Bench } from './bench.ts';

const files = ['pdal/lone-star.copc.laz', 'copc/ellipsoid.copc.laz'];

/**
 * Compares decoding the importer's tiles of real COPC files with decoding the LAZ of the same files. Both run
 * alternately in one process. Rates are in points per CPU second of one thread.
 */
const bench: Bench = async ({ root, chooseCount, log }) => {
  const folder = path.join(sampleDataFolder(root), 'pointcloud');
  if (!existsSync(folder)) throw new Error(`There are no sample point clouds in ${folder}. Set WALKDOWN_SAMPLE_DATA.`);
  const results = [];
  for (const name of files) {
    const lazFile = await readFile(path.join(folder, name));
    const cloud = await openLas(openBytes(lazFile));
    const { tiles, seconds } = await readTiles(cloud);
    const bytes = tiles.reduce((sum, tile) => sum + tile.length, 0);
    const lazRates: number[] = [];
    const tileRates: number[] = [];
    for (let round = 0; round < chooseCount(1, 7); round++) {
      lazRates.push(
        cloud.count /
          (await measureCpuSeconds(async () => {
            for await (const _ of cloud.readPoints());
          })),
      );
      // Decoding is repeated because a single short run is near the resolution of the CPU clock.
      const repetitions = 8;
      tileRates.push(
        (cloud.count * repetitions) /
          (await measureCpuSeconds(async () => {
            for (let repetition = 0; repetition < repetitions; repetition++)
              for (const tile of tiles) await decodeTile(tile);
          })),
      );
    }
    const formatRate = (value: number): string => `${(value / 1e6).toFixed(1)} million points per CPU second`;
    log(`  ${name}: ${cloud.count} points, imported in ${seconds.toFixed(1)} CPU s`);
    results.push(
      atLeast(5, {
        name: `decode of tiles against LAZ, ${path.basename(name)}`,
        value: median(tileRates) / median(lazRates),
        unit: 'x',
        against: `${formatRate(median(tileRates))} against ${formatRate(median(lazRates))} of laz-perf`,
      }),
      atMost(2, {
        name: `bytes of tiles against LAZ, ${path.basename(name)}`,
        value: bytes / lazFile.length,
        unit: 'x',
        against:
          `${(bytes / cloud.count).toFixed(1)} against ${(lazFile.length / cloud.count).toFixed(1)} bytes ` +
          'per point',
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
    const seconds = await measureCpuSeconds(async () => {
      for await (const { path: name, content } of writeCloud(cloud.readPoints(), { folder }))
        if (name.endsWith('.glb')) tiles.push(content);
    });
    return { tiles, seconds };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function measureCpuSeconds(run: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}
