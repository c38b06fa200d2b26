import pc from 'picocolors';
import { CliError, exitCodes, isConfigurationError, formatLocation, type ExitCode, type Problem } from './cli-error.ts';
import { displayPath } from './project-root.ts';

/**
 * The output of a command. With `--json` stdout contains one JSON value and nothing else; messages for people go to
 * stderr.
 */
export class Output {
  readonly json: boolean;

  constructor(json: boolean) {
    this.json = json;
  }

  /** Prints a message for people. */
  print(text = ''): void {
    (this.json ? process.stderr : process.stdout).write(`${text}\n`);
  }

  warn(text: string): void {
    process.stderr.write(`${pc.yellow('Note')} ${text}\n`);
  }

  /** Prints the command's result: `value` with `--json`, else `text`. Called once. */
  printResult(value: unknown, text?: string): void {
    if (this.json) process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
    else if (text !== undefined) this.print(text);
  }

  /** Prints a failure and returns its exit code. */
  printFailure(error: unknown): ExitCode {
    const { exitCode, problems } =
      error instanceof CliError
        ? error
        : isConfigurationError(error)
          ? { exitCode: exitCodes.usage, problems: [{ cause: error.message }] }
          : { exitCode: exitCodes.unexpected, problems: [toUnexpectedProblem(error)] };
    if (this.json)
      process.stdout.write(
        `${JSON.stringify({ error: { exitCode, problems: problems.map(withDisplayPath) } }, null, 2)}\n`,
      );
    else process.stderr.write(`${problems.map(describeProblem).join('\n\n')}\n`);
    return exitCode;
  }
}

function withDisplayPath(problem: Problem): Problem {
  return problem.file === undefined ? problem : { ...problem, file: displayPath(problem.file) };
}

function toUnexpectedProblem(error: unknown): Problem {
  const cause = `An unexpected error occurred: ${error instanceof Error ? error.message : String(error)}`;
  const details =
    error instanceof Error
      ? (error.stack ?? '')
          .split('\n')
          .slice(1)
          .map((line) => line.trim())
      : [];
  return { cause, details, remedy: 'This is a bug in Walkdown. Please report it with the lines above.' };
}

/** Formats a problem for a terminal. */
export function describeProblem(problem: Problem): string {
  return formatLines(problem, { styleLocation: pc.cyan, styleDetail: pc.dim, label: pc.red('Error') });
}

/** Formats a problem without colours. */
export function describeProblemPlainly(problem: Problem): string {
  const plain = (text: string) => text;
  return formatLines(problem, { styleLocation: plain, styleDetail: plain, label: 'Error' });
}

interface ProblemFormat {
  readonly label: string;
  readonly styleLocation: (text: string) => string;
  readonly styleDetail: (text: string) => string;
}

function formatLines(problem: Problem, { label, styleLocation, styleDetail }: ProblemFormat): string {
  const { file, cause, details = [], remedy } = problem;
  const location = file === undefined ? [] : [styleLocation(formatLocation({ ...problem, file: displayPath(file) }))];
  const lines = [cause, ...details.map(styleDetail), ...location, ...(remedy === undefined ? [] : [remedy])];
  return `${label} ${lines.join('\n      ')}`;
}
