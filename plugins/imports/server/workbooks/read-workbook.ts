import { fork, type ChildProcess } from 'node:child_process';
import type { LocalizedError } from '#core';
import { invalidRequest } from '#core/server';
import { importsRefusal } from '../../contract/errors.ts';
import { toWorkbookRefusal } from './workbook-refusal.ts';
import type { FileType, ReadOptions, SheetRow } from './workbook-types.ts';

/** Memory outside the heap stays small, because files are read as streams. */
const heapMegabytes = 1024;
/** How long the server waits for the child process in total. Time in which the consumer works does not count. */
const maxWorkMs = 5 * 60_000;

type Answer =
  | { readonly rows: readonly SheetRow[] }
  | { readonly done: true }
  | { readonly refusal: LocalizedError; readonly cause: string };

/** Reads a workbook (.xlsx) like `readRows`. */
export const readWorkbook = (path: string, options: ReadOptions): AsyncIterable<SheetRow> =>
  readRows(path, 'xlsx', options);

/**
 * Reads the rows of all sheets in a child process, so that a hostile file cannot end the server. The process reads at
 * most two batches ahead of the consumer, and ends when the consumer stops or aborts.
 *
 * @throws `invalidRequest` with a refusal if the file is unreadable, hostile or too large; the reason of the signal
 */
export async function* readRows(path: string, type: FileType, options: ReadOptions): AsyncIterable<SheetRow> {
  options.signal?.throwIfAborted();
  const { maxRows, separator, report = false } = options;
  const child = fork(
    new URL('./read-workbook-process.mjs', import.meta.url),
    [path, type, JSON.stringify({ maxRows, separator, report })],
    {
      execArgv: [`--max-old-space-size=${heapMegabytes}`],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    },
  );
  try {
    yield* receiveRows(new AnswerQueue(child, options.signal), options);
  } finally {
    child.kill('SIGKILL');
  }
}

async function* receiveRows(answers: AnswerQueue, { onProgress, signal }: ReadOptions): AsyncIterable<SheetRow> {
  let count = 0;
  answers.request();
  for (;;) {
    answers.request();
    const answer = await answers.next();
    if ('done' in answer) return;
    if ('refusal' in answer)
      throw Object.assign(invalidRequest(toWorkbookRefusal(answer.refusal)), { cause: answer.cause });
    count += answer.rows.length;
    onProgress?.(count);
    for (const row of answer.rows) {
      signal?.throwIfAborted();
      yield row;
    }
  }
}

/** The answers of the child process, in order. After them, the end of the process is an error. */
class AnswerQueue {
  readonly #child: ChildProcess;
  readonly #answers: Answer[] = [];
  #failure: Error | undefined;
  #wake: (() => void) | undefined;
  #workMs = 0;
  #tooSlow = false;

  constructor(child: ChildProcess, signal: AbortSignal | undefined) {
    this.#child = child;
    child.on('message', (message) => {
      if (!signal?.aborted) this.#answers.push(message as Answer);
      this.#wake?.();
    });
    const abort = (): void => {
      this.#answers.length = 0;
      this.#fail(signal?.reason as Error);
    };
    signal?.addEventListener('abort', abort, { once: true });
    child.once('error', (error) => this.#fail(error));
    child.once('close', () => {
      signal?.removeEventListener('abort', abort);
      this.#fail(
        invalidRequest(
          importsRefusal(this.#tooSlow ? 'imports.refused.workbookTooSlow' : 'imports.refused.workbookTooComplex'),
        ),
      );
    });
  }

  /** Lets the child process send one more answer. */
  request(): void {
    // The process may have ended already; `next` reports that.
    if (this.#child.connected) this.#child.send({ next: true }, () => undefined);
  }

  async next(): Promise<Answer> {
    const startedAt = Date.now();
    const timer = setTimeout(() => {
      this.#tooSlow = true;
      this.#child.kill('SIGKILL');
    }, maxWorkMs - this.#workMs);
    try {
      for (;;) {
        const answer = this.#answers.shift();
        if (answer) return answer;
        if (this.#failure) throw this.#failure;
        await new Promise<void>((resolve) => (this.#wake = resolve));
      }
    } finally {
      clearTimeout(timer);
      this.#workMs += Date.now() - startedAt;
    }
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    this.#wake?.();
  }
}
