import { chmod, mkdir, readdir, stat } from 'node:fs/promises';
import { findFolderProblem } from '../files/folder-problem.ts';
import type { ServerConfig } from '../kernel/server-config.ts';
import { ConfigurationError } from '../kernel/configuration-error.ts';

/** The names of the server's own entries in its data folder. */
const ownEntryPattern = /^(?:database(?:\.(?:lock|unfinished|reading).*)?|files|mail|uploads|backups|\.walkdown-\w+)$/;

/**
 * Creates the data folder if the server uses it, with access for this account only. Restricts the access to an existing
 * folder if it contains only entries of the server.
 *
 * @throws ConfigurationError if the folder cannot be written
 */
export async function prepareDataFolder({ dataFolder, database, files, mail }: ServerConfig): Promise<void> {
  const isUsed =
    (database.kind === 'embedded' && database.folder !== 'memory') || files.kind === 'disk' || mail.kind === 'file';
  if (!isUsed) return;
  const problem = await findFolderProblem(dataFolder);
  if (problem !== undefined)
    throw new ConfigurationError(
      `Data cannot be stored in ${dataFolder}. ${problem} Set WALKDOWN_DATA to a folder that this account may write, ` +
        'or give the account this right.',
    );
  if ((await mkdir(dataFolder, { recursive: true, mode: 0o700 })) !== undefined) return;
  const isOpen = ((await stat(dataFolder)).mode & 0o077) !== 0;
  // A folder with other entries, such as a mounted volume, keeps its permissions.
  if (isOpen && (await readdir(dataFolder)).every((name) => ownEntryPattern.test(name)))
    await chmod(dataFolder, 0o700).catch(() => undefined);
}
