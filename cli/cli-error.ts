/** Exit codes of commands. `unexpected` is a bug in Walkdown. */
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

/** One problem: where, why, and the remedy. */
export interface Problem {
  /** Path of the file, as typed or relative to the project. */
  readonly file?: string;
  /** JSON pointer into the file. */
  readonly pointer?: string;
  /** Line of the file, 1-based. */
  readonly line?: number;
  readonly cause: string;
  /** Further lines, such as the import chain from the entry down. */
  readonly details?: readonly string[];
  readonly remedy?: string;
}

/** A command's failure: never a stack trace, always all problems that were found. */
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

/** Whether a server, built or not, reports an unsuitable environment, which is not a bug of ours. */
export function isConfigurationError(error: unknown): error is Error {
  return error instanceof Error && error.name === 'ConfigurationError';
}

/** Whether a server reports that the product differs from its build. */
export function isChangedProduct(error: unknown): error is Error {
  return error instanceof Error && error.name === 'ChangedProductError';
}

/** `profiles/a.json:7#/plugins/vr: ... What to do: ...` */
export function formatSentence(problem: Problem): string {
  const { file } = problem;
  return `${file === undefined ? '' : `${placeText({ ...problem, file })}: `}${problem.cause}${problem.remedy === undefined ? '' : ` ${problem.remedy}`}`;
}

/** `profiles/a.json:7#/plugins/vr`: file, line and JSON pointer, if known. */
export function placeText({
  file,
  line,
  pointer,
}: Pick<Problem, 'line' | 'pointer'> & { readonly file: string }): string {
  return `${file}${line === undefined ? '' : `:${line}`}${pointer === undefined || pointer === '' ? '' : `#${pointer}`}`;
}
