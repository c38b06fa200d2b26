import { mkdir, readdir } from 'node:fs/promises';
import { ConfigurationError } from '#core/server';

/** @throws `ConfigurationError` if something is in the folder */
export async function createEmptyFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
  } catch (cause) {
    throw new ConfigurationError(`The folder ${folder} cannot be created.`, { cause });
  }
  if ((await readdir(folder)).length > 0)
    throw new ConfigurationError(`The folder ${folder} is not empty. Name a new or an empty one.`);
}
