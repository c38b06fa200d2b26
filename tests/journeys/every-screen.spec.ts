import { expect, test } from '@playwright/test';
import { examine, screenRuns } from './examine.ts';
import { people, signIn } from './people.ts';
import { signedInScreens, publicScreens } from './screens.ts';

// This is the longest file, so all workers share it, each with its own server. Playwright orders files by name, and
// the name makes it start early.
test.describe.configure({ mode: 'parallel' });

for (const { language, appearances } of screenRuns) {
  test.describe(`every screen renders completely and accessibly, ${language}`, () => {
    test.use({ locale: language, contextOptions: { reducedMotion: 'reduce' } });

    for (const [session, screens] of [
      ['before the login', publicScreens],
      ['behind the login', signedInScreens],
    ] as const) {
      test(session, async ({ page }) => {
        const errors: string[] = [];
        page.on('pageerror', (error) => errors.push(error.message));
        if (screens === signedInScreens) await signIn(page, people.admin);
        for (const screen of screens) await test.step(screen.name, () => examine(page, screen, appearances));
        expect(errors).toEqual([]);
      });
    }
  });
}
