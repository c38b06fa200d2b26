import path from 'node:path';
import { Option } from 'commander';
import { createAction, withExamples, withProductOptions, type AddCommand, type ProductOptions } from '../command.ts';
import { countChangedRows, formatImport } from '../../core/server/site-contents/format-transfer.ts';
import { loadProduct, withReadableError } from '../product/product-server.ts';

interface ImportOptions extends ProductOptions {
  readonly as: string;
  readonly dryRun?: boolean;
}

/** `walkdown import`: imports a site that `walkdown export` wrote. */
export const addImportCommand: AddCommand = (program) => {
  const command = withProductOptions(
    program
      .command('import')
      .argument('<folder>', 'a folder that "walkdown export" wrote')
      .description(
        'import an exported site into a product; nothing is removed, and a second run changes nothing; the embedded ' +
          'database must not be in use',
      )
      .addOption(
        new Option(
          '--as <username>',
          'email address of the admin whom the audit log names; the roles of this admin limit what is imported',
        ).makeOptionMandatory(),
      )
      .addOption(new Option('--dry-run', 'only print what would be added and changed')),
  ).action(
    createAction<ImportOptions>(async (options, output, { args }) => {
      const product = await loadProduct(options);
      const folder = path.resolve(args[0] ?? '');
      const summary = await withReadableError(
        product.importSite(
          { folder, username: options.as, dryRun: options.dryRun === true },
          { LOG_LEVEL: 'error', ...process.env },
        ),
        'The import failed',
        { file: folder },
      );
      output.printResult(
        { folder, dryRun: options.dryRun === true, changed: countChangedRows(summary), ...summary },
        formatImport(summary, options.dryRun),
      );
    }),
  );
  withExamples(command, [
    'walkdown import /srv/exports/nh --profile profile-a --as admin@example.com --dry-run',
    'walkdown import /srv/exports/nh --profile profile-a --as admin@example.com',
  ]);
};
