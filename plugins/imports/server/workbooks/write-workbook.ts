import { createCommentDrawing, createCommentsPart } from './ooxml/comments.mjs';
import { toColumnLetters } from './ooxml/xml.mjs';
import { writeZip, type EntryContent } from './ooxml/zip-output.mjs';
import type { CellValue, ColumnLayout, WorkbookLayout } from './workbook-types.ts';
import {
  createContentTypes,
  createSheetRelationships,
  createWorkbookPart,
  createWorkbookRelationships,
  mainNamespace,
  rootRelationships,
  stylesPart,
  type SheetEntry,
} from './writing/fixed-parts.ts';
import { createTextSheet, generateDataSheet, hasNotes } from './writing/sheet-part.ts';

const author = 'Walkdown';
/** Names of the sheets that hold no data. */
export const readmeSheet = 'README';
export const metaSheet = '_meta';
export const listsSheet = '_lists';
/** The limit of Excel for a drop-down list that is not a range. */
const maxListLength = 255;

/**
 * Writes a template or an export: `README`, the data sheets, and the hidden sheets `_meta` and, if lists of allowed
 * values are long, `_lists`. Rows are streamed, so that they are never all in memory. Text that a spreadsheet could
 * take for a formula gets an apostrophe, which reading removes. The values of `boolean` columns without a list are Y
 * and N.
 *
 * @throws RangeError if a spreadsheet cannot hold a value or a name; whatever `rows` throws. No file is left then.
 */
export async function writeWorkbook(
  out: string,
  layout: WorkbookLayout,
  rows: (sheet: string) => AsyncIterable<readonly CellValue[]>,
): Promise<void> {
  const lists = new DropDownLists();
  const dropDowns = new Map(layout.sheets.flatMap(({ columns }) => columns.flatMap((column) => lists.addList(column))));
  const textSheets: readonly TextSheet[] = [
    { name: metaSheet, rows: Object.entries(layout.meta), widths: [24, 60] },
    ...(lists.listColumns.length === 0
      ? []
      : [{ name: listsSheet, rows: transpose(lists.listColumns), widths: lists.listColumns.map(() => 30) }]),
  ];
  const sheetEntries: readonly SheetEntry[] = [
    { name: readmeSheet, hidden: false, hasComments: false },
    ...layout.sheets.map(({ name, columns }) => ({ name, hidden: false, hasComments: hasNotes(columns) })),
    ...textSheets.map(({ name }) => ({ name, hidden: true, hasComments: false })),
  ];
  assertSheetNames(sheetEntries.map(({ name }) => name));
  const contents: readonly EntryContent[] = [
    createTextSheet(
      layout.readme.map((line) => [line]),
      [120],
    ),
    ...layout.sheets.map((sheet) => () => generateDataSheet(sheet, dropDowns, rows(sheet.name))),
    ...textSheets.map((sheet) => createTextSheet(sheet.rows, sheet.widths)),
  ];
  await writeZip(out, [
    ['[Content_Types].xml', createContentTypes(sheetEntries)],
    ['_rels/.rels', rootRelationships],
    ['xl/workbook.xml', createWorkbookPart(sheetEntries)],
    ['xl/_rels/workbook.xml.rels', createWorkbookRelationships(sheetEntries)],
    ['xl/styles.xml', stylesPart],
    ...contents.map((content, index) => [`xl/worksheets/sheet${index + 1}.xml`, content] as const),
    ...layout.sheets.flatMap(({ columns }, index) => (hasNotes(columns) ? createNotes(columns, index + 2) : [])),
  ]);
}

interface TextSheet {
  readonly name: string;
  readonly rows: readonly (readonly string[])[];
  readonly widths: readonly number[];
}

function createNotes(columns: readonly ColumnLayout[], sheetNumber: number): readonly (readonly [string, string])[] {
  const comments = columns.flatMap(({ note }, index) =>
    note === '' ? [] : [{ row: 1, column: index + 1, text: note }],
  );
  return [
    [`xl/comments${sheetNumber}.xml`, createCommentsPart(comments, author, mainNamespace)],
    [`xl/drawings/vmlDrawing${sheetNumber}.vml`, createCommentDrawing(comments)],
    [`xl/worksheets/_rels/sheet${sheetNumber}.xml.rels`, createSheetRelationships(sheetNumber)],
  ];
}

/** The lists of allowed values. Short lists are part of the validation; longer ones are columns of a hidden sheet. */
class DropDownLists {
  readonly listColumns: string[][] = [];

  addList(column: ColumnLayout): readonly (readonly [ColumnLayout, string])[] {
    const values = column.values ?? (column.kind === 'boolean' ? ['Y', 'N'] : []);
    if (values.length === 0) return [];
    const list = values.join(',');
    if (list.length <= maxListLength && !values.some((value) => /[",]|^\s|\s$/.test(value)))
      return [[column, `"${list}"`]];
    this.listColumns.push([...values]);
    const letters = toColumnLetters(this.listColumns.length);
    return [[column, `${listsSheet}!$${letters}$1:$${letters}$${values.length}`]];
  }
}

const transpose = (columns: readonly (readonly string[])[]): readonly (readonly string[])[] =>
  Array.from({ length: Math.max(0, ...columns.map(({ length }) => length)) }, (_, row) =>
    columns.map((column) => column[row] ?? ''),
  );

function assertSheetNames(names: readonly string[]): void {
  const invalid = names.find((name) => !/^(?!')[^[\]:*?/\\]{1,31}(?<!')$/.test(name));
  if (invalid !== undefined) throw new RangeError(`A spreadsheet cannot have a sheet named ${invalid}.`);
  if (new Set(names.map((name) => name.toLowerCase())).size < names.length)
    throw new RangeError('Two sheets have the same name.');
}
