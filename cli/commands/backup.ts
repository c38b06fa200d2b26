import path from 'node:path';
import { Option } from 'commander';
import { createAction, withExamples, withProductOptions, type AddCommand, type ProductOptions } from '../command.ts';
import { loadProduct, withReadableError } from '../product/product-server.ts';

interface BackupOptions extends ProductOptions {
  readonly file: string;
}

/** `walkdown backup`: archives rows and files of a built product. */
export const addBackupCommand: AddCommand = (program) => {
  const command = withProductOptions(
    program
      .command('backup')
      .description('write all rows and files of a product into one archive; the embedded database must not be in use')
      .addOption(
        new Option(
          '-f, --file <file>',
          'the archive to write, such as walkdown.tar.gz; an older one is replaced when the new one is complete',
        ).makeOptionMandatory(),
      ),
  ).action(
    createAction<BackupOptions>(async (options, output) => {
      const product = await loadProduct(options);
      const file = path.resolve(options.file);
      const summary = await withReadableError(
        product.backup(file, { LOG_LEVEL: 'error', ...process.env }),
        'The backup failed',
        { file },
      );
      output.printResult(
        { file, ...summary },
        `Wrote ${summary.rows} rows of ${summary.tables} tables and ${summary.files} files to ${file}.`,
      );
    }),
  );
  withExamples(command, [
    'walkdown backup --profile profile-a --file /backups/monday.tar.gz',
    'DATABASE_URL=postgres://... walkdown backup --out /srv/product --file monday.tar.gz',
  ]);
};
