import { expect, it } from 'vitest';
import { buildWorkbook, collect, createFolder } from '../../testing/workbooks.ts';
import { readRows, readWorkbook } from './read-workbook.ts';

const folder = createFolder();
const cells = '<c t="inlineStr"><is><t>Text of a cell that takes some room</t></is></c>'.repeat(20);
const buildLarge = (rows: number) =>
  buildWorkbook({ sheets: { S: `<sheetData>${`<row>${cells}</row>`.repeat(rows)}</sheetData>` } });

it('[IMP-02] reads in a child process no faster than the consumer, and reports progress', async () => {
  const file = await folder.save('large.xlsx', buildLarge(3000));
  const progress: number[] = [];
  let count = 0;
  for await (const { row } of readWorkbook(file, { maxRows: 3000, onProgress: (rows) => progress.push(rows) })) {
    count += 1;
    expect(row).toBe(count);
  }
  expect(count).toBe(3000);
  expect(progress.length).toBeGreaterThan(2);
  expect(progress.at(-1)).toBe(3000);
});

it('ends at once when it is aborted or the consumer stops', async () => {
  const file = await folder.save('aborted.xlsx', buildLarge(3000));
  const controller = new AbortController();
  let count = 0;
  const reading = (async () => {
    for await (const _ of readWorkbook(file, { maxRows: 3000, signal: controller.signal })) {
      count += 1;
      if (count === 10) controller.abort(new Error('cancelled'));
    }
  })();
  await expect(reading).rejects.toThrow('cancelled');
  expect(count).toBe(10);
  for await (const { row } of readWorkbook(file, { maxRows: 3000 })) if (row === 3) break;
});

it('refuses a text file with a sentence that says what to do', async () => {
  const text = await folder.save('text.xlsx', 'a;b');
  await expect(collect(readRows(text, 'xlsx', { maxRows: 10 }))).rejects.toMatchObject({
    status: 400,
    userMessage: { message: 'imports.refused.workbookText', sentence: expect.stringContaining('.csv') },
  });
});
