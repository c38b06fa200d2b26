import { ApiError } from '../kernel/services.ts';

export type FailureKind = 'offline' | 'noAccess' | 'notFound' | 'failed';

/** Why a call failed, as screens distinguish it. */
export interface Failure {
  readonly kind: FailureKind;
  /** Id of the request: it finds the log line. Undefined where our server gave no answer. */
  readonly reference: string | undefined;
  /** What was thrown. */
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
