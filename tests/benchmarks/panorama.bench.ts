import { atLeast, atMost, median, type Bench, type BenchContext, type BenchResult } from './bench.ts';
import { LineServer, type Line, type ServedFile } from './panorama/line-server.ts';
import { memoryAfterChanges } from './panorama/memory.ts';
import { buildPages, contenders, type Contender } from './panorama/pages.ts';
import { runPage } from './panorama/run-page.ts';
import { buildScene } from './panorama/scene.ts';

/** 4 Mbit/s with a round trip of 60 ms. */
const slowLine: Line = { latency: 60, rate: 500_000 };
const fastLine: Line = { latency: 0, rate: Infinity };

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
  readonly pinned: number[];
}
const noFigures = (): Figures => ({
  previewBytes: [],
  slowPreview: [],
  slowSharp: [],
  sharp: [],
  frames: [],
  draws: [],
  pinned: [],
});

/**
 * Compares the panorama engine with Photo Sphere Viewer and Marzipano: same image, server and browser; interleaved
 * runs.
 */
const bench: Bench = async (context) => {
  const pages = await buildPages(context.root);
  context.say('  cutting the scene into tiles');
  const tiles = await buildScene(context.root);
  const server = await new LineServer(
    new Map<string, ServedFile>([
      ...pages,
      ...[...tiles].map(([path, body]) => [path, { type: 'image/jpeg', body }] as const),
    ]),
  ).start();
  try {
    const figures: Readonly<Record<Contender, Figures>> = {
      own: noFigures(),
      'photo-sphere-viewer': noFigures(),
      marzipano: noFigures(),
    };
    await measureLoading(context, server, figures);
    await measureTurning(context, server, figures);
    server.line = fastLine;
    const growth = await memoryAfterChanges(context, server.address);
    const weight = (contender: Contender): number => pages.get(`/${contender}.js`)?.body.length ?? 0;
    return [...results(figures, weight), ...growth];
  } finally {
    await server.stop();
  }
};
export default bench;

async function measureLoading(
  { chromium, count, say }: BenchContext,
  server: LineServer,
  figures: Readonly<Record<Contender, Figures>>,
): Promise<void> {
  server.line = slowLine;
  for (let round = 0; round < count(1, 5); round++) {
    say(`  4 Mbit/s, round ${round + 1}`);
    for (const contender of contenders) {
      const run = await runPage(chromium, server.address, contender);
      await run.close();
      figures[contender].previewBytes.push(run.loaded.previewBytes);
      figures[contender].slowPreview.push(run.loaded.preview);
      figures[contender].slowSharp.push(run.loaded.sharp);
    }
  }
}

async function measureTurning(
  { chromium, count, say }: BenchContext,
  server: LineServer,
  figures: Readonly<Record<Contender, Figures>>,
): Promise<void> {
  server.line = fastLine;
  for (let round = 0; round < count(1, 5); round++) {
    say(`  unthrottled, a turn, 200 pins, round ${round + 1}`);
    for (const contender of contenders) {
      const run = await runPage(chromium, server.address, contender);
      try {
        figures[contender].sharp.push(run.loaded.sharp);
        const { frames, drawsPerFrame } = await run.turn(count(2, 10));
        figures[contender].frames.push(frames);
        figures[contender].draws.push(drawsPerFrame);
        await run.page.evaluate((all) => window.bench.addPins(all), pins);
        figures[contender].pinned.push((await run.turn(count(1, 6))).mainThread);
      } finally {
        await run.close();
      }
    }
  }
}

function results(
  figures: Readonly<Record<Contender, Figures>>,
  weight: (contender: Contender) => number,
): readonly BenchResult[] {
  const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`;
  const milliseconds = (value: number): string => `${value.toFixed(0)} ms`;
  const of = (contender: Contender, figure: keyof Figures): number => median(figures[contender][figure]);
  const ratio = (name: string, peer: Contender, figure: keyof Figures, show: (value: number) => string) => ({
    name: `panorama: ${name}`,
    value: of('own', figure) / of(peer, figure),
    unit: '',
    against: `${peer} ${show(of(peer, figure))}, ours ${show(of('own', figure))}`,
  });
  const psv = 'photo-sphere-viewer';
  const frames = (value: number): string => `${value.toFixed(0)} frames`;
  const perFrame = (value: number): string => `${value.toFixed(1)} ms a frame`;
  return [
    atMost(0.15, {
      name: 'panorama: code, gzip',
      value: weight('own') / weight(psv),
      unit: '',
      against: `${psv} ${kilobytes(weight(psv))}, ours ${kilobytes(weight('own'))}`,
    }),
    atMost(0.4, ratio('bytes to the first picture', psv, 'previewBytes', kilobytes)),
    atMost(0.6, ratio('time to the first picture at 4 Mbit/s', psv, 'slowPreview', milliseconds)),
    atMost(0.85, ratio('time to sharp at 4 Mbit/s', psv, 'slowSharp', milliseconds)),
    atMost(0.85, ratio('time to sharp, unthrottled', psv, 'sharp', milliseconds)),
    atLeast(3, ratio('frames in a turn of 10 s', psv, 'frames', frames)),
    atMost(0.5, ratio('200 pins, main thread', psv, 'pinned', perFrame)),
    atMost(0.9, ratio('time to sharp at 4 Mbit/s, Marzipano', 'marzipano', 'slowSharp', milliseconds)),
    atMost(1, ratio('time to sharp, unthrottled, Marzipano', 'marzipano', 'sharp', milliseconds)),
    atLeast(1.1, ratio('frames in a turn of 10 s, Marzipano', 'marzipano', 'frames', frames)),
    atMost(0.9, ratio('200 pins, main thread, Marzipano', 'marzipano', 'pinned', perFrame)),
    atMost(40, {
      name: 'panorama: draw calls a frame',
      value: of('own', 'draws'),
      unit: 'calls',
      against: `${psv} ${of(psv, 'draws').toFixed(0)}, marzipano ${of('marzipano', 'draws').toFixed(1)}`,
    }),
  ];
}
