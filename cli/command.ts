import { Option, type Command } from 'commander';
import { Output } from './output.ts';

/** Adds one command to the program. Each file under `cli/commands/` exports one. */
export type AddCommand = (program: Command) => void;

export interface CommonOptions {
  readonly json?: boolean;
}

/** The profile, by name (`demo`) or by path (`profiles/demo.json`). */
export const profileOption = (fallback = 'default'): Option =>
  new Option('-p, --profile <name or file>', 'the profile, by name or by path')
    .env('WALKDOWN_PROFILE')
    .default(fallback);

export const jsonOption = (): Option => new Option('--json', 'print one JSON value on stdout');

/** Options of commands that work on one built product. */
export interface ProductOptions extends CommonOptions {
  readonly profile: string;
  /** The folder of the built product. */
  readonly out?: string;
}

/** Adds the options that select a built product, and `--json`. `fallback` is the default profile. */
export function withProductOptions(command: Command, fallback?: string): Command {
  return command
    .addOption(profileOption(fallback))
    .addOption(new Option('-o, --out <folder>', 'folder of the built product (default: dist/<profile>)'))
    .addOption(jsonOption());
}

/** Adds examples to a command's help. Each is a complete command line. */
export function withExamples(command: Command, examples: readonly string[]): Command {
  return command.addHelpText(
    'after',
    `\n${examples.length > 1 ? 'Examples' : 'Example'}:\n${examples.map((line) => `  $ ${line}`).join('\n')}`,
  );
}

/** Wraps an action: prints failures (as JSON with `--json`) and sets the exit code. */
export function createAction<Options extends CommonOptions>(
  run: (options: Options, output: Output, command: Command) => Promise<void>,
): (this: Command, ...values: unknown[]) => Promise<void> {
  return async function (this: Command) {
    const options = this.opts<Options>();
    const output = new Output(options.json === true);
    try {
      await run(options, output, this);
    } catch (error) {
      process.exitCode = output.printFailure(error);
    }
  };
}
