import { expect, type Page } from '@playwright/test';
import { toUrl } from './people.ts';
import type { CheckedScreen } from './screens.ts';

/** The screen without content, by which the application changes between two others. */
const emptyAddress = '/loading';
const findEmptyScreen = (page: Page) => page.locator('[data-screen="core.loading"]');

/** Lets the application show another address without a load of the page, as the browser's back button does. */
async function changeAddress(page: Page, address: string): Promise<void> {
  await page.evaluate((url) => {
    history.replaceState({ ...history.state, usr: null, key: crypto.randomUUID() }, '', url);
    dispatchEvent(new PopStateEvent('popstate', { state: history.state }));
  }, address);
}

/**
 * Closes the screen of a page that shows the application, so that the next one begins without its state. Moves the
 * mouse away from what the next one shows there: it could open a tooltip.
 */
export async function leaveScreen(page: Page): Promise<void> {
  await page.mouse.move(0, 0);
  if (!['/console/', '/admin/'].some((area) => page.url().startsWith(toUrl(area)))) return;
  await changeAddress(page, toUrl(emptyAddress));
  await expect(findEmptyScreen(page)).toBeAttached();
}

/**
 * Opens a screen and waits until it is complete. After `leaveScreen` the application changes to it, otherwise the page
 * is loaded. It cannot wait for an idle network, because the event stream keeps a connection open.
 */
export async function openScreen(page: Page, screen: CheckedScreen): Promise<void> {
  if (page.url() === toUrl(emptyAddress)) {
    await changeAddress(page, toUrl(screen.address));
    await expect(findEmptyScreen(page)).toHaveCount(0);
  } else await page.goto(toUrl(screen.address));
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
 * Waits until the address has the view at rest. While the view turns, it is written twice a second. A slow page turns
 * by fewer frames: frames are counted as well as time.
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
