import type { LocalizedError } from './localized-error.ts';

/**
 * Codes of errors that the server answers. `message` in the answer is English and fit for a person; the browser shows
 * its own words, by `refusal` where there is one, else by code.
 */
export const errorCodes = {
  internal: 'E000',
  invalidCredentials: 'E001',
  invalidRequest: 'E002',
  noAccess: 'E003',
  notFound: 'E004',
  /** No token, or one that is expired, revoked or forged: the browser renews once. */
  unauthenticated: 'E005',
  /** The account is inactive: the browser does not renew. */
  inactiveUser: 'E006',
  conflict: 'E007',
  tooManyRequests: 'E008',
  tooLarge: 'E009',
  unavailable: 'E010',
  /** A one-time code that is wrong, used or too old. */
  invalidCode: 'E011',
} as const;
export type ErrorCode = (typeof errorCodes)[keyof typeof errorCodes];

/** Said by the specification, letter for letter: a 401 with this message triggers no renewal. */
export const inactiveUserMessage = 'E006: Inactive User';

/**
 * One field that was refused. `pointer` is a JSON pointer into the body; `message` is a message id of
 * `core.validation.*`.
 */
export interface FieldError {
  readonly pointer: string;
  readonly message: string;
  readonly values?: Readonly<Record<string, string | number>>;
}

/** The body of every answer of 4xx and 5xx. `reference` is the id of the request: it finds the log line. */
export interface ErrorBody {
  readonly code: ErrorCode;
  readonly message: string;
  readonly reference: string;
  /** Why, for the reader's language. */
  readonly refusal?: LocalizedError;
  readonly fields?: readonly FieldError[];
  /** With 409: what the other one saved, in the shape of the call's reply. */
  readonly current?: unknown;
}
