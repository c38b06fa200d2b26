import { atLeast, atMost, median, type Bench, type BenchContext, type BenchResult } from './bench.ts';
import { ThrottledServer, type Throttling, type ServedFile } from './panorama/throttled-server.ts';
import { measureMemoryGrowth } from './panorama/memory.ts';
import { buildPages, contenders, type Contender } from './panorama/pages.ts';
import { runPage } from './panorama/run-page.ts';
import { buildScene } from './panorama/scene.ts';

/** 4 Mbit/s with a round trip of 60 ms. */
const slowConnection: Throttling = { latencyMs: 60, bytesPerSecond: 500_000 };
const fastConnection: Throttling = { latencyMs: 0, bytesPerSecond: Infinity };

const pins = Array.from({ length: 200 }, (_, index) => ({
  id: `p${index}`,
  pan: ((index * 21.2) % 360) - 180,
  tilt: Math.sin(index) * 34,
}));

interface Figures {
  readonly previewBytes: number[];
  readonly slowPreview: number[];
  readonly slowSharp: number[];
  readonly sharp: number[];
  readonly frames: number[];
  readonly draws: number[];
  readonly pinMilliseconds: number[];
}
const createFigures = (): Figures => ({
  previewBytes: [],
  slowPreview: [],
  slowSharp: [],
  sharp: [],
  frames: [],
  draws: [],
  pinMilliseconds: [],
});

/**
 * Compares the panorama engine with Photo Sphere Viewer and Marzipano in interleaved runs with the same image, server
 * and browser.
 */
const bench: Bench = async (context) => {
  const pages = await buildPages(context.root);
  context.log('  cutting the scene into tiles');
  const tiles = await buildScene(context.root);
  const server = await new ThrottledServer(
    new Map<string, ServedFile>([
      ...pages,
      ...[...tiles].map(([path, body]) => [path, { type: 'image/jpeg', body }] as const),
    ]),
  ).start();
  try {
    const figures: Readonly<Record<Contender, Figures>> = {
      own: createFigures(),
      'photo-sphere-viewer': createFigures(),
      marzipano: createFigures(),
    };
    await measureLoading(context, server, figures);
    await measureTurning(context, server, figures);
    server.throttling = fastConnection;
    const growth = await measureMemoryGrowth(context, server.url);
    const weight = (contender: Contender): number => pages.get(`/${contender}.js`)?.body.length ?? 0;
    return [...toResults(figures, weight), ...growth];
  } finally {
    await server.stop();
  }
};
export default bench;

async function measureLoading(
  { chromium, count, log }: BenchContext,
  server: ThrottledServer,
  figures: Readonly<Record<Contender, Figures>>,
): Promise<void> {
  server.throttling = slowConnection;
  for (let round = 0; round < count(1, 5); round++) {
    log(`  4 Mbit/s, round ${round + 1}`);
    for (const contender of contenders) {
      const run = await runPage(chromium, server.url, contender);
      await run.close();
      figures[contender].previewBytes.push(run.loaded.previewBytes);
      figures[contender].slowPreview.push(run.loaded.preview);
      figures[contender].slowSharp.push(run.loaded.sharp);
    }
  }
}

async function measureTurning(
  { chromium, count, log }: BenchContext,
  server: ThrottledServer,
  figures: Readonly<Record<Contender, Figures>>,
): Promise<void> {
  server.throttling = fastConnection;
  for (let round = 0; round < count(1, 5); round++) {
    log(`  unthrottled, a turn, 200 pins, round ${round + 1}`);
    for (const contender of contenders) {
      const run = await runPage(chromium, server.url, contender);
      try {
        figures[contender].sharp.push(run.loaded.sharp);
        const { frames, drawsPerFrame } = await run.turn(count(2, 10));
        figures[contender].frames.push(frames);
        figures[contender].draws.push(drawsPerFrame);
        await run.page.evaluate((all) => window.bench.addPins(all), pins);
        figures[contender].pinMilliseconds.push((await run.turn(count(1, 6))).mainThread);
      } finally {
        await run.close();
      }
    }
  }
}

function toResults(
  figures: Readonly<Record<Contender, Figures>>,
  weight: (contender: Contender) => number,
): readonly BenchResult[] {
  const formatKilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`;
  const formatMilliseconds = (value: number): string => `${value.toFixed(0)} ms`;
  const computeMedian = (contender: Contender, figure: keyof Figures): number => median(figures[contender][figure]);
  const compareFigures = (name: string, peer: Contender, figure: keyof Figures, format: (value: number) => string) => ({
    name: `panorama: ${name}`,
    value: computeMedian('own', figure) / computeMedian(peer, figure),
    unit: '',
    against: `${peer} ${format(computeMedian(peer, figure))}, ours ${format(computeMedian('own', figure))}`,
  });
  const psv = 'photo-sphere-viewer';
  const frames = (value: number): string => `${value.toFixed(0)} frames`;
  const formatPerFrame = (value: number): string => `${value.toFixed(1)} ms per frame`;
  return [
    atMost(0.15, {
      name: 'panorama: code, gzip',
      value: weight('own') / weight(psv),
      unit: '',
      against: `${psv} ${formatKilobytes(weight(psv))}, ours ${formatKilobytes(weight('own'))}`,
    }),
    atMost(0.4, compareFigures('bytes to the first picture', psv, 'previewBytes', formatKilobytes)),
    atMost(0.6, compareFigures('time to the first picture at 4 Mbit/s', psv, 'slowPreview', formatMilliseconds)),
    atMost(0.85, compareFigures('time to sharp at 4 Mbit/s', psv, 'slowSharp', formatMilliseconds)),
    atMost(0.85, compareFigures('time to sharp, unthrottled', psv, 'sharp', formatMilliseconds)),
    atLeast(3, compareFigures('frames in a turn of 10 s', psv, 'frames', frames)),
    atMost(0.5, compareFigures('200 pins, main thread', psv, 'pinMilliseconds', formatPerFrame)),
    atMost(0.9, compareFigures('time to sharp at 4 Mbit/s, Marzipano', 'marzipano', 'slowSharp', formatMilliseconds)),
    atMost(1, compareFigures('time to sharp, unthrottled, Marzipano', 'marzipano', 'sharp', formatMilliseconds)),
    atLeast(1.1, compareFigures('frames in a turn of 10 s, Marzipano', 'marzipano', 'frames', frames)),
    atMost(0.9, compareFigures('200 pins, main thread, Marzipano', 'marzipano', 'pinMilliseconds', formatPerFrame)),
    atMost(40, {
      name: 'panorama: draw calls per frame',
      value: computeMedian('own', 'draws'),
      unit: 'calls',
      against: `${psv} ${computeMedian(psv, 'draws').toFixed(0)}, marzipano ${computeMedian('marzipano', 'draws').toFixed(1)}`,
    }),
  ];
}
