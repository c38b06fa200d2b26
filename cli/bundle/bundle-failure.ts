import type { Message } from 'esbuild';
import { CliError, exitCodes, type Problem } from '../cli-error.ts';

/** Converts a bundler's failure to problems, each with the place of the import or line at fault. */
export function bundleFailure(error: unknown, what: string): CliError {
  if (error instanceof CliError) return error;
  const messages = listMessages(error);
  if (messages.length === 0)
    return new CliError(
      exitCodes.buildFailed,
      [{ cause: `${what} could not be made: ${error instanceof Error ? error.message : String(error)}` }],
      { cause: error },
    );
  return new CliError(exitCodes.buildFailed, messages.map(toProblem), { cause: error });
}

function listMessages(error: unknown): readonly Message[] {
  return typeof error === 'object' && error !== null && 'errors' in error && Array.isArray(error.errors)
    ? (error.errors as Message[])
    : [];
}

function toProblem({ text, location, notes, detail }: Message): Problem {
  const refusal = findRefusal(detail);
  const place =
    location === null
      ? {}
      : { file: location.line > 0 ? `${location.file}:${location.line}:${location.column + 1}` : location.file };
  const details = refusal ? indented(refusal.chain) : notes.map((note) => note.text);
  return {
    ...place,
    cause: text,
    ...(details.length > 0 ? { details } : {}),
    ...(refusal ? { remedy: refusal.remedy } : {}),
  };
}

/** An import chain as indented lines. */
export function indented(chain: readonly string[]): readonly string[] {
  return chain.map((file, depth) => `${'  '.repeat(depth)}${depth === 0 ? '' : 'imports '}${file}`);
}

/** Details of an import that the guard refused. */
interface RefusedImport {
  readonly chain: readonly string[];
  readonly remedy: string;
}

function findRefusal(detail: unknown): RefusedImport | undefined {
  return typeof detail === 'object' && detail !== null && 'chain' in detail && 'remedy' in detail
    ? (detail as RefusedImport)
    : undefined;
}
