import { expect, test, type Page } from '@playwright/test';
import { people, signIn, toUrl } from './people.ts';

/** Each browser has a site of its own, because all use one database. */
const siteCode = `KES-${process.env['TEST_PARALLEL_INDEX'] ?? 0}`;

const openSites = async (page: Page, address = '/admin/console/sites') => {
  await page.goto(toUrl(address));
  await expect(page.getByRole('tree')).toBeVisible();
};
const findItem = (page: Page, name: string) => page.getByRole('treeitem', { name: new RegExp(`^${name}`) });
const findLastChange = (page: Page, text: string) => page.getByText(`Last change: ${text}`, { exact: true });

async function add(page: Page, button: string, values: { readonly name: string; readonly code?: string }) {
  await page.getByRole('button', { name: button, exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: /^Name/ }).fill(values.name);
  if (values.code !== undefined) await dialog.getByRole('textbox', { name: /^Code/ }).fill(values.code);
  await dialog.getByRole('button', { name: 'Create' }).click();
  await expect(findItem(page, values.name)).toHaveAttribute('aria-selected', 'true');
}

test('[DAT-01] sets up a site with units, changes and moves them, and undoes a deletion', async ({ page }) => {
  await signIn(page, people.admin);
  await openSites(page);
  await add(page, 'Add site', { name: 'Kestrel', code: siteCode });
  await add(page, 'Add below', { name: 'Module North' });
  await expect(page).toHaveURL(new RegExp(`location=${siteCode}-`));
  await findItem(page, 'Kestrel').click();
  await add(page, 'Add below', { name: 'Module South' });

  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  const name = page.getByRole('dialog').getByRole('textbox', { name: /^Name/ });
  await name.fill('Utilities');
  await name.press('Enter');
  await expect(findItem(page, 'Utilities')).toBeVisible();
  await expect(findLastChange(page, 'Utilities was changed')).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { level: 2, name: 'Utilities' })).toBeVisible();

  await findItem(page, 'Kestrel').click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(page.getByRole('alertdialog')).toContainText('2 locations below it are deleted, too.');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect(findItem(page, 'Kestrel')).toBeHidden();
  await findLastChange(page, 'Kestrel was deleted').locator('..').getByRole('button', { name: 'Undo' }).click();
  await expect(findItem(page, 'Kestrel')).toBeVisible();
  await findLastChange(page, 'The deletion of Kestrel was undone')
    .locator('..')
    .getByRole('button', { name: 'Redo' })
    .click();
  await expect(findItem(page, 'Kestrel')).toBeHidden();
});

test('names what prevents the deletion of a unit', async ({ page }) => {
  await signIn(page, people.admin);
  await openSites(page, '/admin/console/sites?location=HB-M10');
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  const dialog = page.getByRole('alertdialog');
  await expect(dialog).toContainText('It cannot be deleted as long as it contains:');
  await expect(dialog).toContainText('1 tour');
  await expect(dialog).toContainText(/\d+ viewpoints/);
  await expect(dialog.getByRole('button', { name: 'Delete' })).toBeDisabled();
});

test('changes an outline by its corners and edges', async ({ page }) => {
  await signIn(page, people.admin);
  await openSites(page, '/admin/console/sites?location=HB');
  await page
    .getByRole('button', { name: /^Edit the hotspot of/ })
    .first()
    .click();
  const corners = page.getByRole('button', { name: /^Corner \d+ of/ });
  await expect(corners.first()).toBeFocused();
  const count = await corners.count();
  const edge = page.getByRole('button', { name: 'Add a corner after corner 1', exact: true });
  await edge.hover();
  const { x, y } = (await edge.boundingBox())!;
  await page.mouse.down();
  await page.mouse.move(x + 40, y + 30, { steps: 4 });
  await page.mouse.up();
  await expect(corners).toHaveCount(count + 1);
  const addedCorner = (await corners.nth(1).boundingBox())!;
  expect(
    Math.hypot(addedCorner.x + addedCorner.width / 2 - x - 40, addedCorner.y + addedCorner.height / 2 - y - 30),
  ).toBeLessThan(2);

  await edge.focus();
  await page.keyboard.press('Enter');
  await expect(corners).toHaveCount(count + 2);
  await expect(corners.nth(1)).toBeFocused();

  for (const left of [count + 1, count]) {
    await corners.nth(1).hover();
    await page.mouse.down();
    await expect(corners).toHaveCount(left);
    await page.mouse.up();
  }
  // The outline is unchanged, so there is nothing to save.
  await expect(page.getByRole('button', { name: 'Save hotspots' })).toHaveAttribute('aria-disabled', 'true');
});

test('leads an admin to the change that another browser has saved in the meantime', async ({ page, browser }) => {
  await signIn(page, people.admin);
  await openSites(page);
  const code = `${siteCode}-B`;
  await add(page, 'Add site', { name: 'Buzzard', code });
  const otherContext = await browser.newContext();
  const otherPage = await otherContext.newPage();
  await signIn(otherPage, people.admin);
  await openSites(otherPage, `/admin/console/sites?location=${code}`);

  for (const [editingPage, name] of [
    [otherPage, 'Osprey'],
    [page, 'Harrier'],
  ] as const) {
    await editingPage.getByRole('button', { name: 'Edit', exact: true }).click();
    await editingPage.getByRole('dialog').getByRole('textbox', { name: /^Name/ }).fill(name);
    await editingPage.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  }
  await expect(page.getByRole('dialog')).toContainText('Someone else has changed this location meanwhile.');
  await expect(page.getByRole('dialog')).toContainText('Osprey');
  await page.getByRole('dialog').getByRole('button', { name: 'Save my version' }).click();
  await expect(findItem(page, 'Harrier')).toBeVisible();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect(findItem(page, 'Harrier')).toBeHidden();
  await otherContext.close();
});
