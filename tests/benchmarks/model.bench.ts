import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { convertModel, toTilesFolder } from '../../plugins/model-3d/server/jobs/convert-model.ts';
import { buildManyObjects } from '../model/many-objects.ts';
import { serveModelPage } from '../model/model-page-server.ts';
import type { Page } from 'playwright';
import { waitFor, waitInPage } from '../browser/waiting.ts';
import type { CameraView } from '../../plugins/tour/contract/index.ts';
import { buildRepeatedPlant } from '../model/repeated-plant.ts';
import { readTiles } from '../model/read-tiles.ts';
import { atLeast, atMost, median, type Bench, type BenchResult } from './bench.ts';
import { launchBrowser } from './panorama/run-page.ts';
import { createProcessActivity } from './support/process-tree.ts';

type StartView = Partial<CameraView>;

const objects = 6_000;
const size = { width: 1280, height: 720 };

/** A connection of 8 Mbit/s and 40 ms. */
const connection = { offline: false, latency: 40, downloadThroughput: 1_000_000, uploadThroughput: 1_000_000 };
/** Starting views of the large model: `inside` on the process deck of the first plant, `above` all plants. */
const startViews = {
  inside: { position: [-5, -3, 1.7], pan: 105, tilt: -2, fov: 75 },
  above: { position: [-70, -60, 60], pan: 45, tilt: -18, fov: 60 },
} as const;

/**
 * Compares the same large model as tiles and as one GLB, by the fetched bytes and the time until the first image on a
 * slow connection. The model consists of copies of the demo plant.
 */
async function compareTiles(
  folder: string,
  chromium: string,
  { plants, rounds, width }: { readonly plants: number; readonly rounds: number; readonly width: number },
  log: (text: string) => void,
): Promise<readonly BenchResult[]> {
  const [input, output] = [path.join(folder, 'large.glb'), path.join(folder, 'large-out.glb')];
  log(`  writing ${plants} plants, and converting them to one GLB and to tiles`);
  await writeFile(input, await buildRepeatedPlant(plants));
  const { report } = await waitForConversion(
    convertModel(input, output, {
      tilingThresholds: { triangles: Number.MAX_SAFE_INTEGER, bytes: Number.MAX_SAFE_INTEGER },
    }),
  );
  const wholeModel = await readFile(output);
  const { tiles } = await waitForConversion(convertModel(input, output));
  const server = await serveModelPage({ '/whole.glb': wholeModel, ...readTiles(toTilesFolder(output), '/tiled') });
  const browser = await launchBrowser(chromium);
  const runOnPage = async <T>(what: string, run: (page: Page) => Promise<T>): Promise<T> => {
    const page = await browser.newPage({ viewport: { width, height: (width * 9) / 16 } });
    await waitInPage(page, 'the page', page.goto(server.url, { timeout: 0 }));
    const session = await page.context().newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Network.emulateNetworkConditions', connection);
    let bytes = 0;
    session.on('Network.dataReceived', ({ dataLength }) => void (bytes += dataLength));
    try {
      return await waitFor(what, run(page), () => bytes);
    } finally {
      await page.close();
    }
  };
  try {
    const times: Record<'whole' | 'tiled', number[]> = { whole: [], tiled: [] };
    let first = { bytes: 0, milliseconds: 0 };
    let deckFigures = { bytes: 0, shownTiles: 0, calls: 0 };
    for (let round = 1; round <= rounds; round++) {
      log(`  opening both, round ${round}`);
      times.whole.push(await runOnPage('the whole model', (page) => page.evaluate(timeWhole, startViews.inside)));
      await runOnPage('the visible tiles on a deck', async (page) => {
        first = await page.evaluate(timeTiled, startViews.inside);
        if (round === rounds) deckFigures = await page.evaluate(loadVisible);
      });
      times.tiled.push(first.milliseconds);
    }
    const above = await runOnPage('the visible tiles from above', async (page) => {
      await page.evaluate(timeTiled, startViews.above);
      return page.evaluate(loadVisible);
    });
    const describeBaseline = (details: string): string =>
      `one GLB of ${(wholeModel.length / 1e6).toFixed(1)} MB, ${(report.triangles / 1e6).toFixed(1)} million triangles; ` +
      `${details}`;
    return [
      atMost(0.5, {
        name: 'tiled model, time to the first picture',
        value: median(times.tiled) / median(times.whole),
        unit: 'ratio',
        against:
          `${median(times.tiled).toFixed(0)} ms against ${median(times.whole).toFixed(0)} ms over 8 Mbit/s, 40 ms; ` +
          `${(first.bytes / 1e6).toFixed(1)} MB were received`,
      }),
      atMost(0.8, {
        name: 'tiled model, bytes of all visible tiles on a deck',
        value: deckFigures.bytes / wholeModel.length,
        unit: 'ratio',
        against: describeBaseline(`${deckFigures.shownTiles} of ${tiles} tiles`),
      }),
      atMost(1, {
        name: 'tiled model, bytes of all visible tiles from above',
        value: above.bytes / wholeModel.length,
        unit: 'ratio',
        against: describeBaseline(`${above.shownTiles} of ${tiles} tiles, ${above.calls} draw calls`),
      }),
    ];
  } finally {
    await browser.close();
    await server.stop();
  }
}

const waitForConversion = <T>(converting: Promise<T>): Promise<T> =>
  waitFor('the conversion of a model', converting, createProcessActivity(process.pid));

async function timeWhole(from: StartView): Promise<number> {
  const start = performance.now();
  await window.modelPage.open('/whole.glb', from);
  await window.modelPage.waitForFirstFrame();
  return performance.now() - start;
}

async function timeTiled(from: StartView): Promise<{ readonly bytes: number; readonly milliseconds: number }> {
  const start = performance.now();
  await window.modelPage.openTiled('/tiled/tileset.json', from);
  await window.modelPage.waitForFirstTiles();
  const milliseconds = performance.now() - start;
  return { bytes: window.modelPage.countTransferredBytes(), milliseconds };
}

async function loadVisible(): Promise<{ readonly bytes: number; readonly shownTiles: number; readonly calls: number }> {
  const { shownCount: shownTiles } = await window.modelPage.waitForTiles();
  return { bytes: window.modelPage.countTransferredBytes(), shownTiles, calls: window.modelPage.countDrawCalls('own') };
}

/**
 * Measures a model of 6,000 objects: the size of the importer's output, and our engine against plain three.js, which
 * draws the delivered file with one mesh per object. Both engines run alternately in the same page.
 */
const bench: Bench = async ({ chromium, chooseCount, log }) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'walkdown-model-bench-'));
  const [input, output] = [path.join(folder, 'raw.glb'), path.join(folder, 'model.glb')];
  try {
    log('  writing and converting 6,000 objects');
    const raw = await buildManyObjects(objects);
    await writeFile(input, raw);
    const { report } = await waitForConversion(convertModel(input, output));
    const small = await readFile(output);
    const server = await serveModelPage({ '/model.glb': small, '/raw.glb': raw });
    const browser = await launchBrowser(chromium);
    try {
      const page = await browser.newPage({ viewport: size });
      await waitInPage(page, 'the page', page.goto(server.url, { timeout: 0 }));
      await waitInPage(
        page,
        'the model to open',
        page.evaluate(() => window.modelPage.open('/model.glb')),
      );
      await waitInPage(
        page,
        'the plain model to open',
        page.evaluate(() => window.modelPage.openReference('/raw.glb')),
      );
      const frames: Record<'own' | 'reference', number[]> = { own: [], reference: [] };
      for (let round = 0; round < chooseCount(1, 5); round++) {
        log(`  orbiting, round ${round + 1}`);
        for (const engine of ['own', 'reference'] as const)
          frames[engine].push(
            await waitInPage(page, 'a round', page.evaluate(countFrames, [engine, chooseCount(2, 8) * 1000] as const)),
          );
      }
      const [own, reference] = [
        await page.evaluate(() => window.modelPage.countDrawCalls('own')),
        await page.evaluate(() => window.modelPage.countDrawCalls('reference')),
      ];
      const pickPairs: { readonly own: string | undefined; readonly reference: string | undefined }[] = [];
      for (const fraction of [0, 0.27, 0.5, 0.81]) {
        const picks = page.evaluate((pickFraction) => window.modelPage.comparePicks(pickFraction, 25), fraction);
        pickPairs.push(...(await waitInPage(page, `the picks at ${fraction} of a round`, picks)));
      }
      const equalPicks = pickPairs.filter((answer) => answer.own === answer.reference).length;
      const formatKilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(0)} kB`;
      return [
        atMost(0.1, {
          name: 'model file against raw GLB',
          value: small.length / raw.length,
          unit: 'ratio',
          against:
            `${formatKilobytes(small.length)} of ${formatKilobytes(raw.length)}, ${report.meshesBefore} meshes became ` +
            `${report.meshesAfter}; gzip ${formatKilobytes(gzipSync(small).length)}`,
        }),
        atMost(50, { name: 'model draw calls', value: own, unit: 'calls', against: `plain three.js: ${reference}` }),
        atLeast(1.3, {
          name: 'model frames against plain three.js',
          value: median(frames.own) / median(frames.reference),
          unit: 'ratio',
          against: `${median(frames.own)} against ${median(frames.reference)} frames in ${chooseCount(2, 8)} s`,
        }),
        ...(await compareTiles(
          folder,
          chromium,
          { plants: chooseCount(2, 4), rounds: chooseCount(1, 2), width: chooseCount(640, size.width) },
          log,
        )),
        atLeast(100, {
          name: 'model: correct picks',
          value: equalPicks,
          unit: 'of 100',
          against: `the object that plain three.js hits, in ${pickPairs.length} picks`,
        }),
      ];
    } finally {
      await browser.close();
      await server.stop();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};
export default bench;

/**
 * Counts frames in a time. Draws two frames before, so that the graphics card has finished the work of the other
 * engine.
 */
async function countFrames([engine, milliseconds]: readonly ['own' | 'reference', number]): Promise<number> {
  await window.modelPage.waitForRest();
  await window.modelPage.countFrames(engine, 1);
  await window.modelPage.countFrames(engine, 1);
  return window.modelPage.countFrames(engine, milliseconds);
}
