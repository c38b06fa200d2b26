import { isAxiosError, isCancel } from 'axios';
import type { ErrorBody } from '#core';
import { ApiError } from '../kernel/services.ts';

/** Converts an axios error to the `ApiError` of the contract. Its `status` is 0 if there was no answer. */
export function toApiError(cause: unknown): ApiError {
  if (cause instanceof ApiError) return cause;
  if (!isAxiosError(cause) || isCancel(cause)) return new ApiError(0, undefined, { cause });
  // An axios error contains the request with its token, which must not be logged.
  const safeCause = new Error(
    `${cause.config?.method?.toUpperCase() ?? ''} ${cause.config?.url ?? ''}: ${cause.message}`,
  );
  const { status = 0, data, headers } = cause.response ?? {};
  return new ApiError(status, parseErrorBody(data), {
    cause: safeCause,
    retryAfterSeconds: parseRetryAfter(headers?.['retry-after']),
  });
}

/** Undefined if the header has a date instead of seconds. */
function parseRetryAfter(header: unknown): number | undefined {
  return typeof header === 'string' && /^\d+$/.test(header) ? Number(header) : undefined;
}

/** A 4xx or 5xx from another sender, such as a proxy, has no `ErrorBody`. */
function parseErrorBody(data: unknown): ErrorBody | undefined {
  return typeof data === 'object' && data !== null && 'code' in data && 'message' in data
    ? (data as ErrorBody)
    : undefined;
}
