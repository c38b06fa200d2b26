import { chromium } from 'playwright';
import { watchGl } from '../journeys/gl-watch.ts';
import { at, people, signIn } from '../journeys/people.ts';
import serveDemo from '../journeys/serve-demo.ts';
import { clickTargets } from '../measuring/clicked-targets.ts';
import { drawTargets } from '../measuring/plant-targets.ts';
import type { Bench } from './bench.ts';
import { accuracyResults } from './support/accuracy-results.ts';

const size = { width: 1440, height: 900 };
const seed = 20_261_122;
/** 40 in all. */
const bubble = { DISTANCE: 5, ANGLE: 3, DIAMETER: 6 };
const others = { DISTANCE: 5, ANGLE: 2, DIAMETER: 6 };
const few = { DISTANCE: 1, ANGLE: 1, DIAMETER: 1 };

/** The same as the benchmark `accuracy` by real clicks in the running product: a demo server, a browser, the tour as a person has it. */
const bench: Bench = async ({ count, chromium: executablePath, say }) => {
  const quick = count(1, 0) === 1;
  const targets = drawTargets({ seed, size, counts: quick ? { bubble: few, cloud: few, model: few } : { bubble, cloud: others, model: others }, ...(quick ? { nodes: ['HB-P04', 'HB-P09'] } : {}) });
  const stop = await serveDemo();
  const browser = await chromium.launch({
    executablePath,
    ignoreDefaultArgs: ['--disable-gpu'],
    args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist'],
  });
  try {
    const page = await browser.newPage({ viewport: size, locale: 'en-GB' });
    page.setDefaultTimeout(120_000);
    await watchGl(page);
    await signIn(page, people.admin);
    return accuracyResults(await clickTargets(page, targets, at, say), say);
  } finally {
    await browser.close();
    await stop?.();
  }
};
export default bench;
