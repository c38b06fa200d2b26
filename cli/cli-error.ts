/** Exit codes of commands. `unexpected` is a bug in Walkdown. */
export const exitCodes = {
  ok: 0,
  unexpected: 1,
  usage: 2,
  invalidProfile: 3,
  buildFailed: 4,
  budgetExceeded: 5,
  verificationFailed: 6,
  contentFaulty: 7,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** One problem with its location, its cause and its remedy. */
export interface Problem {
  /** Path of the file, as typed or relative to the project. */
  readonly file?: string;
  /** JSON pointer to the value in the file. */
  readonly pointer?: string;
  /** Line of the file, 1-based. */
  readonly line?: number;
  readonly cause: string;
  /** Further lines, such as the import chain from the entry down. */
  readonly details?: readonly string[];
  readonly remedy?: string;
}

/** The failure of a command, with all problems that were found. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly exitCode: ExitCode;
  readonly problems: readonly Problem[];

  constructor(exitCode: ExitCode, problems: readonly Problem[], options?: ErrorOptions) {
    super(problems.map(formatProblem).join('\n'), options);
    this.exitCode = exitCode;
    this.problems = problems;
  }
}

/** Whether the server reports an unsuitable environment, such as a port in use, rather than a bug. */
export function isConfigurationError(error: unknown): error is Error {
  return error instanceof Error && error.name === 'ConfigurationError';
}

/** Whether the server refuses an input, such as an export with a changed file, rather than reporting a bug. */
export function isRefusal(error: unknown): error is Error {
  return (
    error instanceof Error &&
    error.name === 'ServerError' &&
    'status' in error &&
    typeof error.status === 'number' &&
    error.status < 500
  );
}

/** Whether the server reports that the product differs from its build. */
export function isChangedProductError(error: unknown): error is Error {
  return error instanceof Error && error.name === 'ChangedProductError';
}

/** Formats a problem as one line: location, cause and remedy. */
export function formatProblem(problem: Problem): string {
  const { file, cause, remedy } = problem;
  const location = file === undefined ? '' : `${formatLocation({ ...problem, file })}: `;
  return location + (remedy === undefined ? cause : `${cause} ${remedy}`);
}

/** Formats the location of a problem: file, line and JSON pointer, such as `profiles/a.json:7#/plugins/vr`. */
export function formatLocation({
  file,
  line,
  pointer,
}: Pick<Problem, 'line' | 'pointer'> & { readonly file: string }): string {
  const withLine = line === undefined ? file : `${file}:${line}`;
  return pointer === undefined || pointer === '' ? withLine : `${withLine}#${pointer}`;
}
