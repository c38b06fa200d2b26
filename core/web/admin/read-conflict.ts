import { ApiError } from '../kernel/services.ts';

/** Returns the current record of a 409, if another person has changed it. */
export function readConflict<T>(failure: unknown): T | undefined {
  return failure instanceof ApiError && failure.status === 409 ? (failure.body?.current as T | undefined) : undefined;
}
