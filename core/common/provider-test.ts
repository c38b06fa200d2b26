/** The steps of the test of an identity provider, in the order in which they run. */
export const providerTestSteps = ['DISCOVERY', 'ISSUER', 'KEYS', 'CLOCK'] as const;
export type ProviderTestStep = (typeof providerTestSteps)[number];

/** The reasons for which a step failed or was skipped. */
export const providerProblems = [
  'NOT_SET_UP',
  'UNREACHABLE',
  'CERTIFICATE',
  'TIMEOUT',
  'REDIRECT',
  'STATUS',
  'TOO_LARGE',
  'NO_JSON',
  'OTHER_ISSUER',
  'KEYS_ADDRESS',
  'NO_KEYS',
  'CLOCK',
  'NO_CLOCK',
] as const;
export type ProviderProblem = (typeof providerProblems)[number];
