import { ApiError } from '#core/web';
import type { TourFailure, TourPart, TourStore } from '#plugins/tour';

const reasons = new Map<number, TourFailure>([
  [0, 'offline'],
  [403, 'noAccess'],
  [404, 'notFound'],
]);

/** Converts an error of a load to a failure with a message for the person. */
export function toFailure(part: TourPart, error: unknown): NonNullable<TourStore['failure']> {
  const apiError = error instanceof ApiError ? error : undefined;
  return { part, reason: (apiError && reasons.get(apiError.status)) ?? 'failed', reference: apiError?.body?.reference };
}
