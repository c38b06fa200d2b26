import path from 'node:path';
import { Option } from 'commander';
import { createAction, withExamples, withProductOptions, type AddCommand, type ProductOptions } from '../command.ts';
import { loadProduct, withReadableError } from '../product/product-server.ts';

interface RestoreOptions extends ProductOptions {
  readonly file: string;
}

/** `walkdown restore`: restores an archive of `walkdown backup` into an empty database and an empty file store. */
export const addRestoreCommand: AddCommand = (program) => {
  const command = withProductOptions(
    program
      .command('restore')
      .description('restore an archive that "walkdown backup" wrote, into an empty database and an empty file store')
      .addOption(new Option('-f, --file <file>', 'the archive to read').makeOptionMandatory()),
  ).action(
    createAction<RestoreOptions>(async (options, output) => {
      const product = await loadProduct(options);
      const file = path.resolve(options.file);
      const summary = await withReadableError(
        product.restore(file, { LOG_LEVEL: 'error', ...process.env }),
        'The restore failed',
        { file },
      );
      output.printResult(
        { file, ...summary },
        `Restored ${summary.rows} rows of ${summary.tables} tables and ${summary.files} files from ${file}.`,
      );
    }),
  );
  withExamples(command, [
    'WALKDOWN_DATA=/srv/new walkdown restore --profile profile-a --file /backups/monday.tar.gz',
    'DATABASE_URL=postgres://... walkdown restore --out dist/profile-a --file monday.tar.gz',
  ]);
};
