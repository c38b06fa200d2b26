// Writes an error workbook in a child process. Its arguments are the original and the new file. It receives one message
// with the findings, and sends `{ ok }`, `{ refusal, cause }`, `{ diskFull }` or `{ failed }`.
import process from 'node:process';
import { markWorkbook } from './marking/mark-workbook.mjs';
import { WorkbookError } from './ooxml/workbook-error.mjs';

process.on('disconnect', () => process.exit());

const [original, out] = process.argv.slice(2);
const findings = await new Promise((resolve) => process.once('message', resolve));
const answer = await markWorkbook(original, out, findings).then(() => ({ ok: true }), toAnswer);
process.send(answer, () => process.disconnect());

function toAnswer(error) {
  if (['ENOSPC', 'EDQUOT'].includes(error?.code)) return { diskFull: true };
  if (error instanceof WorkbookError)
    return { refusal: error.userMessage, cause: String(error.cause ?? '').slice(0, 400) };
  return { failed: String(error?.stack ?? error).slice(0, 1000) };
}
