import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import * as xlsx from 'xlsx';
import { describeWithSampleData } from '#core/testing/sample-data';
import { buildZip } from '#core/testing/server';
import { buildWorkbook, collect, createFolder, listWorkbooks, type WorkbookParts } from '../../../testing/workbooks.ts';
import { writeZip } from '../ooxml/zip-output.mjs';
import type { FileType, ReadCell, SheetRow } from '../workbook-types.ts';
import { readTables } from './read-tables.mjs';

const folder = createFolder();

const read = async (content: string | Uint8Array, type: FileType = 'xlsx', maxRows = 1000): Promise<SheetRow[]> =>
  collect(readTables(await folder.save(`file.${type}`, content), type, { maxRows, report: false }));

const readRow = async (cells: string, parts: Partial<WorkbookParts> = {}): Promise<readonly ReadCell[] | undefined> =>
  (await read(buildWorkbook({ sheets: { S: `<sheetData><row r="1">${cells}</row></sheetData>` }, ...parts })))[0]
    ?.cells;

const refusal = (id: string) => ({ userMessage: expect.objectContaining({ message: `imports.refused.${id}` }) });

it('reads texts of all kinds', async () => {
  const strings =
    '<si><t xml:space="preserve"> 007 </t></si><si><r><t>rich</t></r><r><t> text</t></r><rPh sb="0" eb="1"><t>x</t></rPh></si><si/>';
  const cells =
    '<c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="C1" t="s"><v>2</v></c><c r="D1" t="inlineStr"><is><t>a_x000D_b</t></is></c><c r="F1" t="str"><f>A1</f><v>cached</v></c>';
  expect(await readRow(cells, { strings })).toEqual([' 007 ', 'rich text', null, 'a\rb', null, 'cached']);
});

it('reads numbers, booleans and errors, and never a value that is not exact', async () => {
  const cells =
    '<c><v>1.5</v></c><c><v>1E+3</v></c><c t="b"><v>1</v></c><c t="b"><v>0</v></c><c t="e"><v>#N/A</v></c><c><v>12345678901234567890</v></c>' +
    '<c><f>A1</f></c><c t="s"><v>5</v></c><c><v>1,5</v></c><c t="b"><v>2</v></c><c t="z"><v>2</v></c>';
  expect(await readRow(cells)).toEqual([
    1.5,
    1000,
    true,
    false,
    { error: '#N/A' },
    { error: 'NOT_EXACT' },
    { error: 'NOT_CALCULATED' },
    { error: 'UNREADABLE' },
    { error: 'UNREADABLE' },
    { error: 'UNREADABLE' },
    { error: 'UNREADABLE' },
  ]);
});

it('reads whole numbers with the leading zeros that they show', async () => {
  const styles =
    '<numFmts><numFmt numFmtId="170" formatCode="00000"/><numFmt numFmtId="171" formatCode="00.0"/></numFmts>' +
    '<cellXfs><xf numFmtId="0"/><xf numFmtId="170"/><xf numFmtId="171"/></cellXfs>';
  const cells =
    '<c s="1"><v>123</v></c><c s="1"><v>123456</v></c><c s="1"><v>0</v></c><c s="1"><v>1.5</v></c><c s="2"><v>7</v></c><c s="0"><v>0</v></c>';
  expect(await readRow(cells, { styles })).toEqual(['00123', 123456, '00000', 1.5, 7, 0]);
});

it('reads dates by number format in both systems, and keeps elapsed time a number', async () => {
  const styles =
    '<numFmts><numFmt numFmtId="170" formatCode="[$-40C]d mmm yyyy"/><numFmt numFmtId="171" formatCode="[h]:mm"/><numFmt numFmtId="172" formatCode="0.0&quot; days&quot;"/></numFmts>' +
    '<cellXfs><xf numFmtId="0"/><xf numFmtId="22"/><xf numFmtId="170"/><xf numFmtId="171"/><xf numFmtId="172"/></cellXfs>';
  const cells =
    '<c s="1"><v>45000.75</v></c><c s="2"><v>59</v></c><c s="1"><v>60</v></c><c s="3"><v>1.25</v></c><c s="4"><v>3</v></c><c t="d"><v>2024-02-29T12:30:00</v></c><c t="d"><v>2023-02-29</v></c><c s="1"><v>-1</v></c>';
  const date = (text: string) => new Date(`${text}Z`);
  const bad = { error: 'BAD_DATE' };
  expect(await readRow(cells, { styles })).toEqual([
    date('2023-03-15T18:00'),
    { day: date('1900-02-28T00:00') },
    bad,
    1.25,
    3,
    date('2024-02-29T12:30'),
    bad,
    bad,
  ]);
  const [since1904] = (await readRow(cells, { styles, before: '<workbookPr date1904="1"/>' })) ?? [];
  expect(since1904).toEqual(date('2027-03-16T18:00'));
});

it('distinguishes days without a time from other dates, and percentages from other numbers', async () => {
  const styles =
    '<numFmts><numFmt numFmtId="170" formatCode="yyyy\\-mm\\-dd"/><numFmt numFmtId="171" formatCode="yyyy-mm-dd hh:mm"/><numFmt numFmtId="172" formatCode="0.0&quot;%&quot;"/><numFmt numFmtId="173" formatCode="0.0%"/></numFmts>' +
    `<cellXfs><xf numFmtId="0"/>${[14, 170, 22, 171, 9, 173, 172].map((id) => `<xf numFmtId="${id}"/>`).join('')}</cellXfs>`;
  const write = (format: number, value: number) => `<c s="${format}"><v>${value}</v></c>`;
  const cells = [write(1, 45000), write(2, 45000), write(1, 45000.75), write(3, 45000), write(4, 45000)];
  const numbers = [write(5, 0.05), write(6, -1), write(7, 5)];
  const day = new Date('2023-03-15T00:00Z');
  expect(await readRow(`${[...cells, ...numbers].join('')}<c t="d"><v>2023-03-15</v></c>`, { styles })).toEqual([
    { day },
    { day },
    new Date('2023-03-15T18:00Z'),
    day,
    day,
    { percent: 0.05 },
    { percent: -1 },
    5,
    { day },
  ]);
});

it('reports hidden columns, also in a sheet with a column of errors', async () => {
  const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`;
  const build = (...row: readonly string[]) =>
    buildWorkbook({
      sheets: {
        S: `<cols><col min="1" max="1" hidden="0"/><col min="3" max="3" hidden="1"/><col min="5" max="16384" hidden="true"/></cols><sheetData><row>${row.map(text).join('')}</row></sheetData>`,
      },
    });
  expect((await read(build('A', 'B')))[0]?.hiddenColumns).toEqual([
    [2, 2],
    [4, 16_383],
  ]);
  expect((await read(build('Errors', 'B')))[0]?.hiddenColumns).toEqual([
    [1, 1],
    [3, 16_382],
  ]);
});

it('keeps row numbers without references, over blank rows and in sparse sheets, and reports hidden rows and sheets', async () => {
  const sheet =
    '<dimension ref="A1:XFD1048576"/><sheetData><row><c><v>1</v></c></row><row r="3"><c r="B3"/></row><row r="5" hidden="1"><c r="C5"><v>2</v></c></row><row r="1048576"><c r="A1048576"><v>3</v></c></row></sheetData>';
  const rows = await read(buildWorkbook({ sheets: { 'It&apos;s &amp; ☃': sheet } }));
  expect(rows).toEqual([
    { sheet: "It's & ☃", row: 1, hidden: false, cells: [1] },
    { sheet: "It's & ☃", row: 5, hidden: true, cells: [null, null, 2] },
    { sheet: "It's & ☃", row: 1_048_576, hidden: false, cells: [3] },
  ]);
  const hiddenRows = await read(buildWorkbook({ sheets: { S: sheet }, attributes: 'state="veryHidden"' }));
  expect(hiddenRows.every((row) => row.hidden)).toBe(true);
});

const plainSheets = { S: '<sheetData><row><c><v>1</v></c></row><row><c><v>1</v></c></row></sheetData>' };
const buildCompoundFile = (name: string): Buffer => {
  const file = Buffer.alloc(1536);
  file.writeUInt32LE(0xe011cfd0, 0);
  file.writeUInt16LE(9, 30);
  file.write(name, 512, 'utf16le');
  return file;
};
const buildLyingWorkbook = (): Buffer => {
  const file = buildWorkbook({ sheets: plainSheets, parts: { 'xl/media/image1.png': 'x'.repeat(500) } });
  const at = file.lastIndexOf('xl/media/image1.png');
  file.writeUInt32LE(499, at - 46 + 24);
  return file;
};
const buildZipWithOutsideName = (...contents: readonly string[]): Buffer => {
  const entries = Object.fromEntries(contents.map((content, index) => [`part-${index}`, content]));
  return Buffer.from(buildZip(entries).toString('latin1').replaceAll('part-1', '../x-1'), 'latin1');
};

it.each<[string, () => string | Uint8Array, string]>([
  ['an empty file', () => '', 'workbookEmptyFile'],
  ['a web page', () => '\r\n<html><table/></html>', 'workbookMarkup'],
  ['a text file', () => 'a;b\n1;2', 'workbookText'],
  ['another ZIP file', () => buildZip({ mimetype: 'application/vnd.oasis.opendocument.spreadsheet' }), 'workbookOther'],
  ['a workbook of Excel 97', () => buildCompoundFile('Workbook'), 'workbookLegacy'],
  ['a workbook with a password', () => buildCompoundFile('EncryptedPackage'), 'workbookPassword'],
  ['a binary workbook', () => writeSheet('xlsb'), 'workbookBinary'],
  ['macros', () => buildWorkbook({ sheets: plainSheets, parts: { 'xl/vbaProject.bin': 'x' } }), 'workbookMacros'],
  ['a truncated file', () => buildWorkbook({ sheets: plainSheets }).subarray(0, -30), 'workbookDamaged'],
  ['a part outside the file', () => buildZipWithOutsideName('a', 'b'), 'workbookDamaged'],
  ['a part that is larger than it declares', buildLyingWorkbook, 'workbookDamaged'],
  [
    'a document type',
    () => buildWorkbook({ sheets: plainSheets, parts: { 'xl/workbook.xml': '<!DOCTYPE a []><a/>' } }),
    'workbookDamaged',
  ],
  [
    'rows out of order',
    () => buildWorkbook({ sheets: { S: '<sheetData><row r="2"/><row r="1"/></sheetData>' } }),
    'workbookDamaged',
  ],
  [
    'a cell far to the right',
    () => buildWorkbook({ sheets: { S: '<sheetData><row r="1"><c r="XFD1"><v>1</v></c></row></sheetData>' } }),
    'workbookColumns',
  ],
])('refuses %s', async (_, build, id) => {
  await expect(read(build())).rejects.toMatchObject(refusal(id));
});

function writeSheet(bookType: 'xlsb' | 'xlsx'): Buffer {
  const book = xlsx.utils.book_new();
  xlsx.utils.book_append_sheet(book, xlsx.utils.aoa_to_sheet([[1]]), 'S');
  return xlsx.write(book, { bookType, type: 'buffer' }) as Buffer;
}

it('reads a workbook that lists the type of binary parts but has none', async () => {
  expect((await read(writeSheet('xlsx'))).map(({ cells }) => cells)).toEqual([[1]]);
});

it('refuses a ZIP bomb before inflating it, by the declared size of its parts and by their number', async () => {
  const file = folder.path('bomb.xlsx');
  await writeZip(file, [['xl/worksheets/sheet1.xml', '<a/>']]);
  const bomb = await readFile(file);
  bomb.writeUInt32LE(900 * 1024 ** 2, bomb.lastIndexOf('xl/worksheets') - 46 + 24);
  await expect(read(bomb)).rejects.toMatchObject(refusal('workbookInflates'));
  const crowdedWorkbook = buildWorkbook({ sheets: plainSheets });
  crowdedWorkbook.writeUInt16LE(10_001, crowdedWorkbook.length - 22 + 10);
  await expect(read(crowdedWorkbook)).rejects.toMatchObject(refusal('workbookInflates'));
});

it('refuses more rows than allowed', async () => {
  await expect(read(buildWorkbook({ sheets: plainSheets }), 'xlsx', 1)).rejects.toMatchObject(refusal('workbookRows'));
});

it('reads CSV in the encodings and separators of spreadsheets, as text', async () => {
  const text = 'Tag;Größe\r\n007;1,5\r\n\r\n"a;""b""\n2";\r\n';
  const rows = [
    { sheet: '', row: 1, hidden: false, cells: ['Tag', 'Größe'] },
    { sheet: '', row: 2, hidden: false, cells: ['007', '1,5'] },
    { sheet: '', row: 4, hidden: false, cells: ['a;"b"\n2'] },
  ];
  const utf16 = Buffer.from(`\u{feff}${text}`, 'utf16le');
  for (const content of [text, `\u{feff}${text}`, utf16, Buffer.from(utf16).swap16(), Buffer.from(text, 'latin1')])
    expect(await read(content, 'csv')).toEqual(rows);
  const windows1252 = Buffer.from('Tag;Note\nA;\x80 \x85 \x91\x92\x93\x94 \x96 \x97 \xff', 'latin1');
  expect((await read(windows1252, 'csv'))[1]?.cells).toEqual(['A', '€ … ‘’“” – — ÿ']);
  expect((await read('a,b\n"1,5",2', 'csv'))[1]?.cells).toEqual(['1,5', '2']);
  // Titles and texts can contain other separators than the file.
  expect((await read('Lines, unit 1\n\nNo,Size\n1,2', 'csv'))[1]?.cells).toEqual(['No', 'Size']);
  const texts = ['Lines, unit 1', 'No;Text', '1;Valve, gate', '2;Valve, ball', '3;Valve, globe'].join('\n');
  expect((await read(texts, 'csv'))[4]?.cells).toEqual(['3', 'Valve, globe']);
  const french = [
    'Site A, unité 1',
    'Relevé du 3 mai, révision B',
    'Repère;X;Y;Note',
    'A;1,5;2,5;',
    'B;3,5;4,5;à voir',
  ];
  expect((await read(french.join('\n'), 'csv'))[3]?.cells).toEqual(['A', '1,5', '2,5']);
  const titles = ['Site A, unit 1', 'Survey, 3 May', 'Issued, revision B', 'No;Size', '1;2'].join('\n');
  expect((await read(titles, 'csv'))[4]?.cells).toEqual(['1', '2']);
  const decimals = ['X;Y;Z', ...Array.from({ length: 5 }, () => '100,5;200,7;3,0')].join('\n');
  expect((await read(decimals, 'csv'))[1]?.cells).toEqual(['100,5', '200,7', '3,0']);
  expect((await read('1,2,3\n4,5,6', 'csv'))[1]?.cells).toEqual(['4', '5', '6']);
  expect((await read('No, Size, Text\n1, 2, a;b\n2, 3, c', 'csv'))[0]?.cells).toEqual(['No', ' Size', ' Text']);
  expect((await read('sep=|\nNo|X,Y\n1|2,5', 'csv'))[1]?.cells).toEqual(['No', 'X,Y']);
  await expect(read('a,b\n"1,2\n', 'csv')).rejects.toMatchObject(refusal('csvQuotes'));
  await expect(read(buildWorkbook({ sheets: plainSheets }), 'csv')).rejects.toMatchObject(refusal('csvWorkbook'));
});

it('reads JSON of the same shape', async () => {
  const content = { Tags: [{ Tag: "'07", Size: 1.5 }, {}, { Live: true, Size: null, Odd: {}, Of: ['a'] }], Empty: [] };
  const absent = { absent: true };
  expect(await read(JSON.stringify(content), 'json')).toEqual([
    { sheet: 'Tags', row: 1, hidden: false, cells: ['Tag', 'Size', 'Live', 'Odd', 'Of'] },
    { sheet: 'Tags', row: 2, hidden: false, cells: ["'07", 1.5, absent, absent, absent] },
    { sheet: 'Tags', row: 4, hidden: false, cells: [absent, null, true, { error: 'UNREADABLE' }, ['a']] },
    { sheet: 'Empty', row: 1, hidden: false, cells: [] },
  ]);
  expect((await read('[{"a":12345678901234567890}]', 'json'))[1]?.cells).toEqual([{ error: 'NOT_EXACT' }]);
  await expect(read('{"a":', 'json')).rejects.toMatchObject(refusal('jsonUnreadable'));
  await expect(read('{"a":{}}', 'json')).rejects.toMatchObject(refusal('jsonShape'));
});

describeWithSampleData('sample workbooks', ['excel/sheetjs', 'excel/closedxml', 'excel/poi-hostile'], (folders) => {
  it('[IMP-02] reads each like SheetJS, or refuses it', async () => {
    const files = await listWorkbooks(folders);
    const refusedFiles: string[] = [];
    for (const file of files) {
      const outcome = await collect(readTables(file, 'xlsx', { maxRows: 10_000, report: true })).catch(
        (error: { userMessage?: unknown }) => {
          expect(error.userMessage, file).toBeDefined();
          refusedFiles.push(path.basename(file));
        },
      );
      if (outcome) expect(listDifferences(outcome, await readFile(file)), file).toEqual([]);
    }
    expect(files.length).toBeGreaterThan(70);
    expect(
      refusedFiles.filter(
        (name) => !/\.(?:xls[bm]?|zip)$|fuzz|bomb|corrupt|invalid|protect|crash|DrawingSizeInPx/i.test(name),
      ),
    ).toEqual([]);
  });
});

/** Lists cells that SheetJS reads differently. It returns dates as the numbers behind them. */
function listDifferences(rows: readonly SheetRow[], content: Buffer): unknown[] {
  const { Sheets: sheets } = xlsx.read(content);
  const cells = rows.flatMap(({ sheet, row, cells: values }) =>
    values.flatMap((value, index) =>
      value === null ? [] : [{ value, sheet, at: xlsx.utils.encode_cell({ r: row - 1, c: index }) }],
    ),
  );
  return cells.filter(({ value, sheet, at }) => {
    const oracleCell = sheets[sheet]?.[at] as xlsx.CellObject | undefined;
    const isDate = value instanceof Date || (typeof value === 'object' && value !== null && 'day' in value);
    if (isDate) return typeof oracleCell?.v !== 'number';
    if (typeof value === 'object' && value !== null && 'percent' in value) return oracleCell?.v !== value.percent;
    if (typeof value === 'string' && typeof oracleCell?.v === 'number') return oracleCell.w !== value;
    return typeof value === 'object' ? oracleCell?.w !== value?.error : oracleCell?.v !== value;
  });
}
