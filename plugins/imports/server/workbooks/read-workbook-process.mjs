// Reads a file in a child process. Its arguments are the file, its type and the options as JSON. For each `{ next }` it
// sends one message: `{ rows }`, and finally `{ done }` or `{ refusal, cause }`.
import process from 'node:process';
import { readTables } from './reading/read-tables.mjs';
import { WorkbookError } from './ooxml/workbook-error.mjs';

const maxBatchCells = 20_000;

let wake;
let credits = 0;
process.on('message', () => {
  credits += 1;
  wake?.();
});
process.on('disconnect', () => process.exit());

async function send(message) {
  while (credits === 0) await new Promise((resolve) => (wake = resolve));
  credits -= 1;
  await new Promise((resolve) => process.send(message, resolve));
}

async function sendRows(file, type, options) {
  let [rows, cells] = [[], 0];
  for await (const row of readTables(file, type, options)) {
    rows.push(row);
    cells += row.cells.length + 1;
    if (cells < maxBatchCells) continue;
    await send({ rows });
    [rows, cells] = [[], 0];
  }
  await send({ rows });
  await send({ done: true });
}

const [file, type, options] = process.argv.slice(2);
await sendRows(file, type, JSON.parse(options)).catch((error) => {
  const refusal = error instanceof WorkbookError ? error : new WorkbookError('imports.refused.workbookDamaged');
  return send({ refusal: refusal.userMessage, cause: String(error?.cause ?? error).slice(0, 400) });
});
process.disconnect();
