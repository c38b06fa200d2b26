import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { toDirection, minus, times, type Point3 } from '#core';
import type { EyeView } from '#plugins/tour';
import { sampleDataFolder } from '../../core/testing/sample-data-folder.mjs';
import { atLeast, atMost, median, type Bench, type BenchResult } from './bench.ts';
import type { BenchScene } from './cloud/cloud-page.ts';
import { buildPages, contenders, type Contender } from './cloud/pages.ts';
import { runPage } from './cloud/run-page.ts';
import { LineServer } from './panorama/line-server.ts';

/** A rock of 500,000 points, 32 x 41 x 16 metres, from the tests of PDAL. */
const file = 'pointcloud/pdal/lone-star.copc.laz';
const middle: Point3 = [515_384.8, 4_918_361, 2330];
const budget = 500_000;

/** A view of the middle from a distance in metres, at a share of a full turn. */
function viewFrom(away: number, share: number): EyeView {
  const pan = share * 360;
  const tilt = -20;
  return { position: minus(middle, times(toDirection(pan, tilt), away)), pan, tilt, fov: 60 };
}
const first = viewFrom(22, 0.1);
const near = viewFrom(9, 0.6);
const round = Array.from({ length: 400 }, (_, index) => viewFrom(22, 0.1 + index / 400));
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
const noFigures = (): Figures => ({
  settled: [],
  near: [],
  bytes: [],
  requests: [],
  points: [],
  frames: [],
  pick: [],
  hits: [],
});

/** Compares our cloud layer with giro3d: same COPC file, server, browser, camera and point budget; interleaved runs. */
const bench: Bench = async ({ root, chromium, count, say }) => {
  const source = path.join(sampleDataFolder(root), file);
  if (!existsSync(source))
    throw new Error(`The point cloud ${file} is not in the sample data: set WALKDOWN_SAMPLE_DATA.`);
  const pages = await buildPages(root);
  const address = '/cloud.copc.laz';
  const server = await new LineServer(
    new Map([...pages, [address, { type: 'application/octet-stream', body: await readFile(source) }] as const]),
  ).start();
  const picked = pixels.slice(0, count(20, pixels.length));
  const scene: BenchScene = { file: address, view: first, budget, attribute: 'Intensity' };
  const figures: Readonly<Record<Contender, Figures>> = { own: noFigures(), giro3d: noFigures() };
  try {
    for (let turn = 0; turn < count(1, 5); turn++) {
      say(`  round ${turn + 1}`);
      for (const contender of contenders) {
        const own = figures[contender];
        server.sent.clear();
        const run = await runPage(chromium, server.address, contender, scene);
        try {
          own.settled.push(run.loaded.milliseconds);
          own.points.push(run.loaded.points);
          const { bytes, requests } = server.sent.get(address) ?? { bytes: 0, requests: 0 };
          own.bytes.push(bytes);
          own.requests.push(requests);
          own.frames.push(await run.goThrough(round, count(2, 10) * 1000));
          own.near.push((await run.lookFrom(near)).milliseconds);
          await run.lookFrom(first);
          const picks = await run.picks(picked);
          own.pick.push(median(picks.map(({ milliseconds }) => milliseconds)));
          own.hits.push(picks.filter(({ hit }) => hit !== undefined).length);
        } finally {
          await run.close();
        }
      }
    }
  } finally {
    await server.stop();
  }
  return results(figures, picked.length);
};
export default bench;

function results(figures: Readonly<Record<Contender, Figures>>, picks: number): readonly BenchResult[] {
  const of = (contender: Contender, figure: keyof Figures): number => median(figures[contender][figure]);
  const ratio = (name: string, figure: keyof Figures, show: (contender: Contender) => string) => ({
    name: `cloud: ${name}`,
    value: of('own', figure) / of('giro3d', figure),
    unit: '',
    against: `giro3d ${show('giro3d')}, ours ${show('own')}`,
  });
  const points = (contender: Contender): string => `${(of(contender, 'points') / 1000).toFixed(0)} k points`;
  return [
    atMost(
      0.7,
      ratio(
        'time to settled',
        'settled',
        (who) => `${of(who, 'settled').toFixed(0)} ms, ${points(who)}, then near by ${of(who, 'near').toFixed(0)} ms`,
      ),
    ),
    atMost(
      1,
      ratio(
        'bytes of points',
        'bytes',
        (who) => `${(of(who, 'bytes') / 1000).toFixed(0)} kB in ${of(who, 'requests')} requests`,
      ),
    ),
    atLeast(
      2.5,
      ratio('frames in a round', 'frames', (who) => `${of(who, 'frames')} frames`),
    ),
    atMost(
      0.3,
      ratio('pick', 'pick', (who) => `${of(who, 'pick').toFixed(1)} ms, ${of(who, 'hits')} of ${picks} hit`),
    ),
  ];
}
