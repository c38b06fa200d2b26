import { fork } from 'node:child_process';
import { rm } from 'node:fs/promises';
import type { LocalizedError } from '#core';
import { invalidRequest, temporaryFilesFull } from '#core/server';
import { importsRefusal } from '../../contract/errors.ts';
import { toWorkbookRefusal } from './workbook-refusal.ts';
import type { CellFinding } from './workbook-types.ts';

const heapMegabytes = 1024;
const maxMs = 5 * 60_000;

type Answer =
  | { readonly ok: true }
  | { readonly refusal: LocalizedError; readonly cause: string }
  | { readonly diskFull: true }
  | { readonly failed: string };

/**
 * Copies the customer's workbook to `out` in a child process. Adds a first sheet `Summary` with a link to each cell,
 * and to sheets with findings a first column `Errors` and marked cells with comments. Everything else stays; references
 * to columns that moved are moved too. An `Errors` column and a `Summary` of an earlier error workbook are replaced.
 *
 * @throws `invalidRequest` with a refusal if the original cannot be read, `temporaryFilesFull` if the disk is full
 */
export async function writeErrorWorkbook(
  original: string,
  out: string,
  findings: readonly CellFinding[],
): Promise<void> {
  const answer = await runProcess(original, out, findings);
  if (answer && 'ok' in answer) return;
  await rm(out, { force: true });
  if (answer && 'refusal' in answer)
    throw Object.assign(invalidRequest(toWorkbookRefusal(answer.refusal)), { cause: answer.cause });
  if (answer && 'diskFull' in answer) throw temporaryFilesFull();
  if (answer) throw new Error(`The error workbook could not be written: ${answer.failed}`);
  throw invalidRequest(importsRefusal('imports.refused.workbookTooComplex'));
}

/** Undefined if the process ended without an answer. */
function runProcess(original: string, out: string, findings: readonly CellFinding[]): Promise<Answer | undefined> {
  return new Promise((resolve, reject) => {
    const child = fork(new URL('./mark-workbook-process.mjs', import.meta.url), [original, out], {
      execArgv: [`--max-old-space-size=${heapMegabytes}`],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    const timer = setTimeout(() => child.kill('SIGKILL'), maxMs);
    let answer: Answer | undefined;
    child.on('message', (message) => {
      answer = message as Answer;
    });
    child.once('error', reject);
    child.once('close', () => {
      clearTimeout(timer);
      resolve(answer);
    });
    child.send([...findings], () => undefined);
  });
}
