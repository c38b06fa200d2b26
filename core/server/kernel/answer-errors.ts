import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { errorCodes, pickLocalizedError, type ErrorBody, type ErrorCode } from '#core';
import { DatabaseUnavailableError, isDataError } from './database-error.ts';
import { diskFull, isDiskFull } from './disk-space.ts';
import { isTooLargeToDiscard } from './discard-unread-body.ts';
import { findCaller } from './request-guard.ts';
import { invalidRequest, ServerError, tooLarge, unavailable } from './server-error.ts';

const internalMessage =
  'Something went wrong on the server. Please try again; if it happens again, tell the admin the reference.';

const badJsonCodes = new Set(['FST_ERR_CTP_INVALID_JSON_BODY', 'FST_ERR_CTP_EMPTY_JSON_BODY']);

/**
 * Turns every 4xx and 5xx reply into an `ErrorBody`, whatever was thrown. Details of a 5xx are in the log under the
 * same reference, never in the reply.
 */
export function answerErrors(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError, request, reply) => sendError(toServerError(error), error, request, reply));
}

export function sendError(
  serverError: ServerError | undefined,
  cause: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const status = serverError?.status ?? 500;
  // Expected under load and during start: not an error to investigate, so no stack is logged.
  if (isBusy(cause))
    request.log.info(
      { request: request.id, route: request.routeOptions.url ?? 'none' },
      'Refused because the process is busy.',
    );
  else if (isDataError(cause))
    request.log.warn(
      { request: request.id, route: request.routeOptions.url ?? 'none', err: cause },
      'The database refused a value of a request. The schema of the endpoint should refuse it.',
    );
  else if (status >= 500) request.log.error({ request: request.id, err: cause }, 'A request failed.');
  else if (status === 403)
    request.log.warn(
      {
        event: 'access.refused',
        request: request.id,
        route: request.routeOptions.url ?? 'none',
        caller: findCaller(request)?.uid,
        address: request.ip,
        reason: serverError?.message,
      },
      'Access was refused.',
    );
  else
    request.log.debug(
      { request: request.id, code: serverError?.code, reason: serverError?.message },
      'A request was refused.',
    );
  if (serverError?.retryAfterSeconds !== undefined)
    void reply.header('retry-after', String(serverError.retryAfterSeconds));
  if (status === 401) void reply.header('www-authenticate', 'Bearer');
  if (status === 408 || isTooLargeToDiscard(request.raw)) void reply.header('connection', 'close');
  return reply
    .code(status)
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(toErrorBody(serverError, request.id)));
}

function isBusy(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === 'FST_UNDER_PRESSURE';
}

function toErrorBody(serverError: ServerError | undefined, reference: string): ErrorBody {
  if (!serverError) return { code: errorCodes.internal, message: internalMessage, reference };
  return {
    code: serverError.code,
    message: serverError.message,
    reference,
    ...(typeof serverError.userMessage === 'string' ? {} : { refusal: pickLocalizedError(serverError.userMessage) }),
    ...(serverError.fields && serverError.fields.length > 0 ? { fields: serverError.fields } : {}),
    ...(serverError.current === undefined ? {} : { current: serverError.current }),
  };
}

/** Undefined for internal errors, which are not reported to clients. `receiveUpload` reports invalid uploads. */
export function toServerError(error: FastifyError): ServerError | undefined {
  if (error instanceof ServerError) return error;
  if (isDiskFull(error)) return diskFull(error);
  if (error instanceof DatabaseUnavailableError)
    return unavailable('The database is not available at the moment. Please try again soon.', error);
  if (isDataError(error)) return invalidRequest('The request holds a value that cannot be stored.');
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return tooLarge('The body is larger than allowed.');
  if (badJsonCodes.has(error.code) || (error instanceof SyntaxError && error.statusCode === 400))
    return invalidRequest('The body is not valid JSON.');
  const status = error.statusCode;
  if (status === undefined || status < 400) return undefined;
  if (status === 503) return unavailable('The server is busy or stopping. Please try again soon.', error);
  return status < 500 ? new ServerError(status, toErrorCode(status), toMessage(status)) : undefined;
}

function toErrorCode(status: number): ErrorCode {
  if (status === 404) return errorCodes.notFound;
  return status === 429 ? errorCodes.tooManyRequests : errorCodes.invalidRequest;
}

function toMessage(status: number): string {
  if (status === 404) return 'This does not exist.';
  if (status === 415) return 'The body must be JSON (content-type: application/json).';
  return 'The request is not valid.';
}
