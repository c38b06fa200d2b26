import { mkdirSync } from 'node:fs';
import AxeBuilder from '@axe-core/playwright';
import { expect, test, type Browser, type BrowserContext, type Page } from '@playwright/test';
import { at, people, signIn } from './people.ts';

interface Look {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly language: 'en' | 'fr';
  readonly colorScheme: 'light' | 'dark';
  readonly forcedColors?: 'active';
}

const looks: readonly Look[] = [
  { name: 'desktop-light-en', width: 1440, height: 900, language: 'en', colorScheme: 'light' },
  { name: 'desktop-dark-fr', width: 1440, height: 900, language: 'fr', colorScheme: 'dark' },
  { name: 'tablet-dark-en', width: 1024, height: 768, language: 'en', colorScheme: 'dark' },
  { name: 'tablet-light-fr', width: 1024, height: 768, language: 'fr', colorScheme: 'light' },
  { name: 'phone-light-fr', width: 390, height: 844, language: 'fr', colorScheme: 'light' },
  { name: 'phone-dark-en', width: 390, height: 844, language: 'en', colorScheme: 'dark' },
  { name: 'small-light-en', width: 360, height: 640, language: 'en', colorScheme: 'light' },
  { name: 'forced-colors', width: 1440, height: 900, language: 'en', colorScheme: 'light', forcedColors: 'active' },
];

/** Each with what stands on it once it is there. */
const publicScreens: readonly (readonly [name: string, address: string])[] = [
  ['login', '/login'],
  ['admin-login', '/adminlogin'],
  ['register', '/login/register'],
  ['activate', '/login/activate'],
  ['forgot', '/login/forgot'],
  ['reset', '/login/reset'],
  ['not-found', '/404'],
  ['server-error', '/500'],
  ['forbidden', '/403'],
  ['loading', '/loading'],
];
const innerScreens: readonly (readonly [name: string, address: string])[] = [
  ['home', '/console/home'],
  ['home-list', '/console/home?view=list'],
  ['home-nothing-found', '/console/home?search=zzzz'],
  ['units', '/console/unit/HB'],
  ['unit-unknown', '/console/unit/none'],
  ['welcome', '/console/welcome'],
  ['videos', '/console/video-viewer'],
  ['settings', '/console/settings'],
  ['no-access', '/console/no-access'],
  ['inner-not-found', '/console/nothing-here'],
  ['admin', '/admin/console'],
  ['tour', '/console/tour/HB-M10'],
  ['tour-without-nodes', '/console/tour/SK'],
  ['device-check', '/console/view1'],
  ['account-deactivate', '/console/account-deactivate'],
];

const pictures = 'test-results/screens';
mkdirSync(pictures, { recursive: true });

async function contextOf(browser: Browser, look: Look): Promise<BrowserContext> {
  return browser.newContext({
    viewport: { width: look.width, height: look.height },
    hasTouch: look.width < 1200,
    locale: look.language === 'fr' ? 'fr-FR' : 'en-GB',
    colorScheme: look.colorScheme,
    reducedMotion: 'reduce',
    ...(look.forcedColors ? { forcedColors: look.forcedColors } : {}),
  });
}

/** Waits until nothing loads any more, takes the picture, and looks for what no screen may have. */
async function examine(page: Page, name: string, address: string, look: Look): Promise<void> {
  await page.goto(at(address));
  await page.waitForLoadState('networkidle');
  await expect(page.getByRole('heading', { level: 1 }).or(page.locator('main')).first()).toBeVisible();
  await expect(page.locator('[aria-busy=true]')).toHaveCount(name === 'loading' ? 1 : 0);
  await page.screenshot({ path: `${pictures}/${name}-${look.name}.png` });
  const axe = await new AxeBuilder({ page }).withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']).analyze();
  const found = axe.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
  expect.soft(found, `${name}, ${look.name}`).toEqual([]);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect.soft(overflow, `${name}, ${look.name}: scrolls sideways`).toBeLessThanOrEqual(0);
}

for (const look of looks) {
  test(`every screen is whole and open to all: ${look.name}`, async ({ browser }) => {
    test.setTimeout(600_000);
    const context = await contextOf(browser, look);
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error' && !/status of (401|403|404)/.test(message.text())) complaints.push(message.text());
    });
    for (const [name, address] of publicScreens) await examine(page, name, address, look);
    await signIn(page, people.admin);
    for (const [name, address] of innerScreens) await examine(page, name, address, look);
    expect(complaints).toEqual([]);
    await context.close();
  });
}
