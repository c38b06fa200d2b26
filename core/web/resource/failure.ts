import { ApiError } from '../kernel/services.ts';

export type FailureKind = 'offline' | 'noAccess' | 'notFound' | 'failed';

/** A failed load in a form that screens can show. */
export interface Failure {
  readonly kind: FailureKind;
  /** The request id in the server's log. Undefined without an answer of our server. */
  readonly reference: string | undefined;
  /** The original error. */
  readonly cause: unknown;
}

export function toFailure(cause: unknown): Failure {
  const apiError = cause instanceof ApiError ? cause : undefined;
  return { kind: toFailureKind(apiError?.status), reference: apiError?.body?.reference, cause };
}

function toFailureKind(status: number | undefined): FailureKind {
  if (status === 0) return 'offline';
  if (status === 403) return 'noAccess';
  return status === 404 ? 'notFound' : 'failed';
}
