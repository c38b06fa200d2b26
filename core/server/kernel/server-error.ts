import {
  errorCodes,
  inactiveUserMessage,
  refusalIn,
  type ErrorCode,
  type FieldError,
  type LocalizedRefusal,
} from '#core';
import { coreRefusal } from '#core/api';

/** A sentence in English, or a refusal that can be shown in every language. */
export type UserMessage = string | LocalizedRefusal;
export const formatSentence = (userMessage: UserMessage): string =>
  typeof userMessage === 'string' ? userMessage : userMessage.sentence;

/**
 * An error that is reported to the caller: its status, code, message and fields become the reply (`ErrorBody`). Any
 * other thrown value becomes a 500 without details.
 */
export class ServerError extends Error {
  override readonly name = 'ServerError';
  readonly status: number;
  readonly code: ErrorCode;
  /** A refusal if a screen shows it in the reader's language, else a sentence in English. */
  readonly userMessage: UserMessage;
  readonly fields: readonly FieldError[] | undefined;
  /** Seconds until a retry makes sense; sent as `retry-after`. */
  readonly retryAfterSeconds: number | undefined;
  /** With 409: the current value, for the caller to compare. */
  readonly current: unknown;

  constructor(
    status: number,
    code: ErrorCode,
    userMessage: UserMessage,
    details: {
      readonly fields?: readonly FieldError[];
      readonly cause?: unknown;
      readonly retryAfterSeconds?: number;
      readonly current?: unknown;
    } = {},
  ) {
    super(formatSentence(userMessage), details.cause === undefined ? undefined : { cause: details.cause });
    this.status = status;
    this.code = code;
    this.userMessage = userMessage;
    this.fields = details.fields;
    this.retryAfterSeconds = details.retryAfterSeconds;
    this.current = details.current;
  }
}

/** Adds the file's name to an error about one of several files. Other values stay unchanged. */
export function withFile(file: string, thrownValue: unknown): unknown {
  if (!(thrownValue instanceof ServerError) || typeof thrownValue.userMessage === 'string') return thrownValue;
  const { status, code, userMessage, fields } = thrownValue;
  return new ServerError(status, code, refusalIn(file, userMessage), {
    cause: thrownValue,
    ...(fields ? { fields } : {}),
  });
}

/** 400 E002. `fields` lists the invalid fields of the body, each with a message id of `core.validation.*`. */
export const invalidRequest = (userMessage: UserMessage, fields?: readonly FieldError[]): ServerError =>
  new ServerError(400, errorCodes.invalidRequest, userMessage, fields === undefined ? {} : { fields });
/** 401 E001. */
export const invalidCredentials = (): ServerError =>
  new ServerError(401, errorCodes.invalidCredentials, 'Invalid credentials. Please check again');
/** 401 E005: the browser renews once. */
export const unauthenticated = (message = 'Sign in to continue.'): ServerError =>
  new ServerError(401, errorCodes.unauthenticated, message);
/** 401 E006: the browser does not renew. */
export const inactiveUser = (): ServerError => new ServerError(401, errorCodes.inactiveUser, inactiveUserMessage);
/** 403 E003. */
export const noAccess = (
  userMessage: UserMessage = 'Your roles do not allow this. Please ask the admin for access.',
): ServerError => new ServerError(403, errorCodes.noAccess, userMessage);
/** 404 E004; `what` such as "This tour". */
export const notFound = (what = 'This'): ServerError =>
  new ServerError(404, errorCodes.notFound, `${what} does not exist.`);
/** 409 E007. */
export const conflict = (userMessage: UserMessage, fields?: readonly FieldError[]): ServerError =>
  new ServerError(409, errorCodes.conflict, userMessage, fields === undefined ? {} : { fields });
/** 409 E007: another person has changed the record since it was read. `current` is the current record. */
export const versionConflict = (userMessage: UserMessage, current: unknown): ServerError =>
  new ServerError(409, errorCodes.conflict, userMessage, { current });
/** 408 E002: the body is too slow; the reply closes the connection. */
export const requestTimeout = (): ServerError =>
  new ServerError(408, errorCodes.invalidRequest, coreRefusal('core.refused.bodyTooSlow'));
/** 413 E009. */
export const tooLarge = (userMessage: UserMessage): ServerError =>
  new ServerError(413, errorCodes.tooLarge, userMessage);
/** 416 E002. */
export const rangeNotSatisfiable = (bytes: number): ServerError =>
  new ServerError(
    416,
    errorCodes.invalidRequest,
    `The range begins after the end of the file, which has ${bytes} bytes.`,
  );
/** 429 E008. */
export const tooManyRequests = (retryAfterSeconds: number): ServerError =>
  new ServerError(
    429,
    errorCodes.tooManyRequests,
    `Too many requests. Please try again in ${retryAfterSeconds} seconds.`,
    { retryAfterSeconds },
  );
/** 503 E010: a dependency of this server is unavailable. */
export const unavailable = (userMessage: UserMessage, cause?: unknown): ServerError =>
  new ServerError(503, errorCodes.unavailable, userMessage, cause === undefined ? {} : { cause });
/** 400 E011: a one-time code that is wrong, used, expired, or requested by another client. */
export const invalidCode = (): ServerError =>
  new ServerError(
    400,
    errorCodes.invalidCode,
    'The code is wrong, has expired or was requested in another browser. Please request a new one.',
  );
