import { createAction, withExamples, withProductOptions, type AddCommand, type ProductOptions } from '../command.ts';
import { loadProduct, withReadableError } from '../product/product-server.ts';

/** `walkdown migrate`: migrates the database of a built product without serving it. */
export const addMigrateCommand: AddCommand = (program) => {
  const command = withProductOptions(
    program
      .command('migrate')
      .description("bring a built product's database up to date; the server also does so when it starts"),
  ).action(
    createAction<ProductOptions>(async (options, output) => {
      const product = await loadProduct(options);
      const { applied, unused } = await withReadableError(
        product.migrate({ LOG_LEVEL: 'error', ...process.env }),
        'The database could not be brought up to date',
      );
      for (const { sentence } of unused) output.warn(sentence);
      output.printResult(
        { applied, unused: unused.map(({ plugin, tables, bytes }) => ({ plugin, tables, bytes })) },
        applied.length === 0
          ? 'The database is up to date.'
          : [`Applied ${applied.length} migrations:`, ...applied.map(({ owner, id }) => `  ${owner}  ${id}`)].join(
              '\n',
            ),
      );
    }),
  );
  withExamples(command, [
    'walkdown migrate --profile profile-a',
    'DATABASE_URL=postgres://... walkdown migrate --out /srv/product',
  ]);
};
