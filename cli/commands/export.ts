import path from 'node:path';
import { Option } from 'commander';
import {
  createAction,
  withExamples,
  type AddCommand,
  type CommonOptions,
  jsonOption,
  profileOption,
} from '../command.ts';
import { loadProduct, withReadableError } from '../product/product-server.ts';
import { formatExport } from '../../core/server/site-contents/format-transfer.ts';

interface ExportOptions extends CommonOptions {
  readonly profile: string;
  readonly product?: string;
  readonly site: string;
  readonly out: string;
  readonly language: 'en' | 'fr';
}

/** `walkdown export`: writes one site as a folder of open formats. */
export const addExportCommand: AddCommand = (program) => {
  const command = program
    .command('export')
    .description(
      'write one site of a product into a folder of workbooks, pictures, scans, models and JSON that "walkdown import" ' +
        'reads; the embedded database must not be in use',
    )
    .addOption(new Option('-s, --site <code>', 'code of the site').makeOptionMandatory())
    .addOption(new Option('-o, --out <folder>', 'a new or an empty folder').makeOptionMandatory())
    .addOption(new Option('-l, --language <language>', 'language of the workbooks').choices(['en', 'fr']).default('en'))
    .addOption(profileOption())
    .addOption(new Option('--product <folder>', 'folder of the built product (default: dist/<profile>)'))
    .addOption(jsonOption())
    .action(
      createAction<ExportOptions>(async ({ profile, product: buildFolder, site, out, language }, output) => {
        const product = await loadProduct({ profile, ...(buildFolder === undefined ? {} : { out: buildFolder }) });
        const folder = path.resolve(out);
        const summary = await withReadableError(
          product.exportSite({ site, folder, language }, { LOG_LEVEL: 'error', ...process.env }),
          'The export failed',
        );
        output.printResult({ folder, ...summary }, formatExport(summary, folder));
      }),
    );
  withExamples(command, [
    'walkdown export --profile profile-a --site NH --out /srv/exports/nh',
    'DATABASE_URL=postgres://... walkdown export --product /srv/product --site NH --out nh --language fr',
  ]);
};
