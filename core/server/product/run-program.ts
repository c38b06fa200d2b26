import path from 'node:path';
import { parseArgs } from 'node:util';
import { ServerError } from '../kernel/server-error.ts';
import type { BackupSummary } from '../backup/archive-names.ts';
import { formatExport, formatImport } from '../site-contents/format-transfer.ts';
import type { TransferredSite } from '../site-contents/site-contents.ts';
import type { CheckedProduct, DropOptions, ExportOptions, ImportOptions, MigrateSummary } from '../start/start.ts';
import type { PluginData } from '../plugin-data/drop-plugin-data.ts';

/** The commands of `server/server.mjs` in a product, which need neither the project nor its command line. */

type Environment = Readonly<Record<string, string | undefined>>;

export interface ProductActions {
  serve(environment: Environment): Promise<unknown>;
  migrate(environment: Environment): Promise<MigrateSummary>;
  check(environment: Environment): Promise<CheckedProduct>;
  exportSite(options: ExportOptions, environment: Environment): Promise<TransferredSite>;
  importSite(options: ImportOptions, environment: Environment): Promise<TransferredSite>;
  backup(file: string, environment: Environment): Promise<BackupSummary>;
  restore(file: string, environment: Environment): Promise<BackupSummary>;
  resetSecondFactor(email: string, environment: Environment): Promise<void>;
  drop(plugin: string, options: DropOptions, environment: Environment): Promise<PluginData | undefined>;
}

export interface ProgramStreams {
  readonly out: (text: string) => void;
  readonly error: (text: string) => void;
}

const usage = `Usage: node server.mjs                            serve; needs no argument
       node server.mjs migrate                    bring the database up to date
       node server.mjs check                      list missing and contradictory contents
       node server.mjs export --site <code> --out <folder>
                                                  write one site into a new folder; --language fr for French workbooks
       node server.mjs import <folder> --as <email>
                                                  import such a folder as this admin; --dry-run only counts the changes
       node server.mjs backup --file <file>       write all rows and files into one archive
       node server.mjs restore --file <file>      fill an empty database and file store from an archive
       node server.mjs drop <plugin> --yes        remove the data of a plugin that this product does not have;
                                                  --archive <file> writes a backup first
       node server.mjs reset-second-factor <email>  remove the second factor of an account

The environment is the same as for the server. Stop a server that uses the embedded database first. Exit codes: 0 done,
1 failed, 2 usage or environment, 6 the product is not as it was built, 7 the contents have errors or were refused.`;

const exitCodes = { ok: 0, failed: 1, usage: 2, invalidContent: 7 } as const;

const options = {
  file: { type: 'string' },
  archive: { type: 'string' },
  yes: { type: 'boolean' },
  site: { type: 'string' },
  out: { type: 'string' },
  language: { type: 'string' },
  as: { type: 'string' },
  'dry-run': { type: 'boolean' },
  help: { type: 'boolean' },
} as const;
type Option = keyof typeof options;

/** The number of arguments and the options of each command. */
const commands: Readonly<Record<string, { readonly args: number; readonly options: readonly Option[] }>> = {
  serve: { args: 0, options: [] },
  migrate: { args: 0, options: [] },
  check: { args: 0, options: [] },
  export: { args: 0, options: ['site', 'out', 'language'] },
  import: { args: 1, options: ['as', 'dry-run'] },
  backup: { args: 0, options: ['file'] },
  restore: { args: 0, options: ['file'] },
  drop: { args: 1, options: ['archive', 'yes'] },
  'reset-second-factor': { args: 1, options: [] },
};

const argumentNames: Readonly<Record<string, string>> = {
  drop: 'the id of one plugin',
  import: 'one folder that an export wrote',
  'reset-second-factor': 'the email address of one account',
};

const standardStreams: ProgramStreams = {
  out: (text) => void process.stdout.write(`${text}\n`),
  error: (text) => void process.stderr.write(`${text}\n`),
};

/** Resolves with the exit code, or with undefined if the server keeps running. */
export async function runProgram(
  args: readonly string[],
  product: ProductActions,
  environment: Environment = process.env,
  streams: ProgramStreams = standardStreams,
): Promise<number | undefined> {
  const refuse = (sentence: string): number => {
    streams.error(`${sentence}\n\n${usage}`);
    return exitCodes.usage;
  };
  let parsed;
  try {
    parsed = parseArgs({ args: [...args], allowPositionals: true, options });
  } catch (error) {
    return refuse(formatError(error));
  }
  const { values, positionals } = parsed;
  const [name = 'serve', ...commandArguments] = positionals;
  if (values.help) {
    streams.out(usage);
    return exitCodes.ok;
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) return refuse(`Unknown command '${name}'.`);
  const unexpectedOption = (Object.keys(values) as Option[]).find((option) => !command.options.includes(option));
  if (unexpectedOption !== undefined) return refuse(`'${name}' does not accept --${unexpectedOption}.`);
  if (commandArguments.length !== command.args)
    return refuse(
      command.args === 1
        ? `'${name}' needs ${argumentNames[name] ?? ''}.`
        : `'${name}' does not accept '${commandArguments[0]}'.`,
    );
  try {
    if (name === 'serve') {
      await product.serve(environment);
      return undefined;
    }
    const quietEnvironment = { LOG_LEVEL: 'error', ...environment };
    if (name === 'migrate') return await runMigrate(product, quietEnvironment, streams);
    if (name === 'check') {
      const { text, reports } = await product.check(quietEnvironment);
      streams.out(text);
      return reports.some(({ severity }) => severity === 'ERROR') ? exitCodes.invalidContent : exitCodes.ok;
    }
    if (name === 'reset-second-factor') {
      await product.resetSecondFactor(commandArguments[0] ?? '', quietEnvironment);
      streams.out(`The second factor of ${commandArguments[0]} is removed.`);
      return exitCodes.ok;
    }
    if (name === 'drop') return await runDrop(product, commandArguments[0] ?? '', values, quietEnvironment, streams);
    if (name === 'export') {
      const { site, out, language = 'en' } = values;
      if (site === undefined || out === undefined) return refuse("'export' needs --site <code> and --out <folder>.");
      if (language !== 'en' && language !== 'fr') return refuse('--language is en or fr.');
      const folder = path.resolve(out);
      streams.out(formatExport(await product.exportSite({ site, folder, language }, quietEnvironment), folder));
      return exitCodes.ok;
    }
    if (name === 'import') {
      const { as: username, 'dry-run': dryRun = false } = values;
      if (username === undefined) return refuse("'import' needs --as <email> of an admin.");
      const folder = path.resolve(commandArguments[0] ?? '');
      streams.out(formatImport(await product.importSite({ folder, username, dryRun }, quietEnvironment), dryRun));
      return exitCodes.ok;
    }
    if (values.file === undefined) return refuse(`'${name}' needs --file <file>.`);
    const file = path.resolve(values.file);
    const isBackup = name === 'backup';
    const summary = await product[isBackup ? 'backup' : 'restore'](file, quietEnvironment);
    streams.out(
      `${isBackup ? 'Wrote' : 'Restored'} ${summary.rows} rows of ${summary.tables} tables and ${summary.files} files ` +
        `${isBackup ? 'to' : 'from'} ${file}.`,
    );
    return exitCodes.ok;
  } catch (error) {
    streams.error(formatError(error));
    return toExitCode(error, name);
  }
}

async function runMigrate(product: ProductActions, environment: Environment, { out, error }: ProgramStreams) {
  const { applied, unused } = await product.migrate(environment);
  for (const { sentence } of unused) error(sentence);
  out(
    applied.length === 0
      ? 'The database is up to date.'
      : [`Applied ${applied.length} migrations:`, ...applied.map(({ owner, id }) => `  ${owner}  ${id}`)].join('\n'),
  );
  return exitCodes.ok;
}

async function runDrop(
  product: ProductActions,
  plugin: string,
  { yes = false, archive }: { readonly yes?: boolean; readonly archive?: string },
  environment: Environment,
  { out, error }: ProgramStreams,
): Promise<number> {
  const formatData = (data: PluginData): string =>
    `the data of "${plugin}" (tables: ${data.tables}, rows: ${data.rows}, files: ${data.files})`;
  const removedData = await product.drop(
    plugin,
    {
      ...(archive === undefined ? {} : { archive: path.resolve(archive) }),
      confirm: async (data) => {
        if (!yes) error(`This removes ${formatData(data)} permanently. Add --yes to confirm.`);
        return yes;
      },
    },
    environment,
  );
  if (removedData !== undefined) out(`Removed ${formatData(removedData)}.`);
  else if (yes) out('Nothing was removed.');
  return removedData === undefined && !yes ? exitCodes.usage : exitCodes.ok;
}

const formatError = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Returns the exit code of the error, if it has one. A failed start exits with 1, as services do. */
function toExitCode(error: unknown, name: string): number {
  if (error instanceof Error && 'exitCode' in error && typeof error.exitCode === 'number') return error.exitCode;
  const isConfigurationError = error instanceof Error && error.name === 'ConfigurationError';
  if (error instanceof ServerError && error.status < 500) return exitCodes.invalidContent;
  return isConfigurationError && name !== 'serve' ? exitCodes.usage : exitCodes.failed;
}
