import { access } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { DemoPlant } from '#core';
import type {
  BackupSummary,
  ExampleOptions,
  ExampleWorkbook,
  ServerContent,
  StartedServer,
  TransferredSite,
} from '#core/server';
import type {
  CheckedProduct,
  DropOptions,
  ExportOptions,
  ImportOptions,
  MigrateSummary,
  StartOptions,
} from '../../core/server/start/start.ts';
import type { PluginData } from '../../core/server/plugin-data/drop-plugin-data.ts';
import { CliError, exitCodes, isChangedProductError, isConfigurationError, isRefusal } from '../cli-error.ts';
import type { ProductOptions } from '../command.ts';
import { getProfileName } from '../profile/profile-chain.ts';
import { displayPath, projectRoot } from '../project-root.ts';
import { getDefaultOut } from './product-folder.ts';
import { createProjectCopy } from './project-copy.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The exports of a built product's server bundle (`server/server.mjs`). */
export interface ProductServer {
  readonly content: ServerContent;
  serve(environment: Environment, options?: StartOptions): Promise<StartedServer>;
  migrate(environment: Environment): Promise<MigrateSummary>;
  check(environment: Environment): Promise<CheckedProduct>;
  exportSite(options: ExportOptions, environment: Environment): Promise<TransferredSite>;
  writeExamples(options: ExampleOptions, environment: Environment): Promise<readonly ExampleWorkbook[]>;
  importSite(options: ImportOptions, environment: Environment): Promise<TransferredSite>;
  backup(file: string, environment: Environment): Promise<BackupSummary>;
  restore(file: string, environment: Environment): Promise<BackupSummary>;
  drop(plugin: string, options: DropOptions, environment: Environment): Promise<PluginData | undefined>;
  resetSecondFactor(email: string, environment: Environment): Promise<void>;
  seed(plant: DemoPlant, environment: Environment): Promise<void>;
}

/**
 * Loads the server of the product in `out` with the packages next to it, or with the project's if the versions match.
 */
export async function loadProductServer(out: string): Promise<ProductServer> {
  const file = getServerFile(out);
  const isPresent = await access(file).then(
    () => true,
    () => false,
  );
  if (!isPresent)
    throw new CliError(exitCodes.usage, [
      {
        file: displayPath(out),
        cause: 'There is no built product here.',
        remedy: 'Build it first: walkdown build --profile <name>.',
      },
    ]);
  try {
    return await load(file);
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'ERR_MODULE_NOT_FOUND')) throw cause;
    const copyFolder = await createProjectCopy(projectRoot, out);
    if (copyFolder !== undefined) return load(getServerFile(copyFolder));
    const message =
      "The product's packages are not installed, and the project's have other versions than the product was built " +
      `with: ${cause.message}`;
    throw new CliError(
      exitCodes.usage,
      [
        {
          file: displayPath(file),
          cause: message,
          remedy: `Run "npm ci --omit=dev" in ${displayPath(path.dirname(file))}, or build the product again.`,
        },
      ],
      { cause },
    );
  }
}

function getServerFile(out: string): string {
  return path.join(out, 'server', 'server.mjs');
}

async function load(file: string): Promise<ProductServer> {
  return (await import(pathToFileURL(file).href)) as ProductServer;
}

/** The product of a command's `--out` or `--profile`. */
export function loadProduct({ profile, out }: ProductOptions): Promise<ProductServer> {
  return loadProductServer(out === undefined ? getDefaultOut(projectRoot, getProfileName(profile)) : path.resolve(out));
}

/**
 * Awaits work of a product's server. Converts a failure, such as a port in use, to a readable message that begins with
 * `subject`, such as "The backup failed".
 */
export async function withReadableError<T>(
  work: Promise<T>,
  subject: string,
  location: { readonly file?: string } = {},
): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    throw new CliError(
      isConfigurationError(cause)
        ? exitCodes.usage
        : isChangedProductError(cause)
          ? exitCodes.verificationFailed
          : isRefusal(cause)
            ? exitCodes.contentFaulty
            : exitCodes.unexpected,
      [{ ...location, cause: `${subject}: ${cause instanceof Error ? cause.message : String(cause)}` }],
      { cause },
    );
  }
}
