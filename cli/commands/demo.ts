import { Option } from 'commander';
import { demoAccounts } from '../../core/server/auth/demo-accounts.ts';
import { createAction, withExamples, withProductOptions, type AddCommand, type ProductOptions } from '../command.ts';
import { createDemoPlant } from '../demo/index.ts';
import { loadProduct, withReadableError } from '../product/product-server.ts';

interface DemoOptions extends ProductOptions {
  readonly render?: boolean;
}

/** `walkdown demo`: seeds the demo plant into a product's database, or renders its pictures. */
export const addDemoCommand: AddCommand = (program) => {
  const command = withProductOptions(
    program
      .command('demo')
      .description("write the demo plant into a built product's database; a second run changes nothing")
      .addOption(
        new Option(
          '--render',
          "render the plant's pictures with Blender instead (takes hours; needed only after the plant changed)",
        ),
      ),
    'demo',
  ).action(
    createAction<DemoOptions>(async (options, output) => {
      if (options.render) {
        const { renderDemo } = await import('../demo/render.ts');
        await renderDemo({ log: (line) => output.print(line) });
        output.printResult({ rendered: true }, 'Rendered.');
        return;
      }
      const product = await loadProduct(options);
      await withReadableError(
        product.seed(await createDemoPlant(), { LOG_LEVEL: 'error', ...process.env }),
        'The demo plant could not be written',
      );
      output.printResult(
        {
          accounts: demoAccounts.map(({ username, password, description }) => ({
            username,
            password,
            about: description,
          })),
        },
        [
          'The demo plant is in the database. Accounts:',
          ...demoAccounts.map(({ username, password, description }) => `  ${username}  ${password}  ${description}`),
        ].join('\n'),
      );
    }),
  );
  withExamples(command, ['walkdown demo --profile demo', 'walkdown demo --render']);
};
