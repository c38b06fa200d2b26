// Yields `{ sheet, row, hidden, cells, hiddenColumns }` of a workbook, a CSV file or a JSON file.
import { checkWorkbookFile } from './sniff-file.mjs';
import { withoutReport } from './report-sheets.mjs';
import { readSheetRows } from './sheet-rows.mjs';
import { openWorkbook, readNumberFormats, readSharedStrings } from './workbook-parts.mjs';
import { unescapeText } from './text-escape.mjs';
import { WorkbookError } from '../ooxml/workbook-error.mjs';
import { ZipPackage } from '../ooxml/zip-package.mjs';

const readers = {
  xlsx: (file, { report }) => readWorkbook(file, report),
  csv: async function* (file, { separator }) {
    const { readCsv } = await loadTextReaders();
    yield* readCsv(file, separator);
  },
  json: async function* (file) {
    const { readJson } = await loadTextReaders();
    yield* readJson(file);
  },
};
/**
 * Loaded only for CSV and JSON files, because loading their library takes a tenth of the time in which a small workbook
 * is read.
 */
const loadTextReaders = () => import('./text-rows.mjs');

/** @throws WorkbookError also if there are more than `maxRows` rows that are not blank */
export async function* readTables(file, type, options) {
  const { maxRows } = options;
  let count = 0;
  for await (const row of readers[type](file, options)) {
    count += 1;
    if (count > maxRows) throw new WorkbookError('imports.refused.workbookRows', { most: maxRows });
    // Programs that write JSON do not escape formulas, as spreadsheets have to.
    if (type === 'json') yield row;
    else yield { ...row, cells: row.cells.map((cell) => (typeof cell === 'string' ? unescapeText(cell) : cell)) };
  }
}

async function* readWorkbook(file, report) {
  const zip = await ZipPackage.open(file, await checkWorkbookFile(file));
  try {
    const book = await openWorkbook(zip);
    await zip.verify();
    const values = {
      is1904: book.is1904,
      numberFormats: await readNumberFormats(zip, book.stylesPart),
      strings: await readSharedStrings(zip, book.stringsPart),
    };
    for (const { name, part, hidden } of book.sheets) {
      const rows = readSheetRows(zip, part, values);
      for await (const row of report ? rows : withoutReport(name, rows))
        yield { ...row, sheet: name, hidden: hidden || row.hidden };
    }
  } finally {
    zip.close();
  }
}
