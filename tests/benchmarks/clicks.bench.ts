import { launchBrowserForPictures } from '../browser/browser.ts';
import { watchGl } from '../browser/gl-watch.ts';
import { maxIdleMs, waitInPage } from '../browser/waiting.ts';
import { toUrl, people, signIn } from '../journeys/people.ts';
import { clickTargets } from '../measuring/clicked-targets.ts';
import type { Outcome } from '../measuring/outcome.ts';
import type { Target } from '../measuring/plant-targets.ts';
import { atLeast, type Bench } from './bench.ts';
import { toCombinedResults } from './support/accuracy-results.ts';
import { chooseAccuracyTargets, selectEachFifth, selectOneOfEachKind, pageSize } from './support/accuracy-targets.ts';
import { ensureProduct } from './support/built-product.ts';

/**
 * Measures a fifth of the targets of the benchmark `accuracy` by real clicks in the running product, with a demo server
 * and a browser.
 */
const bench: Bench = async (context) => {
  const { chooseCount, chromium, log } = context;
  const quick = chooseCount(1, 0) === 1;
  const targets = quick
    ? selectOneOfEachKind(chooseAccuracyTargets(quick))
    : selectEachFifth(chooseAccuracyTargets(quick));
  const product = await ensureProduct(context);
  try {
    process.env['JOURNEY_ADDRESSES'] = await product.serve('demo');
    const outcomes = await measureByClicks(targets, chromium, log);
    const measuredCount = outcomes.filter(({ value }) => value !== undefined).length;
    return [
      atLeast(outcomes.length * 0.8, {
        name: 'measured by real clicks',
        value: measuredCount,
        unit: `of ${outcomes.length}`,
        against: 'the progress lines name the other targets with the reason',
      }),
      ...toCombinedResults(outcomes, 'by real clicks', log),
    ];
  } finally {
    await product.stop();
  }
};
export default bench;

async function measureByClicks(
  targets: readonly Target[],
  chromium: string,
  log: (text: string) => void,
): Promise<readonly Outcome[]> {
  const browser = await launchBrowserForPictures(chromium);
  try {
    const page = await browser.newPage({ viewport: pageSize, locale: 'en-GB' });
    page.setDefaultTimeout(maxIdleMs);
    await watchGl(page);
    await waitInPage(page, 'the sign-in', signIn(page, people.admin));
    return await clickTargets(page, targets, toUrl, log);
  } finally {
    await browser.close();
  }
}
