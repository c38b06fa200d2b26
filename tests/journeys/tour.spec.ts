import { expect, test, type Page } from '@playwright/test';
import { fillInLogin, password, people, signIn, toUrl } from './people.ts';
import { waitForStableUrl } from './visit.ts';

// The window is small, because software rendering is slow.
test.use({ viewport: { width: 800, height: 500 } });

const getNode = (page: Page) => new URL(page.url()).searchParams.get('node');
const findHotspot = (page: Page, viewpointName: string) =>
  page.getByRole('button', { name: new RegExp(`^Go to ${viewpointName}`) });
const turnUntil = async (page: Page, key: 'ArrowLeft' | 'ArrowRight', isDone: () => Promise<boolean>) => {
  for (let steps = 0; !(await isDone()); steps++) {
    expect(steps, 'number of turns').toBeLessThan(60);
    await page.keyboard.press(key, { delay: 150 });
  }
};

test('[PID-07] finds a tag by keyboard, with a typing error, and looks at it', async ({ page }) => {
  await signIn(page, people.visitor);
  await page.goto(toUrl('/console/tour/HB-M10'));
  await expect(page.getByRole('button', { name: /^Go to / }).first()).toBeVisible();
  await page.keyboard.press('Control+K');
  const box = page.getByRole('combobox', { name: /^Search/ });
  await expect(box).toBeFocused();
  await page.keyboard.type('lv1O03');
  await expect(page.getByRole('group', { name: 'Tags with a similar spelling' })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('complementary', { name: 'LV-1003' })).toBeVisible();
  await expect.poll(() => new URL(page.url()).searchParams.get('sel')).toBe('LV-1003');
  // The panel does not cover the tag.
  const pin = page.getByRole('application').getByRole('button', { name: /^LV-1003/ });
  const panel = page.getByRole('complementary', { name: 'LV-1003' });
  const readGapPx = async () => {
    const [pinBox, panelBox] = [await pin.boundingBox(), await panel.boundingBox()];
    return (panelBox?.x ?? 0) - ((pinBox?.x ?? Infinity) + (pinBox?.width ?? 0));
  };
  await expect.poll(readGapPx).toBeGreaterThan(40);
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('complementary', { name: 'Search results' })).toBeVisible();
  await box.fill('lv');
  await expect(page.getByRole('option').filter({ hasText: 'LV-1003' }).first()).toBeVisible();
  await expect(page.locator('mark').first()).toHaveText('LV');
});

test('shows every button of the modules in a low window, also beside the map', async ({ page }) => {
  await page.setViewportSize({ width: 720, height: 450 });
  await signIn(page, people.staff);
  await page.goto(toUrl('/console/tour/HB-M10'));
  const rail = page.getByRole('navigation', { name: 'Tour modules' });
  const map = page.getByRole('region', { name: /^Map of/ });
  const listCovered = () =>
    rail.getByRole('button').evaluateAll((buttons) =>
      buttons
        .filter((button) => {
          const { left, right, top, bottom } = button.getBoundingClientRect();
          return [top + 4, bottom - 4].some((y) => !button.contains(document.elementFromPoint((left + right) / 2, y)));
        })
        .map((button) => button.getAttribute('aria-label')),
    );
  await expect(rail.getByRole('button')).toHaveCount(4);
  await expect(map).toBeHidden();
  await expect.poll(listCovered).toEqual([]);
  await page.getByRole('button', { name: 'Show the map' }).click();
  await expect(map).toBeVisible();
  await expect.poll(listCovered).toEqual([]);
});

test('[TOUR-05] marks the selected tag in panorama, scan and 3D model', async ({ page }) => {
  await signIn(page, people.staff);
  await page.goto(toUrl('/console/tour?tag=LV-1003'));
  await expect(page.getByRole('application').getByRole('button', { name: /^LV-1003/ })).toBeVisible();
  // The pin of the panorama is the mark there.
  await expect(page.getByTestId('selected-tag')).toBeHidden();
  for (const module of ['Scan', '3D model']) {
    await page.getByRole('navigation', { name: 'Tour modules' }).getByRole('button', { name: module }).click();
    await expect(page.getByTestId('selected-tag')).toBeVisible();
  }
  // The split view opens without an error in the console.
  const errors: string[] = [];
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  await page.getByRole('button', { name: 'Split view' }).click();
  await expect(page.getByTestId('selected-tag')).toHaveCount(1);
  await expect(page.locator('canvas')).toHaveCount(2);
  expect(errors).toEqual([]);
});

test('[TOUR-02] [TOUR-12] walks a tour by keyboard and reopens a view by its URL', async ({ page, context }) => {
  await signIn(page, people.visitor);
  await page.goto(toUrl('/console/tour/HB-M10'));
  await expect(findHotspot(page, 'E-1101 coolers')).toBeVisible();
  expect(getNode(page)).toBe('HB-P03');

  const hotspot = findHotspot(page, 'V-1001, water outlet');
  await expect(hotspot).toBeHidden();
  await page.getByRole('application').focus();
  await turnUntil(page, 'ArrowRight', () => hotspot.isVisible());
  await waitForStableUrl(page);
  await hotspot.focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => getNode(page)).toBe('HB-P02');
  await expect(page.getByRole('button', { name: /^Go to / }).first()).toBeVisible();
  await waitForStableUrl(page);
  // The keys turn the view although the focused pin does not exist any more.
  const getPan = (): string | null => new URL(page.url()).searchParams.get('pan');
  const panBefore = getPan();
  await page.keyboard.press('ArrowLeft', { delay: 150 });
  await expect.poll(getPan).not.toBe(panBefore);
  await turnUntil(page, 'ArrowRight', () => findHotspot(page, 'Foot of the west stair').isVisible());
  await waitForStableUrl(page);

  await page.goBack();
  await expect.poll(() => getNode(page)).toBe('HB-P03');
  await expect(hotspot).toHaveAccessibleName('Go to V-1001, water outlet, visited');
  await page.goForward();
  await expect.poll(() => getNode(page)).toBe('HB-P02');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/V-1001, water outlet/);

  const otherTab = await context.newPage();
  // The first page may still be moving, so its URL and its view are read together.
  const [url, view] = [page.url(), readView(page)];
  await otherTab.goto(url);
  await expect(findHotspot(otherTab, 'Foot of the west stair')).toBeVisible();
  expect(readView(otherTab)).toEqual(view);
});

test('[TOUR-03] hides and shows everything but the image by the key H', async ({ page }) => {
  await signIn(page, people.visitor);
  await page.goto(toUrl('/console/tour/HB-M10'));
  const tools = page
    .getByRole('toolbar')
    .or(page.getByRole('navigation', { name: 'Tour modules' }))
    .first();
  await expect(tools).toBeVisible();
  // The image is loaded, so the frame is no longer busy.
  await expect(findHotspot(page, 'E-1101 coolers')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Brightness and contrast' })).toBeVisible();
  await page.keyboard.press('h');
  await expect(tools).toBeHidden();
  await expect(page.getByRole('button', { name: 'Show controls' })).toBeVisible();
  await page.keyboard.press('h');
  await expect(tools).toBeVisible();
});

test('[TOUR-16] opens a tour after its form was answered once by keyboard, and asks for the rating after it', async ({
  page,
}) => {
  await signIn(page, people.permits);
  await page.goto(toUrl('/console/tour/HB-M10'));
  const rating = page.getByRole('group', { name: /^How useful was the tour/ });
  const workField = page.getByRole('combobox', { name: 'Type of work' });
  await expect(workField).toBeVisible();
  await expect(page.getByRole('application')).toHaveCount(0);
  await workField.focus();
  await page.keyboard.type('Insp');
  await page.reload();
  await expect(workField.locator('option:checked')).toHaveText('Inspection');
  await page.getByRole('button', { name: 'Open the tour' }).press('Enter');
  await expect(page.getByText('This is Mandatory')).toBeVisible();
  await expect(page.getByRole('combobox', { name: 'Activity' })).toBeFocused();
  await page.keyboard.type('Lift');
  await page.getByRole('button', { name: 'Open the tour' }).press('Enter');
  await expect(findHotspot(page, 'E-1101 coolers')).toBeVisible();
  await expect(rating).toHaveCount(0);
  await page.getByRole('button', { name: 'Back to the units' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Halvorsen Bravo' })).toBeVisible();
  await expect(rating).toBeVisible();
  await page.goto(toUrl('/console/tour/HB-M10'));
  await expect(findHotspot(page, 'E-1101 coolers')).toBeVisible();
  await rating.getByRole('button', { name: '4 of 5' }).press('Enter');
  await expect(rating).toHaveCount(0);
  await page.getByRole('button', { name: 'Back to the units' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Halvorsen Bravo' })).toBeVisible();
  await expect(rating).toHaveCount(0);
});

test('[TOUR-23] opens a tag by its number and a view by its short link, each after login', async ({
  page,
  browser,
}) => {
  await page.goto(toUrl('/console/tour?tag=PSV-1004'));
  await fillInLogin(page, people.visitor, password);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^South walkway/);
  await expect(page.getByRole('heading', { name: 'PSV-1004' })).toBeVisible();
  await waitForStableUrl(page);
  await page.getByRole('button', { name: 'Share this view' }).click();
  const field = page.getByRole('textbox', { name: 'Link to this view' });
  await expect(field).toHaveValue(/\/dashboard\/s\/[2-9a-z]{8}$/);
  await expect(page.getByRole('img', { name: 'QR code of the link' })).toBeVisible();
  const view = readView(page);

  const context = await browser.newContext();
  const otherPage = await context.newPage();
  await otherPage.goto(await field.inputValue());
  await fillInLogin(otherPage, people.staff, password);
  await expect(otherPage.getByRole('heading', { name: 'PSV-1004' })).toBeVisible();
  await expect.poll(() => readView(otherPage)).toEqual(view);
  await context.close();
});

test('[TOUR-13] shows a tag in the model: selected, in the tree and in view; a click on it selects the equipment', async ({
  page,
}) => {
  await signIn(page, people.admin);
  await page.goto(toUrl('/console/tour?tag=PSV-1004'));
  await page.getByRole('button', { name: 'Show in 3D model' }).click();
  await expect(page).toHaveURL(/module=model-3d/);
  await waitForStableUrl(page);
  const position = await findFreeCentre(page);
  await page.getByRole('button', { name: 'Show objects' }).click();
  const row = page.getByRole('treeitem', { selected: true });
  await expect(row).toHaveText('PSV-1004');
  await expect(row).toBeInViewport();

  const objects = page.getByRole('region', { name: 'Objects' });
  await page.getByRole('button', { name: 'Select parent' }).click();
  await expect(row).toHaveText('Relief inlet');
  await page.getByRole('button', { name: 'Select child' }).press('Enter');
  await expect(row).toHaveText('PSV-1004');
  // The valve was fitted into the part that the tag's panel leaves free.
  await page.getByRole('button', { name: 'Select parent' }).click();
  await objects.getByRole('button', { name: 'Close objects' }).click();
  await page.getByRole('application').click({ position });
  await page.getByRole('button', { name: 'Show objects' }).click();
  await expect(row).toHaveText('PSV-1004');
  await expect(objects.getByRole('heading', { level: 3 })).toHaveText('PSV-1004');
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test('[TOUR-13] [TOUR-23] fits the tag of a link above its sheet in the model', async ({ page }) => {
    await signIn(page, people.admin);
    await page.goto(toUrl('/console/tour?tag=PSV-1004&module=model-3d.module'));
    const name = page.getByRole('heading', { name: 'PSV-1004' });
    await expect(name).toBeVisible();
    await waitForStableUrl(page);
    const position = await findFreeCentre(page);
    const picture = page.getByRole('application');
    const [sheetTop, pictureTop] = await Promise.all(
      [name, picture].map(async (element) => (await element.boundingBox())!.y),
    );
    expect(pictureTop! + position.y, 'the centre of the free part').toBeLessThan(sheetTop! - 50);
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    await expect(name).toBeHidden();
    await picture.click({ position });
    await expect(name).toBeVisible();
  });
});

/** The centre of the part of the picture that no panel covers, pixels of the picture. */
const findFreeCentre = (page: Page) =>
  page.getByRole('application').evaluate((host) => {
    const [left, top, width, height] = ['left', 'top', 'width', 'height'].map((side) =>
      Number.parseFloat(getComputedStyle(host).getPropertyValue(`--viewer-free-${side}`)),
    );
    return { x: left! + width! / 2, y: top! + height! / 2 };
  });

const readView = (page: Page) => {
  const query = new URL(page.url()).searchParams;
  return ['module', 'node', 'pan', 'tilt', 'fov'].map((part) => query.get(part));
};
