import { expect, test, type Page } from '@playwright/test';
import { at, people, signIn } from './people.ts';

// Without a graphics card every pixel costs time.
test.use({ viewport: { width: 800, height: 500 } });

const nodeIn = (page: Page) => new URL(page.url()).searchParams.get('node');
const wayTo = (page: Page, place: string) => page.getByRole('button', { name: new RegExp(`^Go to ${place}`) });
const turn = async (page: Page, key: 'ArrowLeft' | 'ArrowRight', until: () => Promise<boolean>) => {
  for (let steps = 0; !(await until()); steps++) {
    expect(steps, 'turns without seeing what it looks for').toBeLessThan(60);
    await page.keyboard.press(key, { delay: 150 });
  }
};

/**
 * The address follows a turn within half a second: who comes back finds the direction that it held when they went on.
 */
const addressAtRest = (page: Page) => {
  let before = '';
  return expect.poll(() => before === (before = page.url()), { intervals: [800] }).toBe(true);
};

test(
  '[TOUR-02] [TOUR-12] a tour is walked by keyboard, back and forward go through it, and its address opens the ' +
    'same view elsewhere',
  async ({ page, context }) => {
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
    // The pin that had the focus is gone, and the keys still turn.
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
    // What was in the address when it was handed on: the first page may still be coming to rest.
    const [address, view] = [page.url(), viewIn(page)];
    await other.goto(address);
    await expect(wayTo(other, 'Foot of the west stair')).toBeVisible();
    expect(viewIn(other)).toEqual(view);
  },
);

test('[TOUR-03] H hides everything but the picture, and brings it back', async ({ page }) => {
  await signIn(page, people.visitor);
  await page.goto(at('/console/tour/HB-M10'));
  const tools = page
    .getByRole('toolbar')
    .or(page.getByRole('navigation', { name: 'Tour modules' }))
    .first();
  await expect(tools).toBeVisible();
  // The picture is there: the frame no longer waits for anything.
  await expect(wayTo(page, 'E-1101 coolers')).toBeVisible();
  await page.keyboard.press('h');
  await expect(tools).toBeHidden();
  await expect(page.getByRole('button', { name: 'Show controls' })).toBeVisible();
  await page.keyboard.press('h');
  await expect(tools).toBeVisible();
});

test('a tour opens only after its form was answered, by keyboard, and asks no second time', async ({ page }) => {
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
