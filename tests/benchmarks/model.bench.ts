import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { convertModel } from '../../plugins/model-3d/server/jobs/convert-model.ts';
import { manyObjects } from '../model/many-objects.ts';
import { serveModelPage } from '../model/model-page-server.ts';
import { atLeast, atMost, median, type Bench } from './bench.ts';
import { launch } from './panorama/run-page.ts';

const objects = 6_000;
const size = { width: 1280, height: 720 };

/** A model of 6,000 objects: what the importer makes of the file, and the engine against the file as it was delivered, drawn plainly by three.js (a mesh an object, in the file's own materials), in the same page, runs interleaved. */
const bench: Bench = async ({ chromium, count, say }) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'walkdown-model-bench-'));
  const [input, output] = [path.join(folder, 'raw.glb'), path.join(folder, 'model.glb')];
  try {
    say('  writing and converting 6,000 objects');
    const raw = await manyObjects(objects);
    await writeFile(input, raw);
    const { report } = await convertModel(input, output);
    const small = await readFile(output);
    const server = await serveModelPage({ '/model.glb': small, '/raw.glb': raw });
    const browser = await launch(chromium);
    try {
      const page = await browser.newPage({ viewport: size });
      await page.goto(server.address);
      await page.evaluate(() => window.modelPage.open('/model.glb'));
      await page.evaluate(() => window.modelPage.openNaive('/raw.glb'));
      const frames: Record<'own' | 'naive', number[]> = { own: [], naive: [] };
      for (let round = 0; round < count(1, 5); round++) {
        say(`  going round, round ${round + 1}`);
        for (const which of ['own', 'naive'] as const) frames[which].push(await page.evaluate(goRound, [which, count(2, 8) * 1000] as const));
      }
      const [own, naive] = [await page.evaluate(() => window.modelPage.draws('own')), await page.evaluate(() => window.modelPage.draws('naive'))];
      const answers = await page.evaluate(() => [0, 0.27, 0.5, 0.81].flatMap((share) => window.modelPage.picks(share, 25)));
      const right = answers.filter((answer) => answer.own === answer.naive).length;
      const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(0)} kB`;
      return [
        atMost(0.1, { name: 'model file against raw GLB', value: small.length / raw.length, unit: 'ratio', against: `${kilobytes(small.length)} of ${kilobytes(raw.length)}, ${report.meshesBefore} shapes became ${report.meshesAfter}; gzip ${kilobytes(gzipSync(small).length)}` }),
        atMost(50, { name: 'model draw calls', value: own, unit: 'calls', against: `three.js plainly: ${naive}` }),
        atLeast(1.3, { name: 'model frames against plain three.js', value: median(frames.own) / median(frames.naive), unit: 'ratio', against: `${median(frames.own)} against ${median(frames.naive)} frames in ${count(2, 8)} s` }),
        atLeast(100, { name: 'model picks right', value: right, unit: 'of 100', against: `the plain scene's ray, which hits an object in all of ${answers.length}` }),
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

/** Frames in so many milliseconds, counted from the second frame on: what the other one left to the graphics card is done then. */
async function goRound([who, milliseconds]: readonly ['own' | 'naive', number]): Promise<number> {
  await window.modelPage.rest();
  await window.modelPage.frames(who, 1);
  await window.modelPage.frames(who, 1);
  return window.modelPage.frames(who, milliseconds);
}
