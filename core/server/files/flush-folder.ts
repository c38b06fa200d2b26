import { open } from 'node:fs/promises';

/** Makes what was renamed into the folder, or made in it, last through a loss of power. */
export async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
