import { isAxiosError, isCancel } from 'axios';
import type { ErrorBody } from '#core';
import { ApiError } from '../kernel/services.ts';

/** What axios rejected with, as the error that callers know. `status` 0: no answer came. */
export function toApiError(cause: unknown): ApiError {
  if (cause instanceof ApiError) return cause;
  if (!isAxiosError(cause) || isCancel(cause)) return new ApiError(0, undefined, { cause });
  // What axios rejects with holds the request with its token: it must not get into a log.
  const told = new Error(`${cause.config?.method?.toUpperCase() ?? ''} ${cause.config?.url ?? ''}: ${cause.message}`);
  const { status = 0, data, headers } = cause.response ?? {};
  return new ApiError(status, parseErrorBody(data), {
    cause: told,
    retryAfterSeconds: parseRetryAfter(headers?.['retry-after']),
  });
}

/** A date, which the header may be too, counts as none. */
function parseRetryAfter(header: unknown): number | undefined {
  return typeof header === 'string' && /^\d+$/.test(header) ? Number(header) : undefined;
}

/** A 4xx or 5xx that did not come from our server, such as a proxy's page, has no body of ours. */
function parseErrorBody(data: unknown): ErrorBody | undefined {
  return typeof data === 'object' && data !== null && 'code' in data && 'message' in data
    ? (data as ErrorBody)
    : undefined;
}
