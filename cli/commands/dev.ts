import pc from 'picocolors';
import { basePath } from '#core';
import { soundServerConfig } from '../../core/server/kernel/server-config.ts';
import { action, profileOption, withExamples, type AddCommand, type CommonOptions } from '../command.ts';
import { DevSession } from '../dev/dev-session.ts';
import { describeProblem, describeProblemPlainly } from '../output.ts';
import { freePort } from '../product/free-port.ts';
import { projectRoot } from '../project-root.ts';

interface DevCommandOptions extends CommonOptions {
  readonly profile: string;
}

/** `walkdown dev`: the product while it is written. */
export const addDevCommand: AddCommand = (program) => {
  const command = program
    .command('dev')
    .description('work on a product: rebuilds on every change, shows it in every open page, runs the API too')
    .addOption(profileOption('demo'))
    .action(
      action<DevCommandOptions>(async ({ profile }, output) => {
        const { config } = soundServerConfig(process.env);
        const port = process.env.PORT === undefined ? await freePort(config.port, config.host) : config.port;
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
  withExamples(command, ['walkdown dev', 'PORT=8080 walkdown dev --profile profile-b']);
};
