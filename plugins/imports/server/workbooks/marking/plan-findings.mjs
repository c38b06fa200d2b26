// Matches findings with the cells of a workbook, before it is copied.
import { toColumnLetters } from '../ooxml/xml.mjs';
import { maxHeaderRow } from '../reading/header-rows.mjs';
import { hasErrorsColumn, isSummary } from '../reading/report-sheets.mjs';
import { readSheetRows } from '../reading/sheet-rows.mjs';

/** A cell holds at most 32,767 characters. */
const maxErrorsLength = 32_000;
const maxComments = 2000;

/** Headers match case-insensitively and without the asterisk of required columns. */
const toKey = (header) =>
  String(header)
    .replace(/\*\s*$/, '')
    .trim()
    .toLowerCase();

/**
 * Reads the sheets once. Returns the column and value of each finding as `placeByFinding`, and what `markSheet` needs
 * for each sheet as `plans`. `column` is counted after the errors column is inserted; it is undefined if the sheet has
 * no such column.
 */
export async function planFindings(zip, book, values, findings, headers) {
  const findingsBySheet = groupBySheet(findings);
  const [plans, placeByFinding] = [new Map(), new Map()];
  let summaryPart;
  for (const { name, part } of book.sheets) {
    const sheetFindings = findingsBySheet.get(name) ?? [];
    const { topRows, rows } = await readRows(zip, part, values, new Set(sheetFindings.map(({ row }) => row)));
    const [firstRow] = topRows;
    if (firstRow && isSummary(name, firstRow)) {
      summaryPart ??= part;
      continue;
    }
    const hasErrors = firstRow !== undefined && hasErrorsColumn(firstRow);
    if (sheetFindings.length === 0 && !hasErrors) continue;
    const header = findHeader(topRows, headers[name] ?? []);
    const columns = new Map(
      (header?.cells ?? []).flatMap((cell, index) => (cell === null ? [] : [[toKey(cell), index]])),
    );
    const shift = !hasErrors;
    for (const finding of sheetFindings) {
      const index = finding.column === null ? undefined : columns.get(toKey(finding.column));
      const value = index === undefined ? null : (rows.get(finding.row)?.[index] ?? null);
      placeByFinding.set(finding, { column: index === undefined ? undefined : index + 1 + (shift ? 1 : 0), value });
    }
    plans.set(name, {
      shift,
      hasErrors,
      rows: planRows(sheetFindings, placeByFinding),
      comments: planComments(sheetFindings, placeByFinding),
    });
  }
  return { plans, placeByFinding, summaryPart };
}

/**
 * Replaces the names of sheets in findings and headers by those of the workbook. Imports match them whatever their case
 * and spaces.
 */
export function renameSheetsAsInWorkbook(book, findings, headers) {
  const names = new Map(book.sheets.map(({ name }) => [foldName(name), name]).reverse());
  const toName = (name) => names.get(foldName(name)) ?? name;
  return {
    findings: findings.map((finding) => ({ ...finding, sheet: toName(finding.sheet) })),
    headers: Object.fromEntries(Object.entries(headers).map(([name, texts]) => [toName(name), texts])),
  };
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
  const [topRows, rows] = [[], new Map()];
  for await (const row of readSheetRows(zip, part, values)) {
    const last = topRows.at(-1);
    if (row.cells.length > 0 && (last === undefined || last.row < maxHeaderRow)) topRows.push(row);
    if (wantedRows.has(row.row)) rows.set(row.row, row.cells);
  }
  return { topRows, rows };
}

/** Finds the first row that contains the most of the headers. If none contains any, the first row. */
function findHeader(rows, headers) {
  const keys = new Set(headers.map(toKey).filter((key) => key !== ''));
  const counts = rows.map(({ cells }) => cells.filter((cell) => cell !== null && keys.has(toKey(cell))).length);
  const maxCount = Math.max(0, ...counts);
  return maxCount > 0 ? rows[counts.indexOf(maxCount)] : rows[0];
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
