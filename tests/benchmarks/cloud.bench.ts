import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { toDirection, minus, times, type Point3 } from '#core';
import type { CameraView } from '#plugins/tour';
import { sampleDataFolder } from '../../core/testing/sample-data-folder.mjs';
import { atLeast, atMost, median, type Bench, type BenchResult } from './bench.ts';
import type { BenchScene } from './cloud/cloud-page.ts';
import { buildPages } from './cloud/pages.ts';
import { runPage } from './cloud/run-page.ts';
import { ThrottledServer } from './panorama/throttled-server.ts';

/** A rock of 500,000 points, 32 x 41 x 16 metres, from the tests of PDAL. */
const file = 'pointcloud/pdal/lone-star.copc.laz';
const middle: Point3 = [515_384.8, 4_918_361, 2330];
const budget = 500_000;
const contenders = ['own', 'giro3d'] as const;
type Contender = (typeof contenders)[number];

/** Creates a view of the middle of the rock from a distance in metres, at a fraction of a full turn. */
function createView(distance: number, fraction: number): CameraView {
  const pan = fraction * 360;
  const tilt = -20;
  return { position: minus(middle, times(toDirection(pan, tilt), distance)), pan, tilt, fov: 60 };
}
const firstView = createView(22, 0.1);
const nearView = createView(9, 0.6);
const roundViews = Array.from({ length: 400 }, (_, index) => createView(22, 0.1 + index / 400));
const pixels = Array.from(
  { length: 50 },
  (_, index) => [400 + ((index * 173) % 480), 260 + ((index * 71) % 200)] as const,
);

interface Figures {
  readonly settled: number[];
  readonly near: number[];
  readonly bytes: number[];
  readonly requests: number[];
  readonly points: number[];
  readonly frames: number[];
  readonly pick: number[];
  readonly hits: number[];
}
const createFigures = (): Figures => ({
  settled: [],
  near: [],
  bytes: [],
  requests: [],
  points: [],
  frames: [],
  pick: [],
  hits: [],
});

/**
 * Compares our cloud layer with giro3d in interleaved runs with the same COPC file, server, browser, camera and point
 * budget.
 */
const bench: Bench = async ({ root, chromium, chooseCount, log }) => {
  const source = path.join(sampleDataFolder(root), file);
  if (!existsSync(source))
    throw new Error(`The point cloud ${file} is not in the sample data. Set WALKDOWN_SAMPLE_DATA.`);
  const pages = await buildPages(root);
  const cloudUrl = '/cloud.copc.laz';
  const server = await new ThrottledServer(
    new Map([...pages, [cloudUrl, { type: 'application/octet-stream', body: await readFile(source) }] as const]),
  ).start();
  const pickPixels = pixels.slice(0, chooseCount(20, pixels.length));
  const scene: BenchScene = { file: cloudUrl, view: firstView, budget, attribute: 'Intensity', background: [0, 0, 0] };
  const figures: Readonly<Record<Contender, Figures>> = { own: createFigures(), giro3d: createFigures() };
  try {
    for (let round = 0; round < chooseCount(1, 5); round++) {
      log(`  round ${round + 1}`);
      for (const contender of contenders) {
        const contenderFigures = figures[contender];
        server.sentByPath.clear();
        const run = await runPage(chromium, server.url, contender, scene);
        try {
          contenderFigures.settled.push(run.loaded.milliseconds);
          contenderFigures.points.push(run.loaded.points);
          const { bytes, requests } = server.sentByPath.get(cloudUrl) ?? { bytes: 0, requests: 0 };
          contenderFigures.bytes.push(bytes);
          contenderFigures.requests.push(requests);
          contenderFigures.frames.push(await run.moveThrough(roundViews, chooseCount(2, 10) * 1000));
          contenderFigures.near.push((await run.lookFrom(nearView)).milliseconds);
          await run.lookFrom(firstView);
          const picks = await run.pickAll(pickPixels);
          contenderFigures.pick.push(median(picks.map(({ milliseconds }) => milliseconds)));
          contenderFigures.hits.push(picks.filter(({ hit }) => hit !== undefined).length);
        } finally {
          await run.close();
        }
      }
    }
  } finally {
    await server.stop();
  }
  return toResults(figures, pickPixels.length);
};
export default bench;

function toResults(figures: Readonly<Record<Contender, Figures>>, picks: number): readonly BenchResult[] {
  const computeMedian = (contender: Contender, figure: keyof Figures): number => median(figures[contender][figure]);
  const compareFigures = (name: string, figure: keyof Figures, format: (contender: Contender) => string) => ({
    name: `cloud: ${name}`,
    value: computeMedian('own', figure) / computeMedian('giro3d', figure),
    unit: '',
    against: `giro3d ${format('giro3d')}, ours ${format('own')}`,
  });
  const formatPoints = (contender: Contender): string =>
    `${(computeMedian(contender, 'points') / 1000).toFixed(0)} k points`;
  return [
    atMost(
      0.7,
      compareFigures(
        'time to settled',
        'settled',
        (contender) =>
          `${computeMedian(contender, 'settled').toFixed(0)} ms, ${formatPoints(contender)}, then near by ${computeMedian(contender, 'near').toFixed(0)} ms`,
      ),
    ),
    atMost(
      1,
      compareFigures(
        'bytes of points',
        'bytes',
        (contender) =>
          `${(computeMedian(contender, 'bytes') / 1000).toFixed(0)} kB in ${computeMedian(contender, 'requests')} requests`,
      ),
    ),
    atLeast(
      2.5,
      compareFigures('frames in a round', 'frames', (contender) => `${computeMedian(contender, 'frames')} frames`),
    ),
    atMost(
      0.3,
      compareFigures(
        'pick',
        'pick',
        (contender) =>
          `${computeMedian(contender, 'pick').toFixed(1)} ms, ${computeMedian(contender, 'hits')} of ${picks} hit`,
      ),
    ),
  ];
}
