import { expect, test, type Page } from '@playwright/test';
import { people, signIn } from './people.ts';
import { chooseTool, lookAt, PlantView, type NodeView } from './plant-view.ts';

const size = { width: 1440, height: 900 };
test.use({ viewport: size });

const look: NodeView = { node: 'HB-P09', pan: 15, tilt: 3, fov: 60 };

/** Reads start and end of the arrow's line on the page. */
const readArrow = async (page: Page) => {
  const path = await page.getByTestId('annotation-overlay').locator('[data-kind=ARROW] path').first().getAttribute('d');
  return [...(path ?? '').matchAll(/[ML]([\d.-]+) ([\d.-]+)/g)]
    .slice(0, 2)
    .map(([, x, y]) => [Number(x), Number(y)] as const);
};

test('[TOUR-09] shows an arrow at the same point in scan and panorama, also to a colleague with the link', async ({
  page,
  browser,
}) => {
  const view = new PlantView(look, size);
  const [tail, head] = [view.toPixel([-12.3, 7.75, 1.6]), view.toPixel([-9.5, 7.67, 2])];
  await signIn(page, people.admin);
  const picture = await lookAt(page, 'scan.module', look);
  const bar = await chooseTool(page, 'Annotate', 'Arrow');
  await picture.click({ position: tail });
  await expect(bar.getByRole('status')).toHaveText('Click what it points to');
  await picture.click({ position: head });
  await bar.getByRole('textbox', { name: 'Text' }).fill('Plate unreadable');
  await bar.getByRole('button', { name: 'Save' }).click();
  await bar.getByRole('button', { name: /^Show annotations/ }).click();
  const list = page.getByRole('complementary', { name: 'Annotations' });
  await expect(list.getByRole('listitem').filter({ hasText: 'Plate unreadable' })).toContainText('Made by you');
  await expect.poll(() => new URL(page.url()).searchParams.get('l.annotation')).not.toBeNull();
  const expectNear = (foundPoints: readonly (readonly [number, number])[]): void => {
    for (const [index, { x, y }] of [tail, head].entries())
      expect(Math.hypot((foundPoints[index]?.[0] ?? 0) - x, (foundPoints[index]?.[1] ?? 0) - y)).toBeLessThan(2);
  };
  expectNear(await readArrow(page));
  const layer = `&l.annotation=${new URL(page.url()).searchParams.get('l.annotation')}`;

  await lookAt(page, 'vr.module', look, layer);
  await expect.poll(() => readArrow(page)).toHaveLength(2);
  expectNear(await readArrow(page));

  const colleague = await browser.newPage({ viewport: size, locale: 'en-GB' });
  await signIn(colleague, people.staff);
  await lookAt(colleague, 'vr.module', look, layer);
  const colleaguesItem = colleague.getByRole('complementary', { name: 'Annotations' }).locator('[aria-current=true]');
  await expect(colleaguesItem).toContainText('Plate unreadable');
  expectNear(await readArrow(colleague));
  await colleaguesItem.getByRole('textbox', { name: 'Write a comment' }).fill('New plate ordered');
  await colleaguesItem.getByRole('button', { name: 'Send comment' }).click();
  await expect(colleaguesItem.getByRole('listitem')).toContainText('New plate ordered');
  await expect(colleaguesItem.getByText('You can comment.')).toBeVisible();
  await expect(colleaguesItem.getByRole('button', { name: 'Mark as done' })).toHaveCount(0);
  await colleague.close();

  await page.reload();
  const ownItem = list.locator('[aria-current=true]');
  await expect(ownItem).toContainText('New plate ordered');
  await ownItem.getByRole('button', { name: 'Mark as done' }).click();
  await expect(ownItem.getByRole('button', { name: 'Reopen' })).toBeVisible();
});
