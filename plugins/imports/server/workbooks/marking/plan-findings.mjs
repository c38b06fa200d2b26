// Matches findings with the cells of a workbook, before it is copied.
import { toColumnLetters } from '../ooxml/xml.mjs';
import { hasErrorsColumn, isSummary } from '../reading/report-sheets.mjs';
import { readSheetRows } from '../reading/sheet-rows.mjs';

/** A cell holds at most 32,767 characters. */
const maxErrorsLength = 32_000;
const maxComments = 2000;

/**
 * Reads the sheets once. Returns the column and value of each finding as `placeByFinding`, and what `markSheet` needs
 * for each sheet as `plans`. `column` is counted after the errors column is inserted; it is undefined if the finding
 * concerns a row.
 */
export async function planFindings(zip, book, values, findings) {
  const findingsBySheet = groupBySheet(findings);
  const [plans, placeByFinding] = [new Map(), new Map()];
  let summaryPart;
  for (const { name, part } of book.sheets) {
    const sheetFindings = findingsBySheet.get(name) ?? [];
    const { firstRow, rows } = await readRows(zip, part, values, new Set(sheetFindings.map(({ row }) => row)));
    if (firstRow && isSummary(name, firstRow)) {
      summaryPart ??= part;
      continue;
    }
    const hasErrors = firstRow !== undefined && hasErrorsColumn(firstRow);
    if (sheetFindings.length === 0 && !hasErrors) continue;
    for (const finding of sheetFindings) {
      const { columnIndex } = finding;
      // The errors column of an earlier error workbook is not counted by the reader.
      const index = columnIndex === null ? undefined : columnIndex + (hasErrors ? 1 : 0);
      const value = index === undefined ? null : (rows.get(finding.row)?.[index] ?? null);
      // Both an earlier and a new errors column precede the data.
      placeByFinding.set(finding, { column: columnIndex === null ? undefined : columnIndex + 2, value });
    }
    plans.set(name, {
      shift: !hasErrors,
      hasErrors,
      rows: planRows(sheetFindings, placeByFinding),
      comments: planComments(sheetFindings, placeByFinding),
    });
  }
  return { plans, placeByFinding, summaryPart };
}

/**
 * Replaces the names of sheets in findings by those of the workbook. Imports match them whatever their case and spaces,
 * unless a sheet has exactly this name.
 */
export function renameSheetsAsInWorkbook(book, findings) {
  const sheetNames = book.sheets.map(({ name }) => name);
  const nameByKey = new Map([
    ...sheetNames.map((name) => [foldName(name), name]).reverse(),
    ...sheetNames.map((name) => [name, name]),
  ]);
  return findings.map((finding) => ({
    ...finding,
    sheet: nameByKey.get(finding.sheet) ?? nameByKey.get(foldName(finding.sheet)) ?? finding.sheet,
  }));
}

const foldName = (name) => name.replaceAll(/\s+/g, ' ').trim().toLowerCase();

function groupBySheet(findings) {
  const groups = new Map();
  for (const finding of findings) {
    if (!groups.has(finding.sheet)) groups.set(finding.sheet, []);
    groups.get(finding.sheet).push(finding);
  }
  return groups;
}

async function readRows(zip, part, values, wantedRows) {
  const rows = new Map();
  let firstRow;
  for await (const row of readSheetRows(zip, part, values)) {
    if (row.cells.length > 0) firstRow ??= row;
    if (wantedRows.has(row.row)) rows.set(row.row, row.cells);
  }
  return { firstRow, rows };
}

function planRows(findings, placeByFinding) {
  // Row 1 gets the header of the errors column.
  const rows = new Map([[1, { errors: [], marks: new Map() }]]);
  for (const finding of findings) {
    const { column } = placeByFinding.get(finding);
    if (!rows.has(finding.row)) rows.set(finding.row, { errors: [], marks: new Map() });
    const { errors, marks } = rows.get(finding.row);
    errors.push(finding.column === null ? finding.message : `[${finding.column}] ${finding.message}`);
    if (column !== undefined && marks.get(column) !== 'ERROR') marks.set(column, finding.severity);
  }
  for (const row of rows.values()) {
    const text = row.errors.join('; ');
    row.errors = text.length > maxErrorsLength ? `${text.slice(0, maxErrorsLength)}…` : text;
  }
  return rows;
}

/** One comment for each marked cell. */
function planComments(findings, placeByFinding) {
  const comments = new Map();
  for (const finding of findings) {
    const { column } = placeByFinding.get(finding);
    if (column === undefined) continue;
    const key = `${toColumnLetters(column)}${finding.row}`;
    const comment = comments.get(key);
    if (comment) comment.text += `\n${finding.message}`;
    else if (comments.size < maxComments) comments.set(key, { row: finding.row, column, text: finding.message });
  }
  return [...comments.values()].sort((a, b) => a.row - b.row || a.column - b.column);
}
