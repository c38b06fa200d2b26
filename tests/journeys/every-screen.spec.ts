import { expect, test } from '@playwright/test';
import { examine, walks } from './examine.ts';
import { people, signIn } from './people.ts';
import { innerScreens, openScreens } from './screens.ts';

// The longest file: all workers share it, each with a server of its own. Its name starts with e, since Playwright
// orders files by name.
test.describe.configure({ mode: 'parallel' });

for (const { language, looks } of walks) {
  test.describe(`every screen renders completely and accessibly, ${language}`, () => {
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
