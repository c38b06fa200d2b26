import { rm } from 'node:fs/promises';
import pc from 'picocolors';
import { basePath } from '#core';
import { checkPort } from '../../core/server/kernel/listen.ts';
import { readValidServerConfig } from '../../core/server/kernel/server-config.ts';
import { CliError, exitCodes } from '../cli-error.ts';
import { createAction, profileOption, withExamples, type AddCommand, type CommonOptions } from '../command.ts';
import { DevSession } from '../dev/dev-session.ts';
import { describeProblem, describeProblemPlainly } from '../output.ts';
import { findFreePort } from '../product/free-port.ts';
import { stopWithParent } from '../product/stop-with-parent.ts';
import { projectRoot } from '../project-root.ts';

interface DevCommandOptions extends CommonOptions {
  readonly profile: string;
  readonly fresh?: boolean;
}

/** `walkdown dev`: runs the product in development. */
export const addDevCommand: AddCommand = (program) => {
  const command = program
    .command('dev')
    .description('develop a product: rebuild after every change, reload the open pages and run the API')
    .addOption(profileOption('demo'))
    .option('--fresh', 'delete the local database and files first, and write the demo data again')
    .action(
      createAction<DevCommandOptions>(async ({ profile, fresh }, output) => {
        stopWithParent();
        const { config } = readValidServerConfig(process.env);
        const port = process.env.PORT === undefined ? await findFreePort(config.port, config.host) : config.port;
        // An unavailable port should fail before the build.
        await checkPort({ host: config.host, port });
        if (fresh) await deleteDataFolder(config.dataFolder, process.env);
        const publicUrl = port === 0 ? {} : { WALKDOWN_PUBLIC_ADDRESS: `http://${config.host}:${port}` };
        const { session, url } = await DevSession.start({
          root: projectRoot,
          profile,
          host: config.host,
          port,
          environment: { LOG_LEVEL: 'warn', ...publicUrl, ...process.env, HOST: '127.0.0.1', PORT: '0' },
          onRebuild: ({ part, milliseconds }) =>
            output.print(pc.dim(`${part} rebuilt in ${milliseconds.toFixed(0)} ms`)),
          onProblems: (problems) => output.print(problems.map(describeProblem).join('\n\n')),
          describeProblem: describeProblemPlainly,
        });
        output.print(
          `${pc.bold('Development server')} at ${pc.bold(pc.cyan(`${url}${basePath}/`))}. Press Ctrl+C to stop.`,
        );
        const stop = () => void session.stop().then(() => process.exit(0));
        process.once('SIGINT', stop);
        process.once('SIGTERM', stop);
      }),
    );
  withExamples(command, ['walkdown dev', 'walkdown dev --fresh', 'PORT=8080 walkdown dev --profile profile-b']);
};

/** Deletes only the project's own data, because another folder may belong to a product in use. */
async function deleteDataFolder(dataFolder: string, environment: NodeJS.ProcessEnv): Promise<void> {
  const variable = (['WALKDOWN_DATA', 'DATABASE_URL'] as const).find((name) => environment[name] !== undefined);
  if (variable !== undefined) {
    throw new CliError(exitCodes.usage, [
      {
        cause: `--fresh deletes only the project's own data folder, but ${variable} names another location.`,
        remedy: `Empty that location yourself, or start without ${variable}.`,
      },
    ]);
  }
  await rm(dataFolder, { recursive: true, force: true });
}
