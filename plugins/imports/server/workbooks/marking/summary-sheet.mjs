// The sheet that lists all findings, each with a link to its cell.
import { encodeCellText, escapeAttribute, toColumnLetters } from '../ooxml/xml.mjs';
import { summaryHeader } from '../reading/report-sheets.mjs';

/** Excel repairs a sheet with more links. */
const maxLinks = 65_000;
const widths = [20, 8, 24, 30, 80, 12];

/** Yields the XML. `placeByFinding` gives each finding its column and value, as `planFindings` returns it. */
export function* createSummarySheet(findings, placeByFinding, styles, namespace) {
  const { headerFormat, linkFormat } = styles;
  yield (
    `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<worksheet xmlns="${namespace}"><sheetViews>` +
    '<sheetView tabSelected="1" workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" ' +
    `state="frozen"/></sheetView></sheetViews><cols>${widths
      .map((width, index) => `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`)
      .join('')}</cols><sheetData><row r="1">`
  );
  for (const [index, header] of summaryHeader.entries()) yield toTextCell(1, index + 1, header, headerFormat);
  yield '</row>';
  for (const [index, finding] of findings.entries()) {
    const row = index + 2;
    const isLinked = placeByFinding.has(finding);
    const values = [
      finding.sheet,
      finding.row,
      finding.column,
      formatValue(placeByFinding.get(finding)?.value),
      finding.message,
    ];
    yield `<row r="${row}">${[...values, finding.severity]
      .map((value, column) => toCell(row, column + 1, value, isLinked && column === 1 ? linkFormat : 0))
      .join('')}</row>`;
  }
  yield `</sheetData><autoFilter ref="A1:F${findings.length + 1}"/>`;
  const links = findings.flatMap((finding, index) =>
    placeByFinding.has(finding) ? [createLink(index + 2, finding, placeByFinding.get(finding).column ?? 1)] : [],
  );
  if (links.length > 0) yield `<hyperlinks>${links.slice(0, maxLinks).join('')}</hyperlinks>`;
  yield '</worksheet>';
}

const createLink = (row, { sheet, row: target }, column) =>
  `<hyperlink ref="B${row}" location="${escapeAttribute(`'${sheet.replaceAll("'", "''")}'!${toColumnLetters(column)}${target}`)}"/>`;

const toCell = (row, column, value, format) =>
  typeof value === 'number'
    ? `<c r="${toColumnLetters(column)}${row}" s="${format}"><v>${value}</v></c>`
    : toTextCell(row, column, value ?? '', format);

const toTextCell = (row, column, text, format) =>
  text === ''
    ? ''
    : `<c r="${toColumnLetters(column)}${row}" s="${format}" t="inlineStr"><is><t xml:space="preserve">` +
      `${encodeCellText(text.slice(0, 32_000))}</t></is></c>`;

function formatValue(value) {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return value.toISOString().slice(0, 16).replace('T', ' ');
  if (value.day) return value.day.toISOString().slice(0, 10);
  if (value.percent !== undefined) return String(value.percent);
  return typeof value === 'object' ? value.error : String(value);
}
