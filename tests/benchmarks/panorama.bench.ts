import { atLeast, atMost, median, type Bench, type BenchContext, type BenchResult } from './bench.ts';
import { ThrottledServer, type Throttling, type ServedFile } from './panorama/throttled-server.ts';
import { measureMemoryGrowth } from './panorama/memory.ts';
import { buildPages, contenders, type Contender } from './panorama/pages.ts';
import { runPage } from './panorama/run-page.ts';
import { buildPanoramaFiles } from './panorama/panorama-files.ts';

/** 4 Mbit/s with a round trip of 60 ms. */
const slowConnection: Throttling = { latencyMs: 60, bytesPerSecond: 500_000 };
const fastConnection: Throttling = { latencyMs: 0, bytesPerSecond: Infinity };

const pins = Array.from({ length: 200 }, (_, index) => ({
  id: `p${index}`,
  pan: ((index * 21.2) % 360) - 180,
  tilt: Math.sin(index) * 34,
}));

/** The measured values of one contender, one for each round. */
interface Figures {
  readonly previewBytes: number[];
  readonly slowPreviewMs: number[];
  readonly slowSharpMs: number[];
  readonly fastSharpMs: number[];
  readonly frames: number[];
  readonly drawsPerFrame: number[];
  readonly pinMsPerFrame: number[];
}
const createFigures = (): Figures => ({
  previewBytes: [],
  slowPreviewMs: [],
  slowSharpMs: [],
  fastSharpMs: [],
  frames: [],
  drawsPerFrame: [],
  pinMsPerFrame: [],
});

/**
 * Compares the panorama engine with Photo Sphere Viewer and Marzipano in interleaved runs with the same image, server
 * and browser.
 */
const bench: Bench = async (context) => {
  const pages = await buildPages(context.root);
  context.log('  cutting the panorama into tiles');
  const tiles = await buildPanoramaFiles(context.root);
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
    await measureLoadTimes(context, server, figures);
    await measureRotation(context, server, figures);
    server.throttling = fastConnection;
    const growth = await measureMemoryGrowth(context, server.url);
    const countScriptBytes = (contender: Contender): number => pages.get(`/${contender}.js`)?.body.length ?? 0;
    return [...toResults(figures, countScriptBytes), ...growth];
  } finally {
    await server.stop();
  }
};
export default bench;

async function measureLoadTimes(
  { chromium, chooseCount, log }: BenchContext,
  server: ThrottledServer,
  figures: Readonly<Record<Contender, Figures>>,
): Promise<void> {
  server.throttling = slowConnection;
  for (let round = 0; round < chooseCount(1, 5); round++) {
    log(`  4 Mbit/s, round ${round + 1}`);
    for (const contender of contenders) {
      const run = await runPage(chromium, server.url, contender);
      await run.close();
      figures[contender].previewBytes.push(run.loaded.previewBytes);
      figures[contender].slowPreviewMs.push(run.loaded.previewMs);
      figures[contender].slowSharpMs.push(run.loaded.sharpMs);
    }
  }
}

async function measureRotation(
  { chromium, chooseCount, log }: BenchContext,
  server: ThrottledServer,
  figures: Readonly<Record<Contender, Figures>>,
): Promise<void> {
  server.throttling = fastConnection;
  for (let round = 0; round < chooseCount(1, 5); round++) {
    log(`  unthrottled, a turn, 200 pins, round ${round + 1}`);
    for (const contender of contenders) {
      const run = await runPage(chromium, server.url, contender);
      try {
        figures[contender].fastSharpMs.push(run.loaded.sharpMs);
        const { frames, drawsPerFrame } = await run.rotateFor(chooseCount(2, 10));
        figures[contender].frames.push(frames);
        figures[contender].drawsPerFrame.push(drawsPerFrame);
        await run.page.evaluate((all) => window.bench.addPins(all), pins);
        figures[contender].pinMsPerFrame.push((await run.rotateFor(chooseCount(1, 6))).mainThreadMsPerFrame);
      } finally {
        await run.close();
      }
    }
  }
}

function toResults(
  figures: Readonly<Record<Contender, Figures>>,
  countScriptBytes: (contender: Contender) => number,
): readonly BenchResult[] {
  const formatKilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`;
  const formatMilliseconds = (value: number): string => `${value.toFixed(0)} ms`;
  const computeMedian = (contender: Contender, figure: keyof Figures): number => median(figures[contender][figure]);
  /** Divides our median by that of the reference. */
  const compareFigures = (
    name: string,
    reference: Contender,
    figure: keyof Figures,
    format: (value: number) => string,
  ) => ({
    name: `panorama: ${name}, ratio`,
    value: computeMedian('own', figure) / computeMedian(reference, figure),
    unit: '',
    against: `${reference} ${format(computeMedian(reference, figure))}, ours ${format(computeMedian('own', figure))}`,
  });
  const psv = 'photo-sphere-viewer';
  const formatFrames = (value: number): string => `${value.toFixed(0)} frames`;
  const formatPerFrame = (value: number): string => `${value.toFixed(1)} ms per frame`;
  return [
    atMost(0.15, {
      name: 'panorama: scripts, gzip, ratio',
      value: countScriptBytes('own') / countScriptBytes(psv),
      unit: '',
      against: `${psv} ${formatKilobytes(countScriptBytes(psv))}, ours ${formatKilobytes(countScriptBytes('own'))}`,
    }),
    atMost(0.4, compareFigures('bytes to the first picture', psv, 'previewBytes', formatKilobytes)),
    atMost(0.6, compareFigures('time to the first picture at 4 Mbit/s', psv, 'slowPreviewMs', formatMilliseconds)),
    atMost(0.85, compareFigures('time to sharp at 4 Mbit/s', psv, 'slowSharpMs', formatMilliseconds)),
    atMost(0.85, compareFigures('time to sharp, unthrottled', psv, 'fastSharpMs', formatMilliseconds)),
    atLeast(3, compareFigures('frames in a turn of 10 s', psv, 'frames', formatFrames)),
    atMost(0.5, compareFigures('200 pins, main thread', psv, 'pinMsPerFrame', formatPerFrame)),
    atMost(0.9, compareFigures('time to sharp at 4 Mbit/s, Marzipano', 'marzipano', 'slowSharpMs', formatMilliseconds)),
    atMost(1, compareFigures('time to sharp, unthrottled, Marzipano', 'marzipano', 'fastSharpMs', formatMilliseconds)),
    atLeast(1.1, compareFigures('frames in a turn of 10 s, Marzipano', 'marzipano', 'frames', formatFrames)),
    atMost(0.9, compareFigures('200 pins, main thread, Marzipano', 'marzipano', 'pinMsPerFrame', formatPerFrame)),
    atMost(40, {
      name: 'panorama: draw calls per frame',
      value: computeMedian('own', 'drawsPerFrame'),
      unit: 'calls',
      against: `${psv} ${computeMedian(psv, 'drawsPerFrame').toFixed(0)}, marzipano ${computeMedian('marzipano', 'drawsPerFrame').toFixed(1)}`,
    }),
  ];
}
