import type { Browser, Page } from 'playwright';
import { routeAddress, basePath, routes } from '#core';
import { demoAccounts, type DemoAccount } from '../../core/server/auth/demo-accounts.ts';
import { settings } from '#plugins/account';
import { videoViewer, welcome } from '#plugins/media';
import { tourView } from '#plugins/tour';
import { deviceCheck } from '#plugins/vr';
import { launchBrowserForPictures } from '../browser/browser.ts';
import { waitInPage } from '../browser/waiting.ts';
import { atMost, type Bench } from './bench.ts';
import { provideProduct } from './support/built-product.ts';

type ScreenVisit = readonly [name: string, address: string, landmark: string];

/** Screens that are opened from home. The landmark is a selector of an element of the loaded screen. */
const screenVisits: readonly ScreenVisit[] = [
  ['tour', routeAddress(tourView, { location: 'HB-M10' }), 'canvas'],
  ['unit', routeAddress(routes.location, { location: 'HB' }), 'main h1'],
  ['welcome', routeAddress(welcome, {}), 'main h1'],
  ['videos', routeAddress(videoViewer, {}), 'main h1'],
  ['settings', routeAddress(settings, {}), 'main h1'],
  ['device check', routeAddress(deviceCheck, {}), 'main h1, canvas'],
];

/** Counts the scripts that a browser fetches when a person goes from home to another screen. */
const bench: Bench = async (context) => {
  const { chromium, count } = context;
  const product = await provideProduct(context);
  try {
    const origin = `${await product.serve('demo')}${basePath}`;
    const browser = await launchBrowserForPictures(chromium);
    try {
      const counts: (readonly [string, readonly string[]])[] = [];
      for (const visit of screenVisits.slice(0, count(2, screenVisits.length)))
        counts.push([visit[0], await listNewScripts(browser, origin, visit)]);
      const maxScripts = Math.max(...counts.map(([, scripts]) => scripts.length));
      return [
        atMost(4, {
          name: 'new files for a screen, as a browser fetches them',
          value: maxScripts,
          unit: 'files',
          against: counts.map(([name, scripts]) => `${name} ${scripts.length}`).join(', '),
        }),
      ];
    } finally {
      await browser.close();
    }
  } finally {
    await product.stop();
  }
};
export default bench;

async function listNewScripts(
  browser: Browser,
  origin: string,
  [name, address, landmark]: ScreenVisit,
): Promise<readonly string[]> {
  const [admin] = demoAccounts;
  if (!admin) throw new Error('The demo has no accounts.');
  const context = await browser.newContext();
  try {
    context.setDefaultTimeout(0);
    const page = await context.newPage();
    await waitInPage(page, 'the sign-in', signIn(page, origin, admin));
    await waitInPage(page, 'the home screen', openHome(page, origin));
    const scriptsBefore = new Set(await listScripts(page));
    await page.evaluate((to) => {
      history.pushState(null, '', to);
      dispatchEvent(new PopStateEvent('popstate'));
    }, `${basePath}${address}`);
    await waitInPage(page, `${landmark} of the screen ${name}`, page.locator(landmark).first().waitFor());
    return (await listScripts(page)).filter((script) => !scriptsBefore.has(script));
  } finally {
    await context.close();
  }
}

async function signIn(page: Page, origin: string, { username, password }: DemoAccount): Promise<void> {
  await page.goto(`${origin}/login`);
  await page.locator('input[name=email]').fill(username);
  await page.locator('input[name=password]').fill(password);
  await page.locator('button[type=submit]').click();
  await page.waitForURL(/\/console\//);
}

async function openHome(page: Page, origin: string): Promise<void> {
  await page.goto(`${origin}${routeAddress(routes.home, {})}`);
  await page.locator('main h1').first().waitFor();
  await page.waitForLoadState('networkidle');
}

function listScripts(page: Page): Promise<readonly string[]> {
  return page.evaluate(() =>
    [...new Set(performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname))].filter((path) =>
      path.endsWith('.js'),
    ),
  );
}
