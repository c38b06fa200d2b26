import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Command, CommanderError } from 'commander';
import { exitCodes } from './cli-error.ts';
import { withExamples, type AddCommand } from './command.ts';
import { addBackupCommand } from './commands/backup.ts';
import { addBuildCommand } from './commands/build.ts';
import { addDemoCommand } from './commands/demo.ts';
import { addDevCommand } from './commands/dev.ts';
import { addExplainCommand } from './commands/explain.ts';
import { addMigrateCommand } from './commands/migrate.ts';
import { addNewCommand } from './commands/new-plugin.ts';
import { addRestoreCommand } from './commands/restore.ts';
import { addServeCommand } from './commands/serve.ts';
import { addStartCommand } from './commands/start.ts';
import { addValidateCommand } from './commands/validate.ts';
import { projectRoot } from './project-root.ts';

/** In the order of the help. */
const commands: readonly AddCommand[] = [addStartCommand, addDevCommand, addBuildCommand, addServeCommand, addValidateCommand, addExplainCommand, addMigrateCommand, addBackupCommand, addRestoreCommand, addDemoCommand, addNewCommand];

/** The program with all its commands. */
export function createProgram(): Command {
  const { version } = JSON.parse(readFileSync(path.join(projectRoot, 'package.json'), 'utf8')) as { version: string };
  const program = new Command('walkdown')
    .description("One JSON profile in, one customer's product out.")
    .version(version)
    .showHelpAfterError('(add --help for what can be typed)')
    .exitOverride();
  withExamples(program, ['walkdown start', 'walkdown build --profile profiles/profile-a.json']);
  for (const add of commands) add(program);
  for (const command of program.commands) command.exitOverride();
  return program;
}

/** Runs one command line (`process.argv`) and sets the process's exit code: 0 ok, 2 usage, 3 invalid profile, 4 build failed, 5 budget exceeded, 6 verification failed. */
export async function main(argv: readonly string[]): Promise<void> {
  try {
    await createProgram().parseAsync([...argv]);
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Commander has printed its sentence, or the help that was asked for.
    if (error.exitCode !== 0) process.exitCode = exitCodes.usage;
  }
}
