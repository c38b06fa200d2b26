// The names of the sheet and the column that an error workbook adds to the customer's own, and how they are recognized
// in the next upload.
export const errorsHeader = 'Errors';
export const summaryHeader = ['Sheet', 'Row', 'Column', 'Value', 'Message', 'Severity'];
const summaryName = /^Summary(?: \(\d+\))?$/;

/** Whether the row is the header of a summary of findings. */
export const isSummary = (name, { row, cells }) =>
  summaryName.test(name) && row === 1 && summaryHeader.every((header, index) => cells[index] === header);

export const hasErrorsColumn = ({ row, cells }) => row === 1 && cells[0] === errorsHeader;

/** Leaves out the summary, and the first column of sheets in which it holds errors. */
export async function* withoutReport(name, rows) {
  let dropsFirstColumn = false;
  for await (const row of rows) {
    if (isSummary(name, row)) return;
    dropsFirstColumn ||= hasErrorsColumn(row);
    const dataRow = dropsFirstColumn ? withoutFirstColumn(row) : row;
    if (dataRow.cells.length > 0) yield dataRow;
  }
}

function withoutFirstColumn({ hiddenColumns, ...row }) {
  const movedColumns = hiddenColumns?.map(([first, last]) => [first - 1, last - 1]);
  return { ...row, cells: row.cells.slice(1), ...(movedColumns ? { hiddenColumns: movedColumns } : {}) };
}

/** The name of a new summary, which no sheet has yet. */
export function createSummaryName(names) {
  const usedNames = new Set(names.map((name) => name.toLowerCase()));
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? 'Summary' : `Summary (${count})`;
    if (!usedNames.has(name.toLowerCase())) return name;
  }
}
