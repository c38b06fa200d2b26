import { errorCodes, inactiveUserMessage, type ErrorBody } from '#core';
import type { MessageId } from './sign-in-messages.ts';

/** A failed call of the sign-in screens, with a message for the person. */
export class SignInFailure extends Error {
  override readonly name = 'SignInFailure';
  readonly messageId: MessageId;
  readonly values: Readonly<Record<string, string | number>>;
  /** The request id in the server's log, only for server errors. */
  readonly reference: string | undefined;

  constructor(
    messageId: MessageId,
    values: Readonly<Record<string, string | number>> = {},
    reference?: string,
    options?: ErrorOptions,
  ) {
    super(messageId, options);
    this.messageId = messageId;
    this.values = values;
    this.reference = reference;
  }
}

export function toSignInFailure(cause: unknown): SignInFailure {
  return cause instanceof SignInFailure
    ? cause
    : new SignInFailure('core.signIn.failed.general', {}, undefined, { cause });
}

export interface FailedAnswer {
  /** The HTTP status, or 0 without an answer. */
  readonly status: number;
  readonly body: Partial<ErrorBody> | undefined;
  /** The header `retry-after`, in seconds. */
  readonly retryAfter: string | undefined;
}

const messageByCode: Readonly<Partial<Record<string, MessageId>>> = {
  [errorCodes.invalidCredentials]: 'core.signIn.failed.credentials',
  [errorCodes.inactiveUser]: 'core.signIn.failed.inactive',
  [errorCodes.noAccess]: 'core.signIn.failed.noAccess',
  [errorCodes.invalidCode]: 'core.signIn.failed.code',
  [errorCodes.invalidRequest]: 'core.signIn.failed.refused',
  [errorCodes.unavailable]: 'core.signIn.failed.unavailable',
};

/** Reasons for which the server refuses a password that passed the form's rules. */
const passwordRefusals: ReadonlySet<string> = new Set<MessageId>([
  'core.validation.minLength',
  'core.validation.passwordCommon',
  'core.validation.passwordPersonal',
]);

/** Selects the message by the error code, because the server's own message is in English. */
export function fromFailedAnswer({ status, body, retryAfter }: FailedAnswer, options?: ErrorOptions): SignInFailure {
  if (status === 0) return new SignInFailure('core.signIn.failed.offline', {}, undefined, options);
  if (status === 429 || body?.code === errorCodes.tooManyRequests) {
    return new SignInFailure(
      'core.signIn.failed.throttled',
      { seconds: Math.max(1, Math.ceil(Number(retryAfter)) || 60) },
      undefined,
      options,
    );
  }
  if (body?.message === inactiveUserMessage)
    return new SignInFailure('core.signIn.failed.inactive', {}, undefined, options);
  if (body?.refusal?.message === 'core.refused.providerNotSetUp')
    return new SignInFailure('core.signIn.failed.notSetUp', {}, undefined, options);
  const field = body?.fields?.find(({ message }) => passwordRefusals.has(message));
  if (field !== undefined) return new SignInFailure(field.message as MessageId, field.values, undefined, options);
  const messageId = messageByCode[body?.code ?? ''];
  if (messageId !== undefined) return new SignInFailure(messageId, {}, undefined, options);
  if (status === 401) return new SignInFailure('core.signIn.failed.credentials', {}, undefined, options);
  const unreachable = status === 502 || status === 503 || status === 504;
  return new SignInFailure(
    unreachable ? 'core.signIn.failed.unavailable' : 'core.signIn.failed.general',
    {},
    body?.reference,
    options,
  );
}
