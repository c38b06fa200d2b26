import { mkdir, readdir } from 'node:fs/promises';
import { ConfigurationError } from '#core/server';

/**
 * Creates a folder, unless it exists and is empty.
 *
 * @throws `ConfigurationError` if something is in the folder, or if it cannot be created
 */
export async function createEmptyFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
  } catch (cause) {
    throw new ConfigurationError(`The folder ${folder} cannot be created.`, { cause });
  }
  if ((await readdir(folder)).length > 0)
    throw new ConfigurationError(`The folder ${folder} is not empty. Choose a new or an empty folder.`);
}
