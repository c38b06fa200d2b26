import type { LocalizedError } from './localized-error.ts';

/**
 * Error codes of the server. The reply's `message` is in English; the browser shows its own message, by `refusal` or
 * else by code.
 */
export const errorCodes = {
  internal: 'E000',
  invalidCredentials: 'E001',
  invalidRequest: 'E002',
  noAccess: 'E003',
  notFound: 'E004',
  /** The token is missing, expired, revoked or forged. The browser renews it once. */
  unauthenticated: 'E005',
  /** The account is inactive. The browser does not renew the token. */
  inactiveUser: 'E006',
  conflict: 'E007',
  tooManyRequests: 'E008',
  tooLarge: 'E009',
  unavailable: 'E010',
  /** A wrong, used or expired one-time code. */
  invalidCode: 'E011',
} as const;
export type ErrorCode = (typeof errorCodes)[keyof typeof errorCodes];

/** Exact text of the specification: a 401 with this message triggers no renewal. */
export const inactiveUserMessage = 'E006: Inactive User';

/** One invalid field: a JSON pointer into the body and a message id of `core.validation.*`. */
export interface FieldError {
  readonly pointer: string;
  readonly message: string;
  readonly values?: Readonly<Record<string, string | number>>;
}

/** The body of every 4xx and 5xx reply. `reference` is the request id, which the log line contains. */
export interface ErrorBody {
  readonly code: ErrorCode;
  readonly message: string;
  readonly reference: string;
  /** The reason, which the browser shows in the reader's language. */
  readonly refusal?: LocalizedError;
  readonly fields?: readonly FieldError[];
  /** For a 409: the currently saved record, in the shape of the call's reply. */
  readonly current?: unknown;
}
