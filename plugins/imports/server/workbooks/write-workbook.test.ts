import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import * as xlsx from 'xlsx';
import { soakCount } from '#core/testing/server';
import { collect, createFolder } from '../../testing/workbooks.ts';
import { readTables } from './reading/read-tables.mjs';
import type { CellValue, ColumnLayout, SheetLayout } from './workbook-types.ts';
import { writeWorkbook } from './write-workbook.ts';

const folder = createFolder();
const buildColumn = (changes: Partial<ColumnLayout>): ColumnLayout => ({
  header: 'Name',
  required: false,
  note: '',
  kind: 'text',
  ...changes,
});

async function write(sheet: SheetLayout, rows: readonly (readonly CellValue[])[]): Promise<string> {
  const out = folder.path('out.xlsx');
  const layout = { sheets: [sheet], readme: ['- Rules'], meta: { kind: 'tags', templateVersion: '1' } };
  await writeWorkbook(out, layout, async function* () {
    yield* rows;
  });
  return out;
}

const read = (file: string) => collect(readTables(file, 'xlsx', { maxRows: 10_000, report: false }));

it('[IMP-01] writes a template with header, drop-downs, comments, README and hidden metadata', async () => {
  const longList = Array.from({ length: 40 }, (_, index) => `Value, ${index}`);
  const columns = [
    buildColumn({ header: 'Tag', required: true, note: 'Text, at most 80 characters', width: 30 }),
    buildColumn({ header: 'Live', kind: 'boolean' }),
    buildColumn({ header: 'Kind', values: longList }),
  ];
  const file = await write({ name: 'Tags', columns }, []);
  const book = xlsx.read(await readFile(file), { cellStyles: true, bookFiles: true }) as xlsx.WorkBook & {
    files: Record<string, { content: Uint8Array }>;
  };
  expect(book.SheetNames).toEqual(['README', 'Tags', '_meta', '_lists']);
  expect(book.Workbook?.Sheets?.map(({ Hidden: visibility }) => visibility)).toEqual([0, 0, 1, 1]);
  expect(book.Sheets.README?.A1?.v).toBe('- Rules');
  const header = book.Sheets.Tags?.A1 as xlsx.CellObject | undefined;
  expect(header?.v).toBe('Tag*');
  expect(header?.c?.[0]).toMatchObject({ a: 'Walkdown', t: 'Text, at most 80 characters' });
  const xml = Buffer.from(book.files['xl/worksheets/sheet2.xml']?.content ?? []).toString();
  expect(xml).toContain('<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>');
  expect(xml).toContain('sqref="B2:B1048576"><formula1>"Y,N"</formula1>');
  expect(xml).toContain('sqref="C2:C1048576"><formula1>_lists!$A$1:$A$40</formula1>');
  expect(xml).toContain('<col min="1" max="1" width="30" style="2" customWidth="1"/>');
  expect((await read(file)).filter(({ sheet }) => sheet === '_meta').map(({ cells }) => cells)).toEqual([
    ['kind', 'tags'],
    ['templateVersion', '1'],
  ]);
});

const anyText = fc.oneof(
  fc.string({ minLength: 1, maxLength: 20, unit: 'binary' }),
  fc.string({ minLength: 1, maxLength: 20 }),
  fc.constantFrom('=1+1', "'=1", '+33', '-', '@x', '\tx', '\r\n', '_x000D_', ' a ', '007', "'", '\u{d800}', '\0'),
);
const anyCell: fc.Arbitrary<CellValue> = fc.oneof(
  anyText,
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
  fc.maxSafeInteger(),
  fc.boolean(),
  fc.date({ min: new Date('1900-01-01T00:00Z'), max: new Date('9999-12-31T23:59Z'), noInvalidDate: true }),
  fc.constant(null),
  fc.constantFrom({ error: '#N/A' }, { error: '#REF!' }),
);

it('[IMP-01] reads the cells that it wrote, and SheetJS reads the same', async () => {
  const columns = ['text', 'number', 'date', 'boolean'].map((kind, index) =>
    buildColumn({ header: `Column ${index}`, kind: kind as ColumnLayout['kind'] }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(anyCell, anyCell, anyCell, anyCell), { maxLength: 20 }), async (rows) => {
      const file = await write({ name: 'Data', columns }, rows);
      const dataRows = (await read(file)).filter(({ sheet, row }) => sheet === 'Data' && row > 1);
      const expected = rows.flatMap((cells, index) => {
        const end = cells.findLastIndex((value) => value !== null);
        return end === -1 ? [] : [{ sheet: 'Data', row: index + 2, hidden: false, cells: cells.slice(0, end + 1) }];
      });
      expect(dataRows).toEqual(expected);
      const sheet = xlsx.read(await readFile(file), { cellDates: false }).Sheets.Data;
      for (const { row, cells } of dataRows)
        for (const [index, value] of cells.entries()) {
          const oracleCell = sheet?.[xlsx.utils.encode_cell({ r: row - 1, c: index })] as xlsx.CellObject | undefined;
          if (typeof value === 'number' || typeof value === 'boolean') expect(oracleCell?.v).toBe(value);
          else if (value instanceof Date) expect(oracleCell?.t).toBe('n');
          // Text is never a formula.
          expect(oracleCell?.f).toBeUndefined();
          if (typeof value === 'string') expect(String(oracleCell?.v)).not.toMatch(/^[=+\-@\t\r]/);
        }
    }),
    { numRuns: soakCount(20, 400) },
  );
});

it('leaves no file if a value cannot be written or the source fails', async () => {
  const sheet = { name: 'Data', columns: [buildColumn({})] };
  await expect(write(sheet, [['x'.repeat(32_768)]])).rejects.toThrow(RangeError);
  await expect(write(sheet, [[Number.NaN]])).rejects.toThrow(RangeError);
  await expect(write(sheet, [['a', 'b']])).rejects.toThrow(RangeError);
  await expect(write({ ...sheet, name: 'a/b' }, [])).rejects.toThrow(RangeError);
  const out = folder.path('failed.xlsx');
  const layout = { sheets: [sheet], readme: [], meta: {} };
  const failing = writeWorkbook(out, layout, async function* () {
    yield ['a'];
    throw new Error('connection lost');
  });
  await expect(failing).rejects.toThrow('connection lost');
  await expect(readFile(out)).rejects.toMatchObject({ code: 'ENOENT' });
});
