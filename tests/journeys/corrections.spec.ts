import { expect, test, type Locator, type Page } from '@playwright/test';
import { people, signIn, toUrl } from './people.ts';

/** Names are unique, because the demo may be used more than once. */
const crew = Date.now().toString(36);
/** A letter. Corrections are remembered by the value that was written, so typing errors are other ones in each run. */
const typo = String.fromCharCode('a'.charCodeAt(0) + (Date.now() % 26));
const contacts = [
  'Name,Job Title,Category,Email,Phone,Location Code,Languages,Sequence,Show on Login',
  `${crew} A,Lead,Sup${typo}port,a@crew.example,,HB,en,1,No`,
  `${crew} B,Lead,Foreman ${crew},b@crew.example,,HB,en,2,No`,
  `${crew} C,Lead,Site,c(at)${crew}.example,,HB,en,3,No`,
  `${crew} D,Lead,Site,,call ${crew},HB,en,4,No`,
  `${crew} E,Lead,Site,,,HB,en,5,No`,
  `,Lead,Site,f@crew.example,,HB,en,6,No`,
  `${crew} G,Lead,Site,g@crew.example,,HB${typo},en,7,No`,
  `${crew} H,Lead,Site,h@crew.example,,HB,en,first ${crew},No`,
  `${crew} I,Lead,Site,i@crew.example,,HB,en,-1,No`,
  `${crew} J,Lead,Site,j@crew.example,,HB,en,10,perhaps ${crew}`,
  `${crew} A,Lead,Site,k@crew.example,,HB,en,11,No`,
  `${crew} L,Lead,,l@crew.example,,HB,en,12,No`,
  ...Array.from({ length: 200 }, (_, row) => `${crew} M${row},Fitter,Trade ${crew},m${row}@crew.example,,HB,en,20,No`),
].join('\n');

/** Corrects problems of an import by mouse and keyboard, and counts the clicks. A choice in a list is a click. */
class Corrections {
  readonly #page: Page;
  #clicks = 0;

  constructor(page: Page) {
    this.#page = page;
  }

  async #click(target: Locator): Promise<void> {
    this.#clicks++;
    await target.click();
  }

  #problem = (text: string): Locator =>
    this.#page.getByRole('grid', { name: 'Problems' }).getByRole('row').filter({ hasText: text });

  async useProposal(text: string): Promise<void> {
    await this.#click(this.#problem(text).getByRole('button', { name: /^Use / }));
  }

  async choose(text: string, option: string): Promise<void> {
    await this.#click(this.#problem(text).getByRole('button', { name: 'Other value…' }));
    this.#clicks++;
    await this.#problem(text).getByRole('combobox').selectOption(option);
    await this.#click(this.#problem(text).getByRole('button', { name: /^Replace( in|$)/ }));
  }

  async write(text: string, value: string): Promise<void> {
    await this.#click(this.#problem(text).getByRole('button', { name: 'Other value…' }));
    await this.#page.keyboard.type(value);
    await this.#page.keyboard.press('Enter');
  }

  async writeCell(text: string, cell: RegExp, value: string): Promise<void> {
    await this.#click(this.#problem(text).getByRole('button', { name: 'Show rows' }));
    await this.#click(this.#page.getByRole('grid', { name: /^Rows of sheet/ }).getByRole('gridcell', { name: cell }));
    await this.#page.keyboard.press('Enter');
    await this.#page.keyboard.press('ControlOrMeta+a');
    await this.#page.keyboard.type(value);
    await this.#page.keyboard.press('Enter');
  }

  /** Checks that a correction takes at most so many clicks, and removes the problem. */
  async expectClicks(count: number, text: string, correct: (text: string) => Promise<void>): Promise<void> {
    this.#clicks = 0;
    await test.step(text, async () => {
      await correct(text);
      await expect(
        this.#problem(text)
          .getByText('Done', { exact: true })
          .or(this.#page.getByRole('button', { name: 'Import', exact: true })),
      ).toBeVisible();
    });
    expect(this.#clicks, `clicks to correct "${text}"`).toBeLessThanOrEqual(count);
  }
}

test('[DAT-04] corrects each of twelve errors by three clicks at most, and one in 200 rows by four', async ({
  page,
}) => {
  await signIn(page, people.admin);
  await page.goto(toUrl('/admin/console/imports/new?kind=media.contacts&site=HB'));
  await page
    .getByTestId('file-input')
    .setInputFiles({ name: 'crew.csv', mimeType: 'text/csv', buffer: Buffer.from(contacts) });
  await page.getByRole('button', { name: 'Upload and check' }).click();
  await expect(page.getByText('We found errors in the file. Please fix the error and re-upload')).toBeVisible();
  const corrections = new Corrections(page);
  const { useProposal, choose, write, writeCell } = {
    useProposal: (text: string) => corrections.useProposal(text),
    choose: (option: string) => (text: string) => corrections.choose(text, option),
    write: (value: string) => (text: string) => corrections.write(text, value),
    writeCell: (cell: RegExp, value: string) => (text: string) => corrections.writeCell(text, cell, value),
  };
  const errors: readonly [text: string, correct: (text: string) => Promise<void>][] = [
    ['value: Sup', useProposal],
    ['value: Foreman', choose('Site')],
    ['value: c(at)', write('c@crew.example')],
    ['value: call', write('+47 55 50 12 34')],
    ['Enter an email address or a phone number', write('+47 55 50 12 35')],
    ['Name · first in row 7', write(`${crew} F`)],
    [`value: HB${typo}`, useProposal],
    ['value: first', write('8')],
    ['value: -1', write('9')],
    ['value: perhaps', write('No')],
    ['also in row 2', writeCell(new RegExp(`^${crew} A`), `${crew} K`)],
    ['Category · first in row 13', choose('Site')],
  ];
  for (const [text, correct] of errors) await corrections.expectClicks(3, text, correct);
  await corrections.expectClicks(4, 'value: Trade', choose('Site'));
  await page.getByRole('button', { name: 'Go to the preview' }).click();
  await expect(page.getByText('Nothing was written yet.')).toBeVisible();
});
