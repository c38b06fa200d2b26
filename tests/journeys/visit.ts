import { expect, type Page } from '@playwright/test';
import { at } from './people.ts';
import type { WalkedScreen } from './screens.ts';

/** Opens a screen and waits until it is whole. Never by a quiet network: the server's events keep a connection open. */
export async function visit(page: Page, screen: WalkedScreen): Promise<void> {
  await page.goto(at(screen.address));
  await screen.arrange?.(page);
  await expect(screen.ready?.(page) ?? page.getByRole('heading', { level: 1 })).toBeVisible();
  if (!screen.busy) await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
  await settle(page);
}

/**
 * Waits for fonts, for pictures in the window, and for every movement that comes to an end; brings back what fades
 * while nobody does anything.
 */
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
    // The end of one movement may be the beginning of another: a colour that a child inherits.
    do {
      await Promise.all(moving().map((animation) => animation.finished.catch(() => undefined)));
      await frame();
    } while (moving().length > 0);
  });
}
