import { expect, type Page } from '@playwright/test';
import { toUrl } from './people.ts';
import type { CheckedScreen } from './screens.ts';

/** A screen without content. The application shows it between two checked screens. */
const emptyPath = '/loading';
const findEmptyScreen = (page: Page) => page.locator('[data-screen="core.loading"]');

/** Lets the application show another URL without loading the page, as the browser's back button does. */
async function changeUrl(page: Page, newUrl: string): Promise<void> {
  await page.evaluate((url) => {
    history.replaceState({ ...history.state, usr: null, key: crypto.randomUUID() }, '', url);
    dispatchEvent(new PopStateEvent('popstate', { state: history.state }));
  }, newUrl);
}

/**
 * Closes the current screen of the application, so that the next one begins without its state. Moves the mouse into a
 * corner, so that it does not open a tooltip of the next screen.
 */
export async function leaveScreen(page: Page): Promise<void> {
  await page.mouse.move(0, 0);
  if (!['/console/', '/admin/'].some((area) => page.url().startsWith(toUrl(area)))) return;
  await changeUrl(page, toUrl(emptyPath));
  await expect(findEmptyScreen(page)).toBeAttached();
}

/**
 * Opens a screen and waits until it is complete. After `leaveScreen` the application changes to it, otherwise the page
 * is loaded. It cannot wait for an idle network, because the event stream keeps a connection open.
 */
export async function openScreen(page: Page, screen: CheckedScreen): Promise<void> {
  if (page.url() === toUrl(emptyPath)) {
    await changeUrl(page, toUrl(screen.url));
    await expect(findEmptyScreen(page)).toHaveCount(0);
  } else await page.goto(toUrl(screen.url));
  await screen.prepare?.(page);
  await expect(screen.findReady?.(page) ?? page.getByRole('heading', { level: 1 })).toBeVisible();
  if (!screen.busy) await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
  await waitUntilStable(page);
}

/** Waits for fonts, visible images and finite animations. Shows controls that faded out by inactivity. */
export async function waitUntilStable(page: Page): Promise<void> {
  await page.keyboard.press('Shift');
  await page.evaluate(async () => {
    const waitForFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const listAnimations = () =>
      document
        .getAnimations()
        .filter(
          ({ playState, effect }) => playState === 'running' && effect?.getComputedTiming().iterations !== Infinity,
        );
    await document.fonts.ready;
    const visibleImages = [...document.images].filter(
      (image) => image.loading !== 'lazy' || image.getBoundingClientRect().top < innerHeight,
    );
    await Promise.all(visibleImages.map((image) => image.decode().catch(() => undefined)));
    // One animation's end can start another, such as a child that inherits a colour.
    do {
      await Promise.all(listAnimations().map((animation) => animation.finished.catch(() => undefined)));
      await waitForFrame();
    } while (listAnimations().length > 0);
  });
}

/**
 * Waits until the URL no longer changes. While the view turns, the application writes it into the URL twice a second.
 * Counts frames as well as time, because a slow page draws fewer frames.
 */
export async function waitForStableUrl(page: Page): Promise<void> {
  await expect
    .poll(async () => {
      const url = page.url();
      await page.evaluate(async () => {
        const end = performance.now() + 800;
        for (let frames = 0; frames < 30 || performance.now() < end; frames++)
          await new Promise((resolve) => requestAnimationFrame(resolve));
      });
      return page.url() === url;
    })
    .toBe(true);
}
