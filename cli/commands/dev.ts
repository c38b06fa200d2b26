import { rm } from 'node:fs/promises';
import pc from 'picocolors';
import { basePath } from '#core';
import { checkPort } from '../../core/server/kernel/listen.ts';
import { readValidServerConfig } from '../../core/server/kernel/server-config.ts';
import { CliError, exitCodes } from '../cli-error.ts';
import { action, profileOption, withExamples, type AddCommand, type CommonOptions } from '../command.ts';
import { DevSession } from '../dev/dev-session.ts';
import { describeProblem, describeProblemPlainly } from '../output.ts';
import { freePort } from '../product/free-port.ts';
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
    .description('work on a product: rebuilds on every change, shows it in every open page, runs the API too')
    .addOption(profileOption('demo'))
    .option('--fresh', "throw the data folder's rows and files away first, and write the demo's anew")
    .action(
      action<DevCommandOptions>(async ({ profile, fresh }, output) => {
        stopWithParent();
        const { config } = readValidServerConfig(process.env);
        const port = process.env.PORT === undefined ? await freePort(config.port, config.host) : config.port;
        // Checked first: an unavailable port should fail early.
        await checkPort({ host: config.host, port });
        if (fresh) await throwDataAway(config.dataFolder, process.env);
        const publicAddress = port === 0 ? {} : { WALKDOWN_PUBLIC_ADDRESS: `http://${config.host}:${port}` };
        const { session, address } = await DevSession.start({
          root: projectRoot,
          profile,
          host: config.host,
          port,
          environment: { LOG_LEVEL: 'warn', ...publicAddress, ...process.env, HOST: '127.0.0.1', PORT: '0' },
          onRebuild: ({ part, milliseconds }) => output.say(pc.dim(`${part} rebuilt in ${milliseconds.toFixed(0)} ms`)),
          onProblems: (problems) => output.say(problems.map(describeProblem).join('\n\n')),
          describe: describeProblemPlainly,
        });
        output.say(`${pc.bold('Under work')} at ${pc.bold(pc.cyan(`${address}${basePath}/`))}. Stop with Ctrl+C.`);
        const stop = () => void session.stop().then(() => process.exit(0));
        process.once('SIGINT', stop);
        process.once('SIGTERM', stop);
      }),
    );
  withExamples(command, ['walkdown dev', 'walkdown dev --fresh', 'PORT=8080 walkdown dev --profile profile-b']);
};

/** Deletes only the project's own data: other folders may belong to somebody's product. */
async function throwDataAway(folder: string, environment: NodeJS.ProcessEnv): Promise<void> {
  const elsewhere = (['WALKDOWN_DATA', 'DATABASE_URL'] as const).find((name) => environment[name] !== undefined);
  if (elsewhere !== undefined) {
    throw new CliError(exitCodes.usage, [
      {
        cause: `--fresh throws away the project's own data folder only, and ${elsewhere} names another place.`,
        remedy: `Empty that place yourself, or start without ${elsewhere}.`,
      },
    ]);
  }
  await rm(folder, { recursive: true, force: true });
}
