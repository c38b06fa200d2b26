/** What a command's end tells the shell. `unexpected` is a mistake of Walkdown itself. */
export const exitCodes = {
  ok: 0,
  unexpected: 1,
  usage: 2,
  invalidProfile: 3,
  buildFailed: 4,
  budgetExceeded: 5,
  verificationFailed: 6,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** One thing that is wrong: where, why, and the way out. */
export interface Problem {
  /** Path of the file, as the person wrote it or relative to the project. */
  readonly file?: string;
  /** JSON pointer into the file. */
  readonly pointer?: string;
  /** Line of the file, from 1. */
  readonly line?: number;
  readonly cause: string;
  /** Lines that show how it came about, such as the chain of imports, from the entry down. */
  readonly details?: readonly string[];
  readonly remedy?: string;
}

/** What a command ends with when it cannot go on: never a stack trace, always all problems that were found. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly exitCode: ExitCode;
  readonly problems: readonly Problem[];

  constructor(exitCode: ExitCode, problems: readonly Problem[], options?: ErrorOptions) {
    super(problems.map(formatSentence).join('\n'), options);
    this.exitCode = exitCode;
    this.problems = problems;
  }
}

/** The words of a server, built or not, on what it was given to run in: for who started it, and no mistake of ours. */
export function isUnfit(error: unknown): error is Error {
  return error instanceof Error && error.name === 'ConfigurationError';
}

/** A server's words on a product that is not as it was built. */
export function isChangedProduct(error: unknown): error is Error {
  return error instanceof Error && error.name === 'ChangedProductError';
}

/** `profiles/a.json:7#/plugins/vr: ... What to do: ...` */
export function formatSentence(problem: Problem): string {
  const { file } = problem;
  return `${file === undefined ? '' : `${placeText({ ...problem, file })}: `}${problem.cause}${problem.remedy === undefined ? '' : ` ${problem.remedy}`}`;
}

/** `profiles/a.json:7#/plugins/vr`: file, line and JSON pointer, as far as they are known. */
export function placeText({
  file,
  line,
  pointer,
}: Pick<Problem, 'line' | 'pointer'> & { readonly file: string }): string {
  return `${file}${line === undefined ? '' : `:${line}`}${pointer === undefined || pointer === '' ? '' : `#${pointer}`}`;
}
