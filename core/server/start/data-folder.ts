import { chmod, mkdir, readdir, stat } from 'node:fs/promises';
import { folderProblem } from '../files/folder-problem.ts';
import type { ServerConfig } from '../kernel/server-config.ts';
import { ConfigurationError } from '../kernel/configuration-error.ts';

/** Names of the server's own entries in its data folder. */
const ownEntry = /^(?:database(?:\.(?:lock|unfinished).*)?|files|mail|\.walkdown-\w+)$/;

/**
 * Creates the data folder if it is needed, accessible to this account only. Restricts an existing one if it contains
 * only our entries.
 *
 * @throws ConfigurationError if it is a file or cannot be written
 */
export async function prepareDataFolder({ dataFolder, database, files, mail }: ServerConfig): Promise<void> {
  const isUsed =
    (database.kind === 'embedded' && database.folder !== 'memory') || files.kind === 'disk' || mail.kind === 'file';
  if (!isUsed) return;
  const problem = await folderProblem(dataFolder);
  if (problem !== undefined)
    throw new ConfigurationError(
      `Data cannot be kept in ${dataFolder}. ${problem} Set WALKDOWN_DATA to a folder that this account may write, ` +
        'or give it the right to.',
    );
  if ((await mkdir(dataFolder, { recursive: true, mode: 0o700 })) !== undefined) return;
  const isOpen = ((await stat(dataFolder)).mode & 0o077) !== 0;
  // Contains other people's entries, such as a mounted volume: its permissions are theirs to decide.
  if (isOpen && (await readdir(dataFolder)).every((name) => ownEntry.test(name)))
    await chmod(dataFolder, 0o700).catch(() => undefined);
}
