import { Type, type Static } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { providerIds } from '../profile.ts';
import { providerProblems, providerTestSteps } from '../provider-test.ts';
import { Empty, Instant, nullable } from './shapes.ts';

/** A variable of the server's environment. */
const EnvironmentVariable = Type.Object({
  variable: Type.String(),
  isSet: Type.Boolean(),
  /** The value in force. Null if it may be secret. */
  value: nullable(Type.String()),
});

/** An identity provider of the profile, as the environment sets it up. */
export type ProviderSettings = Static<typeof ProviderSettings>;
export const ProviderSettings = Type.Object({
  id: Type.Enum([...providerIds]),
  /** Null if the variables of the provider are not set. */
  issuer: nullable(Type.String()),
  clientId: nullable(Type.String()),
  mailDomains: Type.Array(Type.String()),
  /** The beginning of the names of its variables. */
  variables: Type.String(),
});

/** Settings that admins change on a separate screen. */
export type StoredSettings = Static<typeof StoredSettings>;
export const StoredSettings = Type.Object({
  /** Such as `media.contactDetail`. */
  key: Type.String(),
  /** Number of rows. 0 if the default is in force. */
  count: Type.Integer({ minimum: 0 }),
  /** Name of the person who changed it last. Null if nobody has. */
  changedBy: nullable(Type.String()),
  changedAt: nullable(Instant),
});

/** A setting of this server: the value in force and its origin. Contains no secret. */
export type SettingsOverview = Static<typeof SettingsOverview>;
export const SettingsOverview = Type.Object({
  stored: Type.Array(StoredSettings),
  providers: Type.Array(ProviderSettings),
  /** The URL that is registered with the identity providers. */
  returnAddress: Type.String(),
  environment: Type.Array(EnvironmentVariable),
});

export const getSettings = endpoint('GET', '/api/settings', {
  summary: 'The settings that are in force and where they come from, without secrets. Needs access to all locations.',
  access: 'configure',
  reply: SettingsOverview,
});

/** The result of one step. Steps after a failed one may be skipped. */
export type ProviderTest = Static<typeof ProviderTest>;
export const ProviderTest = Type.Object({
  steps: Type.Array(
    Type.Object({
      step: Type.Enum([...providerTestSteps]),
      outcome: Type.Enum(['OK', 'FAILED', 'SKIPPED']),
      problem: nullable(Type.Enum([...providerProblems])),
      /** Belongs to the problem: a status, a number of seconds or a URL. */
      detail: Type.String(),
    }),
  ),
});

export const testProvider = endpoint('POST', '/api/settings/providers/:provider/test', {
  summary:
    'Asks an identity provider for its metadata and keys, as a sign-in does. Only the issuer of the environment is ' +
    'asked. Needs access to all locations.',
  access: 'configure',
  limitPerMinute: 20,
  params: Type.Object({ provider: Type.Enum([...providerIds]) }),
  body: Empty,
  reply: ProviderTest,
});
