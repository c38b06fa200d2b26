import { expect, test } from '@playwright/test';
import { examine, screenRuns } from './examine.ts';
import { people, signIn } from './people.ts';
import { publicScreens, signedInScreens, type CheckedScreen } from './screens.ts';

// This is the longest file, so all workers share it, each with its own server. Playwright orders files by name, and
// the name makes it start early.
test.describe.configure({ mode: 'parallel' });

const journeys: readonly {
  readonly title: string;
  readonly screens: readonly CheckedScreen[];
  readonly username?: string;
}[] = [
  { title: 'before the login', screens: publicScreens },
  ...Object.entries(signedInScreens).map(([part, screens]) => ({
    title: `behind the login: ${part}`,
    screens,
    username: people.admin,
  })),
];

for (const { language, appearances } of screenRuns) {
  test.describe(`every screen renders completely and accessibly, ${language}`, () => {
    test.use({ locale: language, contextOptions: { reducedMotion: 'reduce' } });

    for (const { title, screens, username } of journeys) {
      test(title, async ({ page }) => {
        const errors: string[] = [];
        page.on('pageerror', (error) => errors.push(error.message));
        if (username !== undefined) await signIn(page, username);
        for (const screen of screens) await test.step(screen.name, () => examine(page, screen, appearances));
        expect(errors).toEqual([]);
      });
    }
  });
}
