import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { Option } from 'commander';
import type { ExampleWorkbook } from '#core/server';
import { demoAccounts } from '../../core/server/auth/demo-accounts.ts';
import { CliError, exitCodes } from '../cli-error.ts';
import { createAction, withExamples, withProductOptions, type AddCommand, type ProductOptions } from '../command.ts';
import { createDemoPlant, plant } from '../demo/index.ts';
import { loadProduct, withReadableError, type ProductServer } from '../product/product-server.ts';

interface DemoOptions extends ProductOptions {
  readonly render?: boolean;
  readonly workbooks?: string;
  readonly language: 'en' | 'fr';
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
      )
      .addOption(
        new Option(
          '--workbooks <folder>',
          'also write import workbooks into a new or an empty folder: for each kind of import one with the demo plant ' +
            'and one with every error that its checks find; the embedded database must not be in use',
        ),
      )
      .addOption(
        new Option('-l, --language <language>', 'language of the workbooks').choices(['en', 'fr']).default('en'),
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
      if (options.workbooks !== undefined) await assertFolderEmpty(options.workbooks);
      const product = await loadProduct(options);
      await withReadableError(
        product.seed(await createDemoPlant(), { LOG_LEVEL: 'error', ...process.env }),
        'The demo plant could not be written',
      );
      const workbooks =
        options.workbooks === undefined ? [] : await writeWorkbooks(product, options.workbooks, options.language);
      output.printResult(
        {
          ...(workbooks.length > 0 ? { workbooks } : {}),
          accounts: demoAccounts.map(({ username, password, description }) => ({
            username,
            password,
            about: description,
          })),
        },
        [
          'The demo plant is in the database. Accounts:',
          ...demoAccounts.map(({ username, password, description }) => `  ${username}  ${password}  ${description}`),
          ...workbooks.flatMap(({ file, rows, errorFile, findings }) => [
            `${file}: ${rows} rows`,
            `${errorFile}: ${findings.length} errors and warnings`,
          ]),
        ].join('\n'),
      );
    }),
  );
  withExamples(command, [
    'walkdown demo --profile demo',
    'walkdown demo --profile demo --workbooks demo-workbooks',
    'walkdown demo --render',
  ]);
};

/** Called before the demo plant is written, because writing it takes long. */
async function assertFolderEmpty(folder: string): Promise<void> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw new CliError(exitCodes.usage, [{ file: folder, cause: `The folder cannot be read: ${error.message}` }]);
  });
  if (names.length > 0)
    throw new CliError(exitCodes.usage, [
      { file: folder, cause: 'The folder is not empty.', remedy: 'Name a new or an empty one.' },
    ]);
}

/** Writes the workbooks of the first site. The other sites have no contents to export. */
async function writeWorkbooks(
  product: ProductServer,
  folder: string,
  language: DemoOptions['language'],
): Promise<readonly ExampleWorkbook[]> {
  const { exampleSheets } = await import('../demo/workbooks/index.ts');
  const site = plant.locations.find(({ parent }) => parent === null)?.uid ?? '';
  return withReadableError(
    product.writeExamples(
      { folder: path.resolve(folder), site, language, sheets: exampleSheets },
      { LOG_LEVEL: 'error', ...process.env },
    ),
    'The workbooks could not be written',
  );
}
