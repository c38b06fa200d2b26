import type { LocationRow } from '#core';
import { ApiError } from '#core/web';

/** The present location of a 409, if it was changed meanwhile. */
export function readConflict(failure: unknown): LocationRow | undefined {
  return failure instanceof ApiError && failure.status === 409
    ? (failure.body?.current as LocationRow | undefined)
    : undefined;
}
