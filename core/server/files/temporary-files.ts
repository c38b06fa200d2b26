import { errorCodes } from '#core';
import { coreRefusal } from '#core/api';
import { isDiskFull } from '../kernel/disk-space.ts';
import { ServerError } from '../kernel/server-error.ts';

/**
 * 507 E010, with words for a screen. A job that ends with it is not tried again: its own files may be what finds no
 * room.
 */
export const temporaryFilesFull = (): ServerError =>
  new ServerError(507, errorCodes.unavailable, coreRefusal('core.refused.temporaryFilesFull'));

/** Runs what writes below `os.tmpdir()`. Throws `temporaryFilesFull` where that finds no room. */
export async function writeTemporaryFiles<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    throw isDiskFull(error) ? temporaryFilesFull() : error;
  }
}
