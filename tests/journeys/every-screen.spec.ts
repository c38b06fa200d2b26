import { expect, test } from '@playwright/test';
import { examine, walks } from './examine.ts';
import { people, signIn } from './people.ts';
import { innerScreens, openScreens } from './screens.ts';

// The longest file of all: shared by all workers, each of which has a server of its own, and begun early, since
// Playwright takes the files by name.
test.describe.configure({ mode: 'parallel' });

for (const { language, looks } of walks) {
  test.describe(`every screen is whole and open to all, ${language}`, () => {
    test.use({ locale: language, contextOptions: { reducedMotion: 'reduce' } });

    for (const [part, screens] of [
      ['before the login', openScreens],
      ['behind the login', innerScreens],
    ] as const) {
      test(part, async ({ page }) => {
        const complaints: string[] = [];
        page.on('pageerror', (error) => complaints.push(error.message));
        if (screens === innerScreens) await signIn(page, people.admin);
        for (const screen of screens) await test.step(screen.name, () => examine(page, screen, looks));
        expect(complaints).toEqual([]);
      });
    }
  });
}
