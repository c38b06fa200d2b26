import { Option } from 'commander';
import pc from 'picocolors';
import type { WalkdownServer } from '#core/server';
import { createAction, withExamples, withProductOptions, type AddCommand, type ProductOptions } from '../command.ts';
import { seedIfEmpty } from '../product/demo-data.ts';
import { loadProduct, withReadableError } from '../product/product-server.ts';
import { stopWithParent } from '../product/stop-with-parent.ts';

interface ServeOptions extends ProductOptions {
  readonly demo?: boolean;
  readonly firstAdmin?: string;
}

/** `walkdown serve`: runs the server of a built product. */
export const addServeCommand: AddCommand = (program) => {
  const command = withProductOptions(
    program
      .command('serve')
      .description('run the server of a built product: pages, API and jobs in one process')
      .addOption(new Option('--demo', 'write the demo plant if the database is empty'))
      .addOption(
        new Option(
          '--first-admin <email>',
          'if there is no account yet, create an admin with this email address and show the password once',
        ).env('WALKDOWN_FIRST_ADMIN'),
      ),
  ).action(
    createAction<ServeOptions>(async (options, output) => {
      stopWithParent();
      // A parent with an IPC channel disconnects when it ends, even if it crashes.
      process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
      const product = await loadProduct(options);
      const print = (text: string) => output.print(text);
      const prepare = async (server: WalkdownServer): Promise<void> => {
        if (options.demo) await seedIfEmpty(server, print);
      };
      const environment = {
        LOG_LEVEL: output.json ? 'silent' : 'info',
        ...process.env,
        WALKDOWN_FIRST_ADMIN: options.firstAdmin,
      };
      const { url } = await withReadableError(
        product.serve(environment, { prepare, print }),
        'The server could not start',
      );
      // A parent with an IPC channel receives a message instead.
      if (process.send) return;
      output.printResult(
        { profile: product.content.product.profile, address: url },
        `${product.content.product.title} is served at ${pc.bold(url)}. Stop it with Ctrl+C.`,
      );
    }),
  );
  withExamples(command, [
    'walkdown serve --profile profile-a',
    'PORT=8080 DATABASE_URL=postgres://... walkdown serve --out /srv/product',
    'walkdown serve --profile profile-a --first-admin admin@customer.example',
  ]);
  command.addHelpText(
    'after',
    '\nEnvironment: PORT, HOST, WALKDOWN_DATA (folder of database and files), DATABASE_URL, S3_*, SMTP_URL, ' +
      'LOG_LEVEL; see docs/guides.',
  );
};
