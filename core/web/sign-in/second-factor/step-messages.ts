import type { SignInContextValue } from '../sign-in-context.ts';
import { SignInFailure } from '../sign-in-failure.ts';
import type { FormatMessage, MessageId } from '../sign-in-messages.ts';
import english from './messages/en.json' with { type: 'json' };
import french from './messages/fr.json' with { type: 'json' };

type StepMessageId = keyof typeof english;

/** The parts of the sign-in page know the ids of its own catalogue. `createStepText` formats these too. */
export const toMessageId = (id: StepMessageId): MessageId => id as unknown as MessageId;

/** Adds the messages of the second step to those of the page. The added ones have no placeholders. */
export function createStepText({ language, text }: Pick<SignInContextValue, 'language' | 'text'>): FormatMessage {
  const messages: Readonly<Partial<Record<string, string>>> = language === 'fr' ? french : english;
  return (id, values) => messages[id] ?? text(id, values);
}

const stepFailures: Readonly<Partial<Record<MessageId, StepMessageId>>> = {
  'core.signIn.failed.code': 'core.signIn.secondFactor.failed',
  'core.signIn.failed.credentials': 'core.signIn.secondFactor.over',
};

/** Replaces messages that do not fit the second step. A conflict means that another tab was faster. */
export function throwStepFailure(cause: unknown): never {
  if (!(cause instanceof SignInFailure)) throw cause;
  const { status } = (cause.cause as { readonly response?: { readonly status?: number } } | undefined)?.response ?? {};
  const id = status === 409 ? 'core.signIn.secondFactor.over' : stepFailures[cause.messageId];
  throw id === undefined ? cause : new SignInFailure(toMessageId(id), {}, undefined, { cause });
}
