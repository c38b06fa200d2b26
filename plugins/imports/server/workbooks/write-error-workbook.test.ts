import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import * as xlsx from 'xlsx';
import { describeWithSampleData } from '#core/testing/sample-data';
import { buildWorkbook, collect, createFolder, listWorkbooks } from '../../testing/workbooks.ts';
import { markWorkbook } from './marking/mark-workbook.mjs';
import { shiftFormula } from './marking/shift-references.mjs';
import { readTables } from './reading/read-tables.mjs';
import type { CellFinding } from './workbook-types.ts';
import { writeErrorWorkbook } from './write-error-workbook.ts';

const folder = createFolder();
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const relationships = (...lines: readonly string[]): string =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${lines.join('')}</Relationships>`;

/** A customer's workbook: formats, widths, formulas across sheets, a table, a picture, a comment, rules and names. */
const original = buildWorkbook({
  sheets: {
    'My Tags':
      '<dimension ref="A1:C4"/><sheetViews><sheetView tabSelected="1" workbookViewId="0"><pane xSplit="1" ySplit="1" topLeftCell="B2" state="frozen"/></sheetView></sheetViews>' +
      '<cols><col min="1" max="2" width="33" customWidth="1"/></cols><sheetData>' +
      '<row r="1" spans="1:3"><c r="A1" t="inlineStr"><is><t>Tag *</t></is></c><c r="B1" t="inlineStr"><is><t>Size</t></is></c><c r="C1" t="inlineStr"><is><t>Sum</t></is></c></row>' +
      '<row r="2" ht="40" customHeight="1"><c r="A2" s="1"><v>7</v></c><c r="B2"><v>2</v></c><c r="C2"><f>A2+$B2+SUM(A:B)+Other!A1+LOG10(1)</f><v>9</v></c></row>' +
      '<row r="4"><c r="A4" t="inlineStr"><is><t>A1</t></is></c></row></sheetData>' +
      '<mergeCells><mergeCell ref="A4:B4"/></mergeCells><conditionalFormatting sqref="A2:B4"><cfRule type="expression" priority="1"><formula>$A2&gt;1</formula></cfRule></conditionalFormatting>' +
      '<dataValidations count="1"><dataValidation type="list" sqref="B2:B9"><formula1>Other!$A$1:$A$2</formula1></dataValidation></dataValidations>' +
      '<hyperlinks><hyperlink ref="B2" location="\'My Tags\'!A1"/></hyperlinks><drawing r:id="d"/><legacyDrawing r:id="v"/><tableParts count="1"><tablePart r:id="t"/></tableParts>',
    Other: '<sheetData><row r="1"><c r="A1"><f>\'My Tags\'!B2</f><v>2</v></c></row></sheetData>',
  },
  styles:
    '<numFmts count="1"><numFmt numFmtId="170" formatCode="0.00"/></numFmts><fonts count="1"><font><i/><sz val="9"/><name val="Arial"/></font></fonts><fills count="1"><fill><patternFill patternType="none"/></fill></fills>' +
    '<borders count="1"><border/></borders><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="170" fontId="0" fillId="0" borderId="0"><alignment horizontal="center"/></xf></cellXfs>',
  after:
    '<definedNames><definedName name="Sizes">\'My Tags\'!$B$2:$B$9</definedName><definedName name="_xlnm.Print_Titles" localSheetId="0">\'My Tags\'!$A:$A</definedName></definedNames>',
  parts: {
    'xl/worksheets/_rels/sheet1.xml.rels': relationships(
      `<Relationship Id="d" Type="${office}/drawing" Target="../drawings/drawing1.xml"/>`,
      `<Relationship Id="v" Type="${office}/vmlDrawing" Target="../drawings/vmlDrawing1.vml"/>`,
      `<Relationship Id="c" Type="${office}/comments" Target="../comments1.xml"/>`,
      `<Relationship Id="t" Type="${office}/table" Target="../tables/table1.xml"/>`,
    ),
    'xl/tables/table1.xml':
      '<table id="1" name="T" ref="A1:C2"><autoFilter ref="A1:C2"/><tableColumns count="1"><tableColumn id="1" name="Sum"><calculatedColumnFormula>T[[#This Row],[Size]]+B2</calculatedColumnFormula></tableColumn></tableColumns></table>',
    'xl/comments1.xml':
      '<comments><authors><author>Ann</author></authors><commentList><comment ref="B2" authorId="0"><text><t>Mine</t></text></comment></commentList></comments>',
    'xl/drawings/vmlDrawing1.vml':
      '<xml xmlns:v="v" xmlns:x="x"><v:shape id="_x0000_s1025"><x:ClientData><x:Anchor>1, 15, 1, 2, 4, 15, 5, 4</x:Anchor><x:Row>1</x:Row><x:Column>1</x:Column></x:ClientData></v:shape></xml>',
    'xl/drawings/drawing1.xml':
      '<d:wsDr xmlns:d="d"><d:twoCellAnchor><d:from><d:col>0</d:col><d:row>0</d:row></d:from><d:to><d:col>2</d:col><d:row>5</d:row></d:to></d:twoCellAnchor></d:wsDr>',
    'xl/media/image1.png': 'unchanged bytes',
    'xl/charts/chart1.xml': '<c:chart xmlns:c="c"><c:f>\'My Tags\'!$B$2:$B$3</c:f></c:chart>',
    'xl/pivotCache/pivotCacheDefinition1.xml': '<p><worksheetSource ref="A1:C2" sheet="My Tags"/></p>',
  },
});

const finding = (changes: Partial<CellFinding>): CellFinding => ({
  sheet: 'My Tags',
  row: 2,
  column: 'Tag',
  columnIndex: 0,
  message: 'Bad',
  severity: 'ERROR',
  ...changes,
});
const findings = [
  finding({ message: 'Enter Number' }),
  finding({ message: 'Max value is 5' }),
  finding({ column: 'Size', columnIndex: 1, message: 'Unusual', severity: 'WARNING' }),
  finding({ row: 4, column: 'sum', columnIndex: 2, message: 'This is a mandatory field' }),
  finding({ row: 3, column: null, columnIndex: null, message: 'Row is missing' }),
  finding({ row: 1, column: 'Unit', columnIndex: null, message: 'Column Unit is missing' }),
  finding({ sheet: 'Absent', row: 1, column: null, columnIndex: null, message: 'Sheet Absent is missing' }),
];

type Files = xlsx.WorkBook & { files: Record<string, { content: Uint8Array }> };
const open = async (file: string): Promise<Files> =>
  xlsx.read(await readFile(file), { cellStyles: true, bookFiles: true }) as Files;
const getText = (book: Files, name: string): string => Buffer.from(book.files[name]?.content ?? []).toString();
const read = (file: string, report = false) => collect(readTables(file, 'xlsx', { maxRows: 100, report }));

async function mark(list: readonly CellFinding[], source?: string): Promise<Files & { path: string }> {
  const path = folder.path(source ? 'again.xlsx' : 'marked.xlsx');
  await markWorkbook(source ?? (await folder.save('original.xlsx', original)), path, list);
  return { ...(await open(path)), path };
}

it('[IMP-03] adds a column of errors, marks cells with comments, and lists all findings in a first sheet with links', async () => {
  const book = await mark(findings);
  expect(book.SheetNames).toEqual(['Summary', 'My Tags', 'Other']);
  const sheet = book.Sheets['My Tags'] ?? {};
  expect(['A1', 'A2', 'A3', 'A4', 'B1'].map((at) => (sheet[at] as xlsx.CellObject | undefined)?.v)).toEqual([
    'Errors',
    '[Tag] Enter Number; [Tag] Max value is 5; [Size] Unusual',
    'Row is missing',
    '[sum] This is a mandatory field',
    'Tag *',
  ]);
  const styles = getText(book, 'xl/styles.xml');
  expect(styles).toContain('<font><i/><color rgb="FF9C0006"/><sz val="9"/><name val="Arial"/></font>');
  const colors = ['B2', 'C2', 'D4'].map((at) => (sheet[at] as { s?: { fgColor?: { rgb: string } } }).s?.fgColor?.rgb);
  expect(colors).toEqual(['FFC7CE', 'FFEB9C', 'FFC7CE']);
  const notes = ['B2', 'C2', 'D4'].map((at) => (sheet[at] as xlsx.CellObject).c?.map(({ t }) => t));
  expect(notes).toEqual([['Enter Number\nMax value is 5'], ['Mine'], ['This is a mandatory field']]);
  const [summary = []] = [xlsx.utils.sheet_to_json<unknown[]>(book.Sheets.Summary ?? {}, { header: 1 })];
  expect(summary[1]).toEqual(['My Tags', 2, 'Tag', '7', 'Enter Number', 'ERROR']);
  expect(summary).toHaveLength(8);
  expect(book.Sheets.Summary?.['!autofilter']).toEqual({ ref: 'A1:F8' });
  expect((book.Sheets.Summary?.B2 as xlsx.CellObject | undefined)?.l?.Target).toBe("#'My Tags'!B2");
});

it('keeps the rest of the workbook, with references moved by a column', async () => {
  const book = await mark(findings);
  const sheet = getText(book, 'xl/worksheets/sheet1.xml');
  for (const part of [
    '<f>B2+$C2+SUM(B:C)+Other!A1+LOG10(1)</f>',
    '<row r="2" ht="40" customHeight="1">',
    '<col min="2" max="3" width="33" customWidth="1"/>',
    '<pane xSplit="2" ySplit="1" topLeftCell="C2" state="frozen"/>',
    '<mergeCell ref="B4:C4"/>',
    '<conditionalFormatting sqref="B2:C4">',
    '<formula>$B2&gt;1</formula>',
    'sqref="C2:C9"><formula1>Other!$A$1:$A$2</formula1>',
    `<hyperlink ref="C2" location="'My Tags'!B1"/>`,
    '<legacyDrawing r:id="v"/>',
  ])
    expect(sheet).toContain(part);
  expect(getText(book, 'xl/worksheets/sheet2.xml')).toContain("<f>'My Tags'!C2</f>");
  const table = getText(book, 'xl/tables/table1.xml');
  expect(table).toContain('ref="B1:D2"');
  expect(table).toContain('T[[#This Row],[Size]]+C2');
  expect(getText(book, 'xl/drawings/drawing1.xml')).toContain('<d:col>1</d:col>');
  expect(getText(book, 'xl/drawings/vmlDrawing1.vml')).toContain('<x:Anchor>2, 15, 1, 2, 5, 15, 5, 4</x:Anchor>');
  expect(getText(book, 'xl/media/image1.png')).toBe('unchanged bytes');
  expect(getText(book, 'xl/charts/chart1.xml')).toContain("<c:f>'My Tags'!$C$2:$C$3</c:f>");
  expect(getText(book, 'xl/pivotCache/pivotCacheDefinition1.xml')).toContain('ref="B1:D2"');
  const names = getText(book, 'xl/workbook.xml');
  expect(names).toContain("'My Tags'!$C$2:$C$9");
  expect(names).toContain(`localSheetId="1">'My Tags'!$B:$B<`);
  // The number format, the alignment and the border of a marked cell stay.
  expect(getText(book, 'xl/styles.xml')).toMatch(/<xf numFmtId="170"[^>]*><alignment horizontal="center"\/><\/xf>/);
});

it('[IMP-03] reads the same data from the error workbook, and replaces its findings the next time', async () => {
  const first = await mark(findings);
  const data = await read(await folder.save('original.xlsx', original));
  expect(await read(first.path)).toEqual(data);
  expect((await read(first.path, true)).some(({ sheet }) => sheet === 'Summary')).toBe(true);
  const second = await mark([finding({ row: 4, message: 'Still bad' })], first.path);
  expect(await read(second.path)).toEqual(data);
  expect(second.SheetNames).toEqual(['Summary', 'My Tags', 'Other']);
  const sheet = second.Sheets['My Tags'] ?? {};
  expect((sheet.A2 as xlsx.CellObject | undefined)?.v).toBeUndefined();
  expect((sheet.A4 as xlsx.CellObject).v).toBe('[Tag] Still bad');
  expect((sheet.B2 as { s?: { patternType?: string } }).s?.patternType).toBe('none');
  expect((sheet.B2 as xlsx.CellObject).c).toBeUndefined();
  expect((sheet.C2 as xlsx.CellObject).c?.[0]?.t).toBe('Mine');
});

it('keeps the comments of each sheet apart when another sheet has findings the next time', async () => {
  const cells =
    '<sheetData><row r="1"><c t="inlineStr"><is><t>Tag</t></is></c></row><row r="2"><c><v>1</v></c></row></sheetData>';
  const source = await folder.save('two.xlsx', buildWorkbook({ sheets: { A: cells, B: cells } }));
  const first = await mark([finding({ sheet: 'B', message: 'First' })], source);
  const later = folder.path('later.xlsx');
  await markWorkbook(
    first.path,
    later,
    ['A', 'B'].map((sheet) => finding({ sheet, message: `In ${sheet}` })),
  );
  const { Sheets: sheets } = await open(later);
  const notes = ['A', 'B'].map((name) => (sheets[name]?.B2 as xlsx.CellObject | undefined)?.c?.map(({ t }) => t));
  expect(notes).toEqual([['In A'], ['In B']]);
});

it('marks a sheet that begins far below, and matches its name whatever its case and spaces', async () => {
  const farSheet =
    '<sheetData><row r="20"><c r="A20" t="inlineStr"><is><t>Tag</t></is></c></row><row r="21"><c r="A21"><v>1</v></c></row></sheetData>';
  const source = await folder.save('far.xlsx', buildWorkbook({ sheets: { 'MY  tags': farSheet } }));
  const out = folder.path('far-marked.xlsx');
  await markWorkbook(source, out, [finding({ row: 21 })]);
  const { Sheets: sheets } = await open(out);
  const sheet = sheets['MY  tags'] ?? {};
  expect((sheet.A21 as xlsx.CellObject | undefined)?.v).toBe('[Tag] Bad');
  expect((sheet.B21 as xlsx.CellObject | undefined)?.c?.map(({ t }) => t)).toEqual(['Bad']);
  expect((sheets.Summary?.B2 as xlsx.CellObject | undefined)?.l?.Target).toBe("#'MY  tags'!B21");
});

it('moves references in formulas, but not names, texts or references to other sheets', () => {
  const shiftedSheets = new Set(['data', "it's"]);
  const move = (formula: string) => shiftFormula(formula, 'Data', shiftedSheets);
  expect(move('A1+$B$2&"A1"&Rate_A1+A1B')).toBe('B1+$C$2&"A1"&Rate_A1+A1B');
  expect(move("'It''s'!A1:B2+Other!A1+Other!A1:B2+[1]Data!A1+Data!$A:$A")).toBe(
    "'It''s'!B1:C2+Other!A1+Other!A1:B2+[1]Data!A1+Data!$B:$B",
  );
  expect(move('SUM(1:1,T[A1],ATAN2(A1,Z9),XFD1)+1E+5')).toBe('SUM(1:1,T[A1],ATAN2(B1,AA9),XFD1)+1E+5');
});

it('writes in a child process, and refuses a file that is no workbook', async () => {
  const [source, out] = [await folder.save('original.xlsx', original), folder.path('child.xlsx')];
  await writeErrorWorkbook(source, out, findings);
  expect(await read(out)).toEqual(await read(source));
  const text = await folder.save('text.xlsx', 'a;b');
  await expect(writeErrorWorkbook(text, out, findings)).rejects.toMatchObject({
    userMessage: { message: 'imports.refused.workbookText' },
  });
  await expect(readFile(out)).rejects.toMatchObject({ code: 'ENOENT' });
});

describeWithSampleData('sample workbooks', ['excel/sheetjs', 'excel/closedxml', 'excel/poi-hostile'], (folders) => {
  it('[IMP-03] marks findings in unusual workbooks without changing their data', async () => {
    const unusualNames =
      /(?:strict|WithComments|OneHidden|1900|comments_stress|formula_stress|AllShapes|EmptyStyles|NoReferences|TableSource|ExclamationMark|ExternalLink|file1|CustomSheetViews)[^/]*\.xlsx$/;
    const files = (await listWorkbooks(folders)).filter((name) => unusualNames.test(name));
    expect(files.length).toBeGreaterThan(12);
    for (const file of files) {
      const options = { maxRows: 10_000, report: false };
      const rows = await collect(readTables(file, 'xlsx', options)).catch(() => undefined);
      if (!rows) continue;
      const marks = rows.slice(0, 20).map(({ sheet, row }, index): CellFinding => {
        const header = rows.find((other) => other.sheet === sheet && other.row === 1)?.cells[0];
        const column = typeof header === 'string' ? header : null;
        return {
          sheet,
          row,
          column,
          columnIndex: column === null ? null : 0,
          message: 'Bad',
          severity: index % 2 ? 'ERROR' : 'WARNING',
        };
      });
      const [marked, again] = [folder.path('marked.xlsx'), folder.path('again.xlsx')];
      await markWorkbook(file, marked, marks);
      await markWorkbook(marked, again, marks.slice(1));
      expect(await collect(readTables(marked, 'xlsx', options)), file).toEqual(rows);
      expect(await collect(readTables(again, 'xlsx', options)), file).toEqual(rows);
    }
  });
});
