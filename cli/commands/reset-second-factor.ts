import { createAction, withExamples, withProductOptions, type AddCommand, type ProductOptions } from '../command.ts';
import { loadProduct, withReadableError } from '../product/product-server.ts';

/** `walkdown reset-second-factor`: lets an admin who has lost the second factor log in again. */
export const addResetSecondFactorCommand: AddCommand = (program) => {
  const command = withProductOptions(
    program
      .command('reset-second-factor')
      .argument('<email>', 'the email address of the account')
      .description(
        'remove the second factor of an account and end its sessions, for when no admin can log in to do so; the embedded ' +
          'database must not be in use',
      ),
  ).action(
    createAction<ProductOptions>(async (options, output, self) => {
      const email = self.args[0] ?? '';
      const product = await loadProduct(options);
      await withReadableError(
        product.resetSecondFactor(email, { LOG_LEVEL: 'error', ...process.env }),
        'The second factor was not removed',
      );
      output.printResult(
        { email },
        `The second factor of ${email} is removed. The person can log in with the password alone, and gets an email when the server runs.`,
      );
    }),
  );
  withExamples(command, [
    'walkdown reset-second-factor admin@customer.example --profile profile-a',
    'DATABASE_URL=postgres://... walkdown reset-second-factor admin@customer.example --out /srv/product',
  ]);
};
