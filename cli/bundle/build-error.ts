import type { Message } from 'esbuild';
import { CliError, exitCodes, type Problem } from '../cli-error.ts';

/** Converts an error of the bundler to problems, each with the location of the import or line at fault. */
export function toBuildError(error: unknown, subject: string): CliError {
  if (error instanceof CliError) return error;
  const messages = listMessages(error);
  if (messages.length === 0)
    return new CliError(
      exitCodes.buildFailed,
      [{ cause: `${subject} could not be built: ${error instanceof Error ? error.message : String(error)}` }],
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
  const refusal = findRefusedImport(detail);
  const position =
    location === null
      ? {}
      : { file: location.line > 0 ? `${location.file}:${location.line}:${location.column + 1}` : location.file };
  const details = refusal ? indentChain(refusal.chain) : notes.map((note) => note.text);
  return {
    ...position,
    cause: text,
    ...(details.length > 0 ? { details } : {}),
    ...(refusal ? { remedy: refusal.remedy } : {}),
  };
}

/** Formats an import chain as indented lines. */
export function indentChain(chain: readonly string[]): readonly string[] {
  return chain.map((file, depth) => `${'  '.repeat(depth)}${depth === 0 ? '' : 'imports '}${file}`);
}

/** Details of an import that the guard refused. */
interface RefusedImport {
  readonly chain: readonly string[];
  readonly remedy: string;
}

function findRefusedImport(detail: unknown): RefusedImport | undefined {
  return typeof detail === 'object' && detail !== null && 'chain' in detail && 'remedy' in detail
    ? (detail as RefusedImport)
    : undefined;
}
