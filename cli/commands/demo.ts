import { Option } from 'commander';
import { demoAccounts } from '../../core/server/auth/demo-accounts.ts';
import { action, withExamples, withProductOptions, type AddCommand, type ProductOptions } from '../command.ts';
import { demoPlant } from '../demo/index.ts';
import { loadProduct, withReadableError } from '../product/product-server.ts';

interface DemoOptions extends ProductOptions {
  readonly render?: boolean;
}

/** `walkdown demo`: seeds the demo plant into a product's database, or renders its pictures. */
export const addDemoCommand: AddCommand = (program) => {
  const command = withProductOptions(
    program
      .command('demo')
      .description("write the demo plant into a built product's database; again changes nothing")
      .addOption(
        new Option(
          '--render',
          "render the plant's panoramas anew with Blender instead (hours; needs only to be done when the plant changes)",
        ),
      ),
    'demo',
  ).action(
    action<DemoOptions>(async (options, output) => {
      if (options.render) {
        const { renderDemo } = await import('../demo/render.ts');
        await renderDemo({ log: (line) => output.say(line) });
        output.result({ rendered: true }, 'Rendered.');
        return;
      }
      const product = await loadProduct(options);
      await withReadableError(
        product.seed(await demoPlant(), { LOG_LEVEL: 'error', ...process.env }),
        'The demo plant could not be written',
      );
      output.result(
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
