import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { convertModel, tilesFolder } from '../../plugins/model-3d/server/jobs/convert-model.ts';
import { manyObjects } from '../model/many-objects.ts';
import { serveModelPage } from '../model/model-page-server.ts';
import type { Page } from 'playwright';
import { waitFor, waitInPage } from '../browser/waiting.ts';
import type { EyeView } from '../../plugins/tour/contract/index.ts';
import { repeatedPlant } from '../model/repeated-plant.ts';
import { readTiles } from '../model/read-tiles.ts';
import { atLeast, atMost, median, type Bench, type BenchResult } from './bench.ts';
import { launch } from './panorama/run-page.ts';
import { processActivity } from './support/process-tree.ts';

type Stand = Partial<EyeView>;

const objects = 6_000;
const size = { width: 1280, height: 720 };

/** 8 Mbit/s. */
const line = { offline: false, latency: 40, downloadThroughput: 1_000_000, uploadThroughput: 1_000_000 };
/** Two starting views of the large model: on the process deck of the first plant, and above all plants. */
const stands = {
  inside: { position: [-5, -3, 1.7], pan: 105, tilt: -2, fov: 75 },
  above: { position: [-70, -60, 60], pan: 45, tilt: -18, fov: 60 },
} as const;

/**
 * Compares the same large model as tiles and as one GLB: bytes fetched and time until the first image and until all
 * visible parts are drawn. The network has 8 Mbit/s and 40 ms; the model repeats the demo plant.
 */
async function inTiles(
  folder: string,
  chromium: string,
  { plants, rounds, width }: { readonly plants: number; readonly rounds: number; readonly width: number },
  say: (text: string) => void,
): Promise<readonly BenchResult[]> {
  const [input, output] = [path.join(folder, 'large.glb'), path.join(folder, 'large-out.glb')];
  say(`  writing ${plants} plants, and converting them to one GLB and to tiles`);
  await writeFile(input, await repeatedPlant(plants));
  const { report } = await converted(
    convertModel(input, output, {
      largeFrom: { triangles: Number.MAX_SAFE_INTEGER, bytes: Number.MAX_SAFE_INTEGER },
    }),
  );
  const whole = await readFile(output);
  const { tiles } = await converted(convertModel(input, output));
  const server = await serveModelPage({ '/whole.glb': whole, ...readTiles(tilesFolder(output), '/tiled') });
  const browser = await launch(chromium);
  const opened = async <T>(what: string, run: (page: Page) => Promise<T>): Promise<T> => {
    const page = await browser.newPage({ viewport: { width, height: (width * 9) / 16 } });
    await waitInPage(page, 'the page', page.goto(server.address, { timeout: 0 }));
    const session = await page.context().newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Network.emulateNetworkConditions', line);
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
    let inside = { bytes: 0, shown: 0, calls: 0 };
    for (let round = 1; round <= rounds; round++) {
      say(`  opening both, round ${round}`);
      times.whole.push(await opened('the whole model', (page) => page.evaluate(timeWhole, stands.inside)));
      await opened('the tiles in sight on a deck', async (page) => {
        first = await page.evaluate(timeTiled, stands.inside);
        if (round === rounds) inside = await page.evaluate(allInSight);
      });
      times.tiled.push(first.milliseconds);
    }
    const above = await opened('the tiles in sight from above', async (page) => {
      await page.evaluate(timeTiled, stands.above);
      return page.evaluate(allInSight);
    });
    const against = (more: string): string =>
      `one GLB of ${(whole.length / 1e6).toFixed(1)} MB, ${(report.triangles / 1e6).toFixed(1)} million triangles; ` +
      `${more}`;
    return [
      atMost(0.5, {
        name: 'tiled model, time to the first picture',
        value: median(times.tiled) / median(times.whole),
        unit: 'ratio',
        against:
          `${median(times.tiled).toFixed(0)} ms against ${median(times.whole).toFixed(0)} ms over 8 ` +
          'Mbit/s, 40 ' +
          `ms; ${(first.bytes / 1e6).toFixed(1)} MB had come`,
      }),
      atMost(0.8, {
        name: 'tiled model, bytes of all in sight on a deck',
        value: inside.bytes / whole.length,
        unit: 'ratio',
        against: against(`${inside.shown} of ${tiles} tiles`),
      }),
      atMost(1, {
        name: 'tiled model, bytes of all in sight from above',
        value: above.bytes / whole.length,
        unit: 'ratio',
        against: against(`${above.shown} of ${tiles} tiles, ${above.calls} draw calls`),
      }),
    ];
  } finally {
    await browser.close();
    await server.stop();
  }
}

const converted = <T>(converting: Promise<T>): Promise<T> =>
  waitFor('the conversion of a model', converting, processActivity(process.pid));

async function timeWhole(from: Stand): Promise<number> {
  const start = performance.now();
  await window.modelPage.open('/whole.glb', from);
  await window.modelPage.drawn();
  return performance.now() - start;
}

async function timeTiled(from: Stand): Promise<{ readonly bytes: number; readonly milliseconds: number }> {
  const start = performance.now();
  await window.modelPage.openTiled('/tiled/tileset.json', from);
  await window.modelPage.firstTiles();
  const milliseconds = performance.now() - start;
  return { bytes: window.modelPage.bytes(), milliseconds };
}

async function allInSight(): Promise<{ readonly bytes: number; readonly shown: number; readonly calls: number }> {
  const { shown } = await window.modelPage.tilesThere();
  return { bytes: window.modelPage.bytes(), shown, calls: window.modelPage.draws('own') };
}

/**
 * A model of 6,000 objects: the importer's output, and our engine against three.js drawing the delivered file with one
 * mesh per object and the file's materials. Both run interleaved in the same page.
 */
const bench: Bench = async ({ chromium, count, say }) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'walkdown-model-bench-'));
  const [input, output] = [path.join(folder, 'raw.glb'), path.join(folder, 'model.glb')];
  try {
    say('  writing and converting 6,000 objects');
    const raw = await manyObjects(objects);
    await writeFile(input, raw);
    const { report } = await converted(convertModel(input, output));
    const small = await readFile(output);
    const server = await serveModelPage({ '/model.glb': small, '/raw.glb': raw });
    const browser = await launch(chromium);
    try {
      const page = await browser.newPage({ viewport: size });
      await waitInPage(page, 'the page', page.goto(server.address, { timeout: 0 }));
      await waitInPage(
        page,
        'the model to open',
        page.evaluate(() => window.modelPage.open('/model.glb')),
      );
      await waitInPage(
        page,
        'the plain model to open',
        page.evaluate(() => window.modelPage.openNaive('/raw.glb')),
      );
      const frames: Record<'own' | 'naive', number[]> = { own: [], naive: [] };
      for (let round = 0; round < count(1, 5); round++) {
        say(`  going round, round ${round + 1}`);
        for (const which of ['own', 'naive'] as const)
          frames[which].push(
            await waitInPage(page, 'a round', page.evaluate(goRound, [which, count(2, 8) * 1000] as const)),
          );
      }
      const [own, naive] = [
        await page.evaluate(() => window.modelPage.draws('own')),
        await page.evaluate(() => window.modelPage.draws('naive')),
      ];
      const answers: { readonly own: string | undefined; readonly naive: string | undefined }[] = [];
      for (const share of [0, 0.27, 0.5, 0.81]) {
        const picked = page.evaluate((place) => window.modelPage.picks(place, 25), share);
        answers.push(...(await waitInPage(page, `the picks at ${share} of a round`, picked)));
      }
      const right = answers.filter((answer) => answer.own === answer.naive).length;
      const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(0)} kB`;
      return [
        atMost(0.1, {
          name: 'model file against raw GLB',
          value: small.length / raw.length,
          unit: 'ratio',
          against:
            `${kilobytes(small.length)} of ${kilobytes(raw.length)}, ${report.meshesBefore} shapes became ` +
            `${report.meshesAfter}; gzip ${kilobytes(gzipSync(small).length)}`,
        }),
        atMost(50, { name: 'model draw calls', value: own, unit: 'calls', against: `three.js plainly: ${naive}` }),
        atLeast(1.3, {
          name: 'model frames against plain three.js',
          value: median(frames.own) / median(frames.naive),
          unit: 'ratio',
          against: `${median(frames.own)} against ${median(frames.naive)} frames in ${count(2, 8)} s`,
        }),
        ...(await inTiles(
          folder,
          chromium,
          { plants: count(2, 4), rounds: count(1, 2), width: count(640, size.width) },
          say,
        )),
        atLeast(100, {
          name: 'model picks right',
          value: right,
          unit: 'of 100',
          against: `the plain scene's ray, which hits an object in all of ${answers.length}`,
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
 * Counts frames in the given milliseconds, from the second frame on. By then the GPU has finished the work of the other
 * contender.
 */
async function goRound([who, milliseconds]: readonly ['own' | 'naive', number]): Promise<number> {
  await window.modelPage.rest();
  await window.modelPage.frames(who, 1);
  await window.modelPage.frames(who, 1);
  return window.modelPage.frames(who, milliseconds);
}
