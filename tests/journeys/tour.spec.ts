import { expect, test, type Page } from '@playwright/test';
import { at, people, signIn } from './people.ts';

// A small window, since software rendering is slow.
test.use({ viewport: { width: 800, height: 500 } });

const nodeIn = (page: Page) => new URL(page.url()).searchParams.get('node');
const wayTo = (page: Page, place: string) => page.getByRole('button', { name: new RegExp(`^Go to ${place}`) });
const turn = async (page: Page, key: 'ArrowLeft' | 'ArrowRight', until: () => Promise<boolean>) => {
  for (let steps = 0; !(await until()); steps++) {
    expect(steps, 'turns without seeing what it looks for').toBeLessThan(60);
    await page.keyboard.press(key, { delay: 150 });
  }
};

/** The URL follows the direction within half a second, so that going back restores the last direction. */
const addressAtRest = (page: Page) => {
  let before = '';
  return expect.poll(() => before === (before = page.url()), { intervals: [800] }).toBe(true);
};

test('[TOUR-02] [TOUR-12] walks a tour by keyboard, back and forward, and reopens a view by its URL', async ({
  page,
  context,
}) => {
  await signIn(page, people.visitor);
  await page.goto(at('/console/tour/HB-M10'));
  await expect(wayTo(page, 'E-1101 coolers')).toBeVisible();
  expect(nodeIn(page)).toBe('HB-P03');

  const behind = wayTo(page, 'V-1001, water outlet');
  await expect(behind).toBeHidden();
  await page.getByRole('application').focus();
  await turn(page, 'ArrowRight', () => behind.isVisible());
  await addressAtRest(page);
  await behind.focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => nodeIn(page)).toBe('HB-P02');
  await expect(page.getByRole('button', { name: /^Go to / }).first()).toBeVisible();
  await addressAtRest(page);
  // The focused pin is gone, but the keys still turn the view.
  const pan = (): string | null => new URL(page.url()).searchParams.get('pan');
  const arrived = pan();
  await page.keyboard.press('ArrowLeft', { delay: 150 });
  await expect.poll(pan).not.toBe(arrived);
  await turn(page, 'ArrowRight', () => wayTo(page, 'Foot of the west stair').isVisible());
  await addressAtRest(page);

  await page.goBack();
  await expect.poll(() => nodeIn(page)).toBe('HB-P03');
  await expect(behind).toHaveAccessibleName('Go to V-1001, water outlet, visited');
  await page.goForward();
  await expect.poll(() => nodeIn(page)).toBe('HB-P02');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/V-1001, water outlet/);

  const other = await context.newPage();
  // The URL at the time of sharing; the first page may still be moving.
  const [address, view] = [page.url(), viewIn(page)];
  await other.goto(address);
  await expect(wayTo(other, 'Foot of the west stair')).toBeVisible();
  expect(viewIn(other)).toEqual(view);
});

test('[TOUR-03] hides and shows everything but the image by the key H', async ({ page }) => {
  await signIn(page, people.visitor);
  await page.goto(at('/console/tour/HB-M10'));
  const tools = page
    .getByRole('toolbar')
    .or(page.getByRole('navigation', { name: 'Tour modules' }))
    .first();
  await expect(tools).toBeVisible();
  // The image is loaded, so the frame is no longer busy.
  await expect(wayTo(page, 'E-1101 coolers')).toBeVisible();
  await page.keyboard.press('h');
  await expect(tools).toBeHidden();
  await expect(page.getByRole('button', { name: 'Show controls' })).toBeVisible();
  await page.keyboard.press('h');
  await expect(tools).toBeVisible();
});

test('opens a tour after its form was answered by keyboard, and asks only once', async ({ page }) => {
  await signIn(page, people.permits);
  await page.goto(at('/console/tour/HB-M10'));
  const work = page.getByRole('combobox', { name: 'Type of work' });
  await expect(work).toBeVisible();
  await expect(page.getByRole('application')).toHaveCount(0);
  await work.focus();
  await page.keyboard.type('Insp');
  await page.reload();
  await expect(work.locator('option:checked')).toHaveText('Inspection');
  await page.getByRole('button', { name: 'Open the tour' }).press('Enter');
  await expect(page.getByText('This is Mandatory')).toBeVisible();
  await expect(page.getByRole('combobox', { name: 'Activity' })).toBeFocused();
  await page.keyboard.type('Lift');
  await page.getByRole('button', { name: 'Open the tour' }).press('Enter');
  await expect(wayTo(page, 'E-1101 coolers')).toBeVisible();
  await page.reload();
  await expect(wayTo(page, 'E-1101 coolers')).toBeVisible();
});

const viewIn = (page: Page) => {
  const query = new URL(page.url()).searchParams;
  return ['module', 'node', 'pan', 'tilt', 'fov'].map((part) => query.get(part));
};
