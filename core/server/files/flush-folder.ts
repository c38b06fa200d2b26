import { open } from 'node:fs/promises';

/** Flushes a folder, so that renamed and created entries survive a power failure. */
export async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
