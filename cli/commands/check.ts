import { createAction, withExamples, withProductOptions, type AddCommand, type ProductOptions } from '../command.ts';
import { exitCodes } from '../cli-error.ts';
import { loadProduct, withReadableError } from '../product/product-server.ts';

/** `walkdown check`: lists what is missing in a product's contents or contradicts itself. */
export const addCheckCommand: AddCommand = (program) => {
  const command = withProductOptions(
    program
      .command('check')
      .description(
        "list what is missing in a product's contents or contradicts itself, such as viewpoints that no link leads " +
          'to; the embedded database must not be in use',
      ),
  ).action(
    createAction<ProductOptions>(async (options, output) => {
      const product = await loadProduct(options);
      const { text, ...report } = await withReadableError(
        product.check({ LOG_LEVEL: 'error', ...process.env }),
        'The contents were not checked',
      );
      output.printResult(report, text);
      if (report.reports.some(({ severity }) => severity === 'ERROR')) process.exitCode = exitCodes.contentFaulty;
    }),
  );
  withExamples(command, [
    'walkdown check --profile profile-a',
    'DATABASE_URL=postgres://... walkdown check --out /srv/product --json',
  ]);
};
