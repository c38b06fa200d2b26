import pc from 'picocolors';
import { basePath } from '#core';
import { demoAccounts } from '../../core/server/auth/demo-accounts.ts';
import { readValidServerConfig } from '../../core/server/kernel/server-config.ts';
import { buildProduct } from '../bundle/build-product.ts';
import { computeCodeDigest, computeSourceDigest } from '../bundle/source-digest.ts';
import {
  createAction,
  jsonOption,
  profileOption,
  withExamples,
  type AddCommand,
  type CommonOptions,
} from '../command.ts';
import type { Output } from '../output.ts';
import { seedIfEmpty } from '../product/demo-data.ts';
import { findFreePort } from '../product/free-port.ts';
import { describeMail, watchOutbox } from '../product/outbox-watch.ts';
import { getDefaultOut, readBuildRecord } from '../product/product-folder.ts';
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
    .description('build if needed, bring the database up to date, write the demo plant into an empty one, and serve')
    .addOption(profileOption('demo'))
    .addOption(jsonOption())
    .action(
      createAction<StartCommandOptions>(async ({ profile }, output) => {
        stopWithParent();
        const environment = await createEnvironment();
        const { config } = readValidServerConfig(environment);
        const out = await ensureProduct(profile, output);
        const product = await loadProductServer(out);
        const print = (text: string) => output.print(text);
        const { url } = await withReadableError(
          product.serve(environment, {
            print,
            prepare: async (server) => void (await seedIfEmpty(server, print)),
          }),
          'The server could not start',
        );
        if (config.mail.kind === 'file')
          await watchOutbox(config.mail.folder, (mail) => output.print(describeMail(mail)));
        const accounts = demoAccounts.map(({ username, password, description }) => ({
          username,
          password,
          about: description,
        }));
        output.printResult(
          {
            profile: product.content.product.profile,
            address: `${url}${basePath}/`,
            data: config.dataFolder,
            accounts,
          },
          formatGreeting(product.content.product.title, `${url}${basePath}/`, config.dataFolder),
        );
      }),
    );
  withExamples(command, [
    'walkdown start',
    'PORT=8080 WALKDOWN_DATA=/var/lib/walkdown walkdown start --profile profile-a',
  ]);
};

/** The folder of the profile's product, rebuilt if its sources changed. */
async function ensureProduct(profile: string, output: Output): Promise<string> {
  const resolvedProfile = await resolveProfile(projectRoot, profile, await loadPlugins(projectRoot));
  const out = getDefaultOut(projectRoot, resolvedProfile.name);
  const [record, codeDigest, brand] = await Promise.all([
    readBuildRecord(out),
    computeCodeDigest(projectRoot, resolvedProfile),
    createBrand(projectRoot, resolvedProfile),
  ]);
  const digest = computeSourceDigest(codeDigest, brand);
  if (record?.sources === digest && record.profile === resolvedProfile.name) return out;
  output.print(`Building the profile '${resolvedProfile.name}' ...`);
  const { timings, notes } = await buildProduct({ root: projectRoot, resolvedProfile, out });
  for (const note of notes) output.warn(note);
  output.print(`Built ${displayPath(out)} in ${((timings.total ?? 0) / 1000).toFixed(1)} s.`);
  return out;
}

/** A trial logs only errors, and uses another port if the default one is taken. */
async function createEnvironment(): Promise<Record<string, string | undefined>> {
  const { config } = readValidServerConfig(process.env);
  const port = process.env.PORT === undefined ? { PORT: String(await findFreePort(config.port, config.host)) } : {};
  return { LOG_LEVEL: 'error', ...process.env, ...port };
}

function formatGreeting(title: string, url: string, dataFolder: string): string {
  const width = Math.max(...demoAccounts.map(({ username }) => username.length));
  const passwords = [...new Set(demoAccounts.map(({ password }) => password))];
  return [
    '',
    `${pc.bold(title)} is served at ${pc.bold(pc.cyan(url))}`,
    '',
    `Accounts of the demo (password of all: ${pc.bold(passwords.join(', '))}):`,
    ...demoAccounts.map(({ username, description }) => `  ${username.padEnd(width)}  ${pc.dim(description)}`),
    '',
    `Data is stored in ${displayPath(dataFolder)}. One-time codes that would be mailed are shown here. Stop with Ctrl+C.`,
  ].join('\n');
}
