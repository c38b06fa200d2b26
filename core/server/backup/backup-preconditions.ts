import { access, constants, stat } from 'node:fs/promises';
import path from 'node:path';
import { findFolderProblem } from '../files/folder-problem.ts';
import type { ServerConfig } from '../kernel/server-config.ts';
import { ConfigurationError } from '../kernel/configuration-error.ts';

/**
 * Checks that an archive can be written. Does not create a missing folder, because its disk may not be mounted.
 *
 * @throws `ConfigurationError` if no archive can be written at `file`
 */
export async function assertArchiveWritable(file: string): Promise<void> {
  const folder = path.dirname(file);
  if (await isFolder(file))
    throw new ConfigurationError(
      `${file} is a folder. Name the file to write, such as ${path.join(file, 'walkdown.tar.gz')}.`,
    );
  const problem =
    (await stat(folder).catch(() => undefined)) === undefined
      ? `There is no folder ${folder}. Create it first (mkdir -p), or name a file in another folder.`
      : await findFolderProblem(folder);
  if (problem !== undefined) throw new ConfigurationError(`The archive ${file} cannot be written. ${problem}`);
}

/**
 * Checks that the database exists, because opening a missing one would create an empty database.
 *
 * @throws `ConfigurationError` if the embedded database does not exist
 */
export async function assertDatabaseExists({ database }: Pick<ServerConfig, 'database'>): Promise<void> {
  if (database.kind !== 'embedded' || database.folder === 'memory' || (await isFolder(database.folder))) return;
  throw new ConfigurationError(
    `There is no database in ${path.dirname(database.folder)}. Set WALKDOWN_DATA to the server's data folder, or ` +
      'DATABASE_URL to its database.',
  );
}

/**
 * Checks that the file of an archive can be read. Its content is not checked.
 *
 * @throws `ConfigurationError` if `file` cannot be read
 */
export async function assertArchiveReadable(file: string): Promise<void> {
  if (await isFolder(file))
    throw new ConfigurationError(`${file} is a folder, not an archive. Name the file that "walkdown backup" wrote.`);
  await access(file, constants.R_OK).catch((error: NodeJS.ErrnoException) => {
    throw new ConfigurationError(
      error.code === 'ENOENT' || error.code === 'ENOTDIR'
        ? `There is no archive ${file}. Nothing was restored: check the path.`
        : `The archive ${file} cannot be read (${error.code}). Give this account the right to read it.`,
      { cause: error },
    );
  });
}

async function isFolder(file: string): Promise<boolean> {
  return (await stat(file).catch(() => undefined))?.isDirectory() ?? false;
}
