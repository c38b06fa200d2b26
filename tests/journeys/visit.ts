import { expect, type Page } from '@playwright/test';
import { at } from './people.ts';
import type { WalkedScreen } from './screens.ts';

/**
 * Opens a screen and waits until it is complete. It cannot wait for network idle, since the event stream keeps a
 * connection open.
 */
export async function visit(page: Page, screen: WalkedScreen): Promise<void> {
  await page.goto(at(screen.address));
  await screen.arrange?.(page);
  await expect(screen.ready?.(page) ?? page.getByRole('heading', { level: 1 })).toBeVisible();
  if (!screen.busy) await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
  await settle(page);
}

/** Waits for fonts, visible images and finite animations. Shows controls that faded out by inactivity. */
export async function settle(page: Page): Promise<void> {
  await page.keyboard.press('Shift');
  await page.evaluate(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const moving = () =>
      document
        .getAnimations()
        .filter(
          ({ playState, effect }) => playState === 'running' && effect?.getComputedTiming().iterations !== Infinity,
        );
    await document.fonts.ready;
    const shown = [...document.images].filter(
      (image) => image.loading !== 'lazy' || image.getBoundingClientRect().top < innerHeight,
    );
    await Promise.all(shown.map((image) => image.decode().catch(() => undefined)));
    // One animation's end can start another, such as a child that inherits a colour.
    do {
      await Promise.all(moving().map((animation) => animation.finished.catch(() => undefined)));
      await frame();
    } while (moving().length > 0);
  });
}
