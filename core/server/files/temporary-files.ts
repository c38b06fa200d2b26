import { errorCodes } from '#core';
import { coreRefusal } from '#core/api';
import { isDiskFull } from '../kernel/disk-space.ts';
import { ServerError } from '../kernel/server-error.ts';

/**
 * 507 E010, with a message for the user. A job that fails with it is not retried, because its own files may be too
 * large.
 */
export const temporaryFilesFull = (): ServerError =>
  new ServerError(507, errorCodes.unavailable, coreRefusal('core.refused.temporaryFilesFull'));

/**
 * Runs work that writes below `os.tmpdir()`.
 *
 * @throws `temporaryFilesFull` if the disk is full
 */
export async function writeTemporaryFiles<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    throw isDiskFull(error) ? temporaryFilesFull() : error;
  }
}
