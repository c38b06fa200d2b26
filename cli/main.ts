import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Command, CommanderError } from 'commander';
import { exitCodes } from './cli-error.ts';
import { withExamples, type AddCommand } from './command.ts';
import { projectRoot } from './project-root.ts';

/** The commands in the order of the help. They are loaded lazily, because each imports its own libraries. */
const commands: Readonly<Record<string, () => Promise<AddCommand>>> = {
  start: async () => (await import('./commands/start.ts')).addStartCommand,
  dev: async () => (await import('./commands/dev.ts')).addDevCommand,
  build: async () => (await import('./commands/build.ts')).addBuildCommand,
  verify: async () => (await import('./commands/verify.ts')).addVerifyCommand,
  serve: async () => (await import('./commands/serve.ts')).addServeCommand,
  validate: async () => (await import('./commands/validate.ts')).addValidateCommand,
  explain: async () => (await import('./commands/explain.ts')).addExplainCommand,
  check: async () => (await import('./commands/check.ts')).addCheckCommand,
  export: async () => (await import('./commands/export.ts')).addExportCommand,
  import: async () => (await import('./commands/import.ts')).addImportCommand,
  migrate: async () => (await import('./commands/migrate.ts')).addMigrateCommand,
  backup: async () => (await import('./commands/backup.ts')).addBackupCommand,
  restore: async () => (await import('./commands/restore.ts')).addRestoreCommand,
  drop: async () => (await import('./commands/drop.ts')).addDropCommand,
  'reset-second-factor': async () => (await import('./commands/reset-second-factor.ts')).addResetSecondFactorCommand,
  demo: async () => (await import('./commands/demo.ts')).addDemoCommand,
  new: async () => (await import('./commands/new-plugin.ts')).addNewPluginCommand,
};

/** Creates the program with the named command only, or with all commands if no command has this name. */
export async function createProgram(name?: string): Promise<Command> {
  const { version } = JSON.parse(readFileSync(path.join(projectRoot, 'package.json'), 'utf8')) as { version: string };
  const program = new Command('walkdown')
    .description("One JSON profile in, one customer's product out.")
    .version(version)
    .showHelpAfterError('(add --help to list commands and options)')
    .exitOverride();
  program.addHelpText(
    'after',
    '\nExit codes: 0 ok, 1 a bug in Walkdown, 2 usage, 3 profile, 4 build, 5 budget, 6 verification, 7 contents with errors.',
  );
  withExamples(program, ['walkdown start', 'walkdown build --profile profile-a']);
  const selectedCommands = Object.entries(commands).filter(([commandName]) => commandName === name);
  for (const [, load] of selectedCommands.length > 0 ? selectedCommands : Object.entries(commands))
    (await load())(program);
  for (const command of program.commands) command.exitOverride();
  return program;
}

/** Runs one command line (`process.argv`) and sets the exit code; see `exitCodes`. */
export async function main(argv: readonly string[]): Promise<void> {
  for (const stream of [process.stdout, process.stderr])
    if (stream.listenerCount('error', ignoreClosedPipe) === 0) stream.on('error', ignoreClosedPipe);
  try {
    const program = await createProgram(argv[2]);
    await program.parseAsync([...argv]);
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Commander has already printed its message or the help.
    if (error.exitCode !== 0) process.exitCode = exitCodes.usage;
  }
}

/**
 * Ignores that the reader closed the pipe, as in `walkdown explain | head`. The command continues without output.
 */
function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}
