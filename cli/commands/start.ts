import pc from 'picocolors';
import { basePath } from '#core';
import { demoAccounts } from '../../core/server/auth/demo-accounts.ts';
import { readValidServerConfig } from '../../core/server/kernel/server-config.ts';
import { buildProduct } from '../bundle/build-product.ts';
import { codeDigest, sourceDigest } from '../bundle/source-digest.ts';
import { action, jsonOption, profileOption, withExamples, type AddCommand, type CommonOptions } from '../command.ts';
import type { Output } from '../output.ts';
import { seedWhereEmpty } from '../product/demo-data.ts';
import { freePort } from '../product/free-port.ts';
import { describeMail, watchOutbox } from '../product/outbox-watch.ts';
import { defaultOut, readBuildRecord } from '../product/product-folder.ts';
import { loadProductServer, withReadableError } from '../product/product-server.ts';
import { stopWithParent } from '../product/stop-with-parent.ts';
import { createBrand } from '../profile/brand.ts';
import { loadPlugins } from '../profile/load-plugins.ts';
import { resolveProfile } from '../profile/resolve-profile.ts';
import { displayPath, projectRoot } from '../project-root.ts';

interface StartCommandOptions extends CommonOptions {
  readonly profile: string;
}

/** `walkdown start`: builds the product, seeds the demo and serves it, for a first trial after cloning. */
export const addStartCommand: AddCommand = (program) => {
  const command = program
    .command('start')
    .description('build where needed, bring the database up to date, put the demo plant into an empty one, and serve')
    .addOption(profileOption('demo'))
    .addOption(jsonOption())
    .action(
      action<StartCommandOptions>(async ({ profile }, output) => {
        stopWithParent();
        const environment = await startEnvironment();
        const { config } = readValidServerConfig(environment);
        const out = await builtProduct(profile, output);
        const product = await loadProductServer(out);
        const say = (text: string) => output.say(text);
        const { address } = await withReadableError(
          product.serve(environment, { say, prepare: async (server) => void (await seedWhereEmpty(server, say)) }),
          'The server could not start',
        );
        if (config.mail.kind === 'file')
          await watchOutbox(config.mail.folder, (mail) => output.say(describeMail(mail)));
        const accounts = demoAccounts.map(({ username, password, description }) => ({
          username,
          password,
          about: description,
        }));
        output.result(
          {
            profile: product.content.product.profile,
            address: `${address}${basePath}/`,
            data: config.dataFolder,
            accounts,
          },
          greeting(product.content.product.title, `${address}${basePath}/`, config.dataFolder),
        );
      }),
    );
  withExamples(command, [
    'walkdown start',
    'PORT=8080 WALKDOWN_DATA=/var/lib/walkdown walkdown start --profile profile-a',
  ]);
};

/** The folder of the profile's product, rebuilt if its sources changed. */
async function builtProduct(profile: string, output: Output): Promise<string> {
  const resolved = await resolveProfile(projectRoot, profile, await loadPlugins(projectRoot));
  const out = defaultOut(projectRoot, resolved.name);
  const [record, code, brand] = await Promise.all([
    readBuildRecord(out),
    codeDigest(projectRoot, resolved),
    createBrand(projectRoot, resolved),
  ]);
  const digest = sourceDigest(code, brand);
  if (record?.sources === digest && record.profile === resolved.name) return out;
  output.say(`Building the profile '${resolved.name}' ...`);
  const { timings, notes } = await buildProduct({ root: projectRoot, resolved, out });
  for (const note of notes) output.warn(note);
  output.say(`Built ${displayPath(out)} in ${((timings.total ?? 0) / 1000).toFixed(1)} s.`);
  return out;
}

/** A trial logs little, and uses another port if its own is taken. */
async function startEnvironment(): Promise<Record<string, string | undefined>> {
  const { config } = readValidServerConfig(process.env);
  const port = process.env.PORT === undefined ? { PORT: String(await freePort(config.port, config.host)) } : {};
  return { LOG_LEVEL: 'error', ...process.env, ...port };
}

function greeting(title: string, address: string, data: string): string {
  const width = Math.max(...demoAccounts.map(({ username }) => username.length));
  const passwords = [...new Set(demoAccounts.map(({ password }) => password))];
  return [
    '',
    `${pc.bold(title)} is served at ${pc.bold(pc.cyan(address))}`,
    '',
    `Accounts of the demo (password of all: ${pc.bold(passwords.join(', '))}):`,
    ...demoAccounts.map(({ username, description }) => `  ${username.padEnd(width)}  ${pc.dim(description)}`),
    '',
    `Data lies in ${displayPath(data)}. One-time codes that would be mailed are shown here. Stop with Ctrl+C.`,
  ].join('\n');
}
