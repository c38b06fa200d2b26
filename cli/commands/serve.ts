import path from 'node:path';
import { Option } from 'commander';
import pc from 'picocolors';
import type { WalkdownServer } from '#core/server';
import { defaultOut } from '../bundle/build-product.ts';
import { action, jsonOption, outOption, profileOption, withExamples, type AddCommand, type CommonOptions } from '../command.ts';
import { seedWhereEmpty } from '../product/demo-data.ts';
import { listening, loadProductServer } from '../product/product-server.ts';
import { projectRoot } from '../project-root.ts';

interface ServeOptions extends CommonOptions {
  readonly profile: string;
  readonly out?: string;
  readonly demo?: boolean;
}

/** `walkdown serve`: the server of a product that is built. */
export const addServeCommand: AddCommand = (program) => {
  const command = program
    .command('serve')
    .description('run the server of a built product: pages, API and jobs in one process')
    .addOption(profileOption())
    .addOption(outOption())
    .addOption(new Option('--demo', 'write the demo plant where the database is empty'))
    .addOption(jsonOption())
    .action(
      action<ServeOptions>(async (options, output) => {
        const out = options.out === undefined ? defaultOut(projectRoot, path.basename(options.profile, '.json')) : path.resolve(options.out);
        const product = await loadProductServer(out);
        const prepare = async (server: WalkdownServer) => void (await seedWhereEmpty(server, (text) => output.say(text)));
        const environment = { LOG_LEVEL: output.json ? 'silent' : 'info', ...process.env };
        const { address } = await listening(product.serve(environment, options.demo ? { prepare } : {}));
        output.result({ profile: product.content.product.profile, address }, `${product.content.product.title} is served at ${pc.bold(address)}. Stop it with Ctrl+C.`);
      }),
    );
  withExamples(command, ['walkdown serve --profile profile-a', 'PORT=8080 DATABASE_URL=postgres://... walkdown serve --out /srv/product']);
  command.addHelpText('after', '\nEnvironment: PORT, HOST, WALKDOWN_DATA (folder of database and files), DATABASE_URL, S3_*, SMTP_URL, LOG_LEVEL; see docs/guides.');
};
