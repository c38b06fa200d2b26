import { expect, test } from '@playwright/test';
import { people, signIn, toUrl } from './people.ts';

/** Names are unique, because the demo may be used more than once. */
const crew = `Crew ${Date.now().toString(36)}`;
const table = [
  'Type,Name,Status,Sequence',
  `SECTION,${crew} A,Actve-${crew},1`,
  `SECTION,${crew} B,Actve-${crew},2`,
  `SECTION,${crew} C,Active,first`,
].join('\n');

test('[IMP-01:masters][DAT-04][DAT-05] imports masters with errors, fixes them in the browser, and takes the import back', async ({
  page,
}) => {
  await signIn(page, people.admin);
  await page.goto(toUrl('/admin/console/import-master'));
  await page
    .getByTestId('file-input')
    .setInputFiles({ name: 'crews.csv', mimeType: 'text/csv', buffer: Buffer.from(table) });
  await page.getByRole('button', { name: 'Upload and check' }).click();
  await expect(page.getByText('We found errors in the file. Please fix the error and re-upload')).toBeVisible();

  // One value corrects the same error in two rows.
  const problem = page.getByRole('grid', { name: 'Problems' }).getByRole('row', { name: /2 rows/ });
  await problem.getByRole('button', { name: 'Other value…' }).click();
  await problem.getByRole('combobox', { name: 'Value for 2 rows' }).selectOption('Active');
  await problem.getByRole('button', { name: 'Replace in 2 rows' }).click();
  await expect(page.getByText('2 rows were changed and checked again')).toBeVisible();

  // After a reload, one cell is corrected by keyboard.
  await page.reload();
  const cell = page.getByRole('grid', { name: 'Rows of sheet Masters' }).getByRole('gridcell', { name: /^first/ });
  await cell.click();
  await page.keyboard.press('Enter');
  await page.keyboard.type('3');
  await page.keyboard.press('Enter');

  // The step stays until the person goes on.
  await expect(page.getByText('No errors were found')).toBeVisible();
  await page.getByRole('button', { name: 'Go to the preview' }).click();
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  const caution = page.getByRole('alertdialog');
  await expect(caution).toContainText('Take a database backup. All users will be logged out');
  await caution.getByRole('radio', { name: /^Back up now/ }).check();
  await caution.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(page.getByText('The rows were imported.')).toBeVisible();

  await page.getByRole('link', { name: 'History of imports' }).click();
  const entry = page.getByRole('row', { name: /crews\.csv/ }).first();
  await expect(entry).toContainText('3 new');
  await entry.getByRole('button', { name: 'Undo' }).click();
  const undo = page.getByRole('alertdialog');
  await expect(undo).toContainText('3 rows would be reversed.');
  await undo.getByRole('button', { name: 'Undo' }).click();
  await expect(undo).toContainText('3 rows were reversed.');
  await undo.getByRole('button', { name: 'Close' }).click();
  await expect(entry).toContainText('Undone');
});
