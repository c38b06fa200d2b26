import pc from 'picocolors';
import { CliError, exitCodes, isConfigurationError, placeText, type ExitCode, type Problem } from './cli-error.ts';
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

  /** Prints a line for people. */
  say(text = ''): void {
    (this.json ? process.stderr : process.stdout).write(`${text}\n`);
  }

  warn(text: string): void {
    process.stderr.write(`${pc.yellow('Note')} ${text}\n`);
  }

  /** Prints the command's result: `value` with `--json`, else `text`. Called once. */
  result(value: unknown, text?: string): void {
    if (this.json) process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
    else if (text !== undefined) this.say(text);
  }

  /** Prints a failure and returns its exit code. */
  fail(error: unknown): ExitCode {
    const { exitCode, problems } =
      error instanceof CliError
        ? error
        : isConfigurationError(error)
          ? { exitCode: exitCodes.usage, problems: [{ cause: error.message }] }
          : { exitCode: exitCodes.unexpected, problems: [unexpectedProblem(error)] };
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

function unexpectedProblem(error: unknown): Problem {
  const cause = `Something unforeseen happened: ${error instanceof Error ? error.message : String(error)}`;
  const details =
    error instanceof Error
      ? (error.stack ?? '')
          .split('\n')
          .slice(1)
          .map((line) => line.trim())
      : [];
  return { cause, details, remedy: 'This is a mistake in Walkdown itself: report it with the lines above.' };
}

/** A problem, formatted for a terminal. */
export function describeProblem(problem: Problem): string {
  return lay(problem, { place: pc.cyan, detail: pc.dim, head: pc.red('Error') });
}

/** Without colours. */
export function describeProblemPlainly(problem: Problem): string {
  const plain = (text: string) => text;
  return lay(problem, { place: plain, detail: plain, head: 'Error' });
}

interface Looks {
  readonly head: string;
  readonly place: (text: string) => string;
  readonly detail: (text: string) => string;
}

function lay(problem: Problem, { head, place, detail }: Looks): string {
  const { file, cause, details = [], remedy } = problem;
  const places = file === undefined ? [] : [place(placeText({ ...problem, file: displayPath(file) }))];
  const lines = [cause, ...details.map(detail), ...places, ...(remedy === undefined ? [] : [remedy])];
  return `${head} ${lines.join('\n      ')}`;
}
