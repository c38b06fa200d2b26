import { launchBrowserForPictures } from '../browser/browser.ts';
import { watchGl } from '../browser/gl-watch.ts';
import { at, people, signIn } from '../journeys/people.ts';
import serveDemo from '../journeys/serve-demo.ts';
import { clickTargets } from '../measuring/clicked-targets.ts';
import { atLeast, type Bench } from './bench.ts';
import { accuracyTogether } from './support/accuracy-results.ts';
import { accuracyTargets, eachFifth, pageSize } from './support/accuracy-targets.ts';

/**
 * 40 of the 200 targets of the benchmark `accuracy` by real clicks in the running product: a demo server, a browser,
 * the tour as a person has it.
 */
const bench: Bench = async ({ count, chromium: executablePath, say }) => {
  const quick = count(1, 0) === 1;
  const targets = eachFifth(accuracyTargets(quick), quick ? 0 : 2);
  const stop = await serveDemo();
  const browser = await launchBrowserForPictures(executablePath);
  try {
    const page = await browser.newPage({ viewport: pageSize, locale: 'en-GB' });
    page.setDefaultTimeout(120_000);
    await watchGl(page);
    await signIn(page, people.admin);
    const outcomes = await clickTargets(page, targets, at, say);
    const done = outcomes.filter(({ value }) => value !== undefined).length;
    return [
      atLeast(outcomes.length * 0.8, {
        name: 'measured by real clicks',
        value: done,
        unit: `of ${outcomes.length}`,
        against: 'those left are named above with why',
      }),
      ...accuracyTogether(outcomes, 'by real clicks', say),
    ];
  } finally {
    await browser.close();
    await stop?.();
  }
};
export default bench;
