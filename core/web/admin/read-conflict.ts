import { ApiError } from '../kernel/services.ts';

/** The present record of a 409, if it was changed meanwhile. */
export function readConflict<T>(failure: unknown): T | undefined {
  return failure instanceof ApiError && failure.status === 409 ? (failure.body?.current as T | undefined) : undefined;
}
