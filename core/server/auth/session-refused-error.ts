import type { ServerError } from '../kernel/server-error.ts';
import type { RefusalReason } from './sign-in-audit.ts';

/** A session was not opened or renewed. The client receives `clientError`, which reveals less than `reason`. */
export class SessionRefusedError extends Error {
  override readonly name = 'SessionRefusedError';
  readonly reason: RefusalReason;
  readonly clientError: ServerError;
  /** uid of the account. Undefined if the session is unknown. */
  readonly account: string | undefined;

  constructor(reason: RefusalReason, answer: ServerError, account?: string) {
    super(answer.message, { cause: answer });
    this.reason = reason;
    this.clientError = answer;
    this.account = account;
  }
}
