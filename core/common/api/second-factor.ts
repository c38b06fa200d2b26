import { Type, type Static } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { Empty, Instant, nullable, Password, Uid } from './shapes.ts';
import { Tokens } from './auth.ts';

const closedOptions = { additionalProperties: false } as const;

/** Six digits of the authenticator app, or a recovery code; blanks and dashes are ignored. */
const Code = Type.String({ minLength: 1, maxLength: 64 });
const Challenge = Type.String({ minLength: 1, maxLength: 64 });
const Enrolment = Type.String({ minLength: 1, maxLength: 2048 });

/** A new key for an authenticator app, which a code must confirm within ten minutes. */
export type SecondFactorKey = Static<typeof SecondFactorKey>;
export const SecondFactorKey = Type.Object({
  /** Base32 (RFC 4648). */
  key: Type.String(),
  /** The `otpauth:` URL for a QR code. */
  address: Type.String(),
  /** The sealed key, which the confirmation sends back. */
  enrolment: Type.String(),
});

/** The recovery codes in clear text, which are shown only once. */
export type RecoveryCodes = Static<typeof RecoveryCodes>;
export const RecoveryCodes = Type.Object({ recoveryCodes: Type.Array(Type.String()) });

/** The second factor of the signed-in person. */
export type SecondFactor = Static<typeof SecondFactor>;
export const SecondFactor = Type.Object({
  /** False if the account has no password, because the identity provider checks the person. */
  available: Type.Boolean(),
  /** Whether this person must use a second factor. */
  required: Type.Boolean(),
  /** When it was set up. Null without a second factor. */
  since: nullable(Instant),
  recoveryCodesLeft: Type.Integer({ minimum: 0 }),
});

export const answerChallenge = endpoint('POST', '/auth/pub/user/login/second-factor', {
  summary: 'Complete a login with the code of an authenticator app or with a recovery code.',
  access: 'public',
  limitPerMinute: 30,
  body: Type.Object({ challenge: Challenge, code: Code }, closedOptions),
  reply: Tokens,
});

export const startChallengeEnrolment = endpoint('POST', '/auth/pub/user/login/second-factor/start', {
  summary: 'A new key for an authenticator app, for a login that requires a second factor of somebody without one.',
  access: 'public',
  limitPerMinute: 30,
  body: Type.Object({ challenge: Challenge }, closedOptions),
  reply: SecondFactorKey,
});

export const completeChallengeEnrolment = endpoint('POST', '/auth/pub/user/login/second-factor/confirm', {
  summary: 'Set up the second factor with a code of the app, and complete the login.',
  access: 'public',
  limitPerMinute: 30,
  body: Type.Object({ challenge: Challenge, enrolment: Enrolment, code: Code }, closedOptions),
  reply: Type.Object({ ...RecoveryCodes.properties, tokens: Tokens }),
});

export const getSecondFactor = endpoint('GET', '/api/me/second-factor', {
  summary: 'Whether the signed-in person has a second factor, must have one, and how many recovery codes are left.',
  access: 'signedIn',
  reply: SecondFactor,
});

export const startEnrolment = endpoint('POST', '/api/me/second-factor/start', {
  summary: 'A new key for an authenticator app of the signed-in person. Answers 409 if they have a second factor.',
  access: 'signedIn',
  limitPerMinute: 10,
  body: Type.Object({ password: Password }, closedOptions),
  reply: SecondFactorKey,
});

export const confirmEnrolment = endpoint('POST', '/api/me/second-factor', {
  summary: 'Set up the second factor of the signed-in person with a code of the app.',
  access: 'signedIn',
  limitPerMinute: 10,
  body: Type.Object({ enrolment: Enrolment, code: Code }, closedOptions),
  reply: RecoveryCodes,
});

export const renewRecoveryCodes = endpoint('POST', '/api/me/second-factor/recovery-codes', {
  summary: 'Replace the recovery codes of the signed-in person. The former ones are void.',
  access: 'signedIn',
  limitPerMinute: 10,
  body: Type.Object({ code: Code }, closedOptions),
  reply: RecoveryCodes,
});

export const turnOffSecondFactor = endpoint('POST', '/api/me/second-factor/off', {
  summary: 'Turn off the second factor of the signed-in person. Answers 409 if they must have one.',
  access: 'signedIn',
  limitPerMinute: 10,
  body: Type.Object({ password: Password, code: Code }, closedOptions),
  reply: Empty,
});

export const resetSecondFactor = endpoint('POST', '/api/people/:person/second-factor/reset', {
  summary:
    'Remove the second factor of another person, end their sessions and notify them by mail. Answers 409 for the own factor, ' +
    'and if there is none.',
  access: 'userManagement',
  params: Type.Object({ person: Uid }),
  body: Empty,
  reply: Empty,
});
