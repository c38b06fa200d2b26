import { ApiError } from '../kernel/services.ts';

export type FailureKind = 'offline' | 'noAccess' | 'notFound' | 'failed';

/** Categories of failures that screens distinguish. */
export interface Failure {
  readonly kind: FailureKind;
  /** Request id, which finds the log line. Undefined without an answer of our server. */
  readonly reference: string | undefined;
  /** The original error. */
  readonly cause: unknown;
}

export function toFailure(cause: unknown): Failure {
  const answer = cause instanceof ApiError ? cause : undefined;
  return { kind: toFailureKind(answer?.status), reference: answer?.body?.reference, cause };
}

function toFailureKind(status: number | undefined): FailureKind {
  if (status === 0) return 'offline';
  if (status === 403) return 'noAccess';
  return status === 404 ? 'notFound' : 'failed';
}
