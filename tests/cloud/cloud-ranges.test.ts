import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import type { FileStore } from '#core/server';
import { plant } from '../../cli/demo/plant/plant.ts';
import { scanPoints } from '../../cli/demo/scan/scan-points.ts';
import { projectRoot } from '../../cli/project-root.ts';
import { writeCloud } from '../../plugins/scan/server/cloud/jobs/octree/write-cloud.ts';
import { readCloudPoints } from '../../plugins/scan/server/ranges/read-cloud-points.ts';
import { splatRanges } from '../../plugins/scan/server/ranges/splat-ranges.ts';

const { signal } = new AbortController();
/** Three standard deviations of the scanners' noise, metres. */
const noiseMetres = 0.009;
/** The rays of the demo's scans: a quarter of an image 2048 wide, thinned near the scanner. */
const computeSpacing = (metres: number): number => Math.max(0.024, (metres * 2 * Math.PI * 2) / 2048);

/** Two stations: a batch for each row of their range images that has points. */
const maxBatches = 2000;

/** The octree of the scans of two neighbouring stations of the demo plant. */
async function writeScans(): Promise<FileStore> {
  const folder = await mkdtemp(path.join(tmpdir(), 'walkdown-ranges-'));
  const parts = new Map<string, Buffer>();
  const batches = async function* () {
    let count = 0;
    for await (const batch of scanPoints()) {
      yield batch;
      if (++count === maxBatches) return;
    }
  };
  for await (const { path: part, content } of writeCloud(batches(), { folder })) parts.set(part, Buffer.from(content));
  await rm(folder, { recursive: true });
  return { read: async (_file: string, _range: unknown, part: string) => Readable.from([parts.get(part)]) } as never;
}

it('computes range images of a cloud that agree with the demo plant and have no ranges in the sky', async () => {
  const files = await writeScans();
  const { code, position, heading } = plant.nodes[0]!;
  const view = { position, heading, width: 2048 };
  const read = () => readCloudPoints(files, 'TILES', 'cloud', [view], signal);
  const { value: image } = await splatRanges([view], read, signal).next();
  const renderedPixels = await sharp(path.join(projectRoot, 'cli', 'demo', 'rendered', 'range', `${code}.webp`))
    .removeAlpha()
    .raw()
    .toBuffer();
  const counts = { known: 0, close: 0, unknown: 0, sky: 0, invented: 0 };
  for (let pixel = 0; pixel < image!.length; pixel++) {
    const metres = (renderedPixels[3 * pixel]! * 256 + renderedPixels[3 * pixel + 1]!) / 1000;
    const range = image![pixel]! / 1000;
    if (metres === 0) {
      counts.sky++;
      if (range > 0) counts.invented++;
    } else if (range === 0) counts.unknown++;
    else {
      counts.known++;
      if (Math.abs(range - metres) < noiseMetres + computeSpacing(metres)) counts.close++;
    }
  }
  expect(counts.close / counts.known).toBeGreaterThan(0.95);
  expect(counts.invented / counts.sky).toBeLessThan(0.03);
  expect(counts.known).toBeGreaterThan(counts.unknown);

  const countPoints = async (changes: Partial<typeof view>): Promise<number> => {
    let points = 0;
    for await (const part of readCloudPoints(files, 'TILES', 'cloud', [{ ...view, ...changes }], signal))
      points += part.length / 3;
    return points;
  };
  expect(await countPoints({ width: 16 })).toBeLessThan(0.8 * (await countPoints({})));
  expect(await countPoints({ position: [900, 0, 0] })).toBe(0);
});
