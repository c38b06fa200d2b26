import path from 'node:path';
import { createInterface } from 'node:readline/promises';
import { Option } from 'commander';
import { CliError, exitCodes } from '../cli-error.ts';
import { createAction, withExamples, withProductOptions, type AddCommand, type ProductOptions } from '../command.ts';
import type { Output } from '../output.ts';
import { loadProduct, withReadableError } from '../product/product-server.ts';

interface DropCommandOptions extends ProductOptions {
  readonly archive?: string;
  readonly yes?: boolean;
}

/** `walkdown drop <plugin>`: removes the data of a plugin that the product no longer has. */
export const addDropCommand: AddCommand = (program) => {
  const command = withProductOptions(
    program
      .command('drop')
      .argument('<plugin>', 'id of a plugin that the product no longer has')
      .description('remove the data of a plugin that was taken out of a product: tables, jobs and files')
      .addOption(new Option('-a, --archive <file>', 'write a backup of the whole product there first'))
      .addOption(new Option('-y, --yes', 'do not ask for confirmation')),
  ).action(
    createAction<DropCommandOptions>(async (options, output, self) => {
      const plugin = self.args[0] ?? '';
      const product = await loadProduct(options);
      const archive = options.archive === undefined ? {} : { archive: path.resolve(options.archive) };
      let refusal: CliError | undefined;
      const confirm = async (counts: { readonly tables: number; readonly rows: number; readonly files: number }) => {
        if (options.yes === true) return true;
        const summary =
          `The data of "${plugin}" (tables: ${counts.tables}, rows: ${counts.rows}, files: ${counts.files}) will be removed ` +
          `for good${options.archive === undefined ? ', without a backup (--archive <file> makes one first)' : ''}.`;
        if (process.stdin.isTTY) return askForConfirmation(output, summary);
        refusal = new CliError(exitCodes.usage, [
          { cause: `${summary} This terminal cannot ask for confirmation.`, remedy: 'Add --yes to confirm.' },
        ]);
        return false;
      };
      const removedData = await withReadableError(
        product.drop(plugin, { confirm, ...archive }, { LOG_LEVEL: 'error', ...process.env }),
        'The data were not removed',
      );
      if (refusal !== undefined) throw refusal;
      output.printResult(
        { removed: removedData ?? null, ...archive },
        removedData === undefined
          ? 'Nothing was removed.'
          : `Removed the data of "${plugin}" (tables: ${removedData.tables}, rows: ${removedData.rows}, files: ${removedData.files}).`,
      );
    }),
  );
  withExamples(command, [
    'walkdown drop scan --profile profile-a --archive /backups/with-scan.tar.gz',
    'DATABASE_URL=postgres://... walkdown drop scan --out /srv/product --yes',
  ]);
};

async function askForConfirmation(output: Output, summary: string): Promise<boolean> {
  output.print(summary);
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return (await prompt.question('Type yes to remove them: ')).trim().toLowerCase() === 'yes';
  } finally {
    prompt.close();
  }
}
