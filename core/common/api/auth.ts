import { Type, type Static } from 'typebox';
import { userTypes } from '../access.ts';
import { providerIds } from '../profile.ts';
import { endpoint } from '../endpoint.ts';
import { Empty, NewPassword, OneTimeCode, Password, Username } from './shapes.ts';

/** `refreshToken` is the text "cookie" if the client requested the cookie transport. */
export type Tokens = Static<typeof Tokens>;
export const Tokens = Type.Object({
  accessToken: Type.String(),
  refreshToken: Type.String(),
  username: Type.String(),
  isAdmin: Type.Boolean(),
  /** Seconds until the access token expires. */
  expiresIn: Type.Number(),
});

/** The reply to a right password of somebody who must prove a second factor. It contains no tokens. */
export type SignInChallenge = Static<typeof SignInChallenge>;
export const SignInChallenge = Type.Object({
  /** Valid for ten minutes and one sign-in of this account. */
  challenge: Type.String(),
  /** `CODE`: send a code. `ENROL`: set the second factor up first. */
  step: Type.Enum(['CODE', 'ENROL']),
});

const closedOptions = { additionalProperties: false } as const;

export const login = endpoint('POST', '/auth/pub/user/login', {
  summary: 'Log in with email and password. An account with a second factor gets a challenge instead of tokens.',
  access: 'public',
  limitPerMinute: 30,
  body: Type.Object(
    {
      username: Username,
      password: Password,
      admin: Type.Optional(
        Type.Boolean({ description: 'True at the admin login, which refuses people who are not admins.' }),
      ),
    },
    closedOptions,
  ),
  reply: Type.Union([Tokens, SignInChallenge]),
});

export const renewToken = endpoint('POST', '/auth/pub/user/token/renew', {
  summary: 'Exchange a refresh token for new tokens. The old refresh token cannot be used again.',
  access: 'public',
  limitPerMinute: 600,
  query: Type.Object({ isAdmin: Type.Optional(Type.Boolean()) }),
  body: Type.Object(
    {
      username: Type.String({ maxLength: 254 }),
      isAdmin: Type.Optional(Type.Boolean()),
      refreshToken: Type.String({ maxLength: 512 }),
    },
    closedOptions,
  ),
  reply: Tokens,
});

export const logout = endpoint('POST', '/auth/pub/user/logout', {
  summary: 'End the session of this refresh token, in all tabs.',
  access: 'public',
  body: Type.Object({ refreshToken: Type.Optional(Type.String({ maxLength: 512 })) }, closedOptions),
  reply: Empty,
});

export const startSignOn = endpoint('GET', '/auth/pub/azure/start', {
  summary: "The URL of the identity provider's sign-in page, which the browser opens next.",
  access: 'public',
  query: Type.Object({ provider: Type.Enum([...providerIds]) }),
  reply: Type.Object({ address: Type.String() }),
});

export const exchangeCode = endpoint('GET', '/auth/pub/azure/token', {
  summary: 'Exchange the code of single sign-on for tokens. Uses PKCE and needs the cookie that the start set.',
  access: 'public',
  query: Type.Object({
    code: Type.String({ maxLength: 4096 }),
    state: Type.Optional(Type.String({ maxLength: 512 })),
    iss: Type.Optional(Type.String({ maxLength: 512 })),
    session_state: Type.Optional(Type.String({ maxLength: 512 })),
  }),
  reply: Tokens,
});

export const register = endpoint('POST', '/auth/api/user/register', {
  summary:
    'Set the password of an invited account and mail a code that activates it. The code works only with the cookie ' +
    'of this answer.',
  access: 'public',
  limitPerMinute: 10,
  body: Type.Object({ username: Username, password: NewPassword }, closedOptions),
  reply: Empty,
});

export const activate = endpoint('POST', '/auth/api/user/activate', {
  summary: 'Activate a registered account with its code and the cookie of the registration.',
  access: 'public',
  limitPerMinute: 10,
  body: Type.Object({ username: Username, otp: OneTimeCode }, closedOptions),
  reply: Empty,
});

export const requestReset = endpoint('POST', '/auth/api/user/reset/password/otp', {
  summary:
    'Mail a code to reset the password. The code works only with the cookie of this answer, which does not reveal ' +
    'whether the account exists.',
  access: 'public',
  limitPerMinute: 5,
  query: Type.Object({ username: Username }),
  reply: Empty,
});

export const resetPassword = endpoint('POST', '/auth/api/user/reset/password', {
  summary: 'Set a new password with the code and the cookie of its request. All sessions of the person end.',
  access: 'public',
  limitPerMinute: 10,
  body: Type.Object({ username: Username, password: NewPassword, otp: OneTimeCode }, closedOptions),
  reply: Empty,
});

export const resendCode = endpoint('POST', '/auth/api/user/resend/otp', {
  summary: 'Resend the code that this client last requested. The answer does not reveal whether the account exists.',
  access: 'public',
  limitPerMinute: 5,
  query: Type.Object({ username: Username }),
  reply: Empty,
});

export const inviteUser = endpoint('POST', '/auth/api/tenant/user/signup', {
  summary: 'Invite a person: create an account without a password and mail a link to the registration.',
  access: 'userManagement',
  status: 201,
  body: Type.Object(
    {
      username: Username,
      name: Type.String({ minLength: 1, maxLength: 120 }),
      userType: Type.Enum([...userTypes]),
      roles: Type.Array(Type.String({ maxLength: 64 }), { maxItems: 50 }),
    },
    closedOptions,
  ),
  reply: Type.Object({ uid: Type.String(), username: Type.String() }),
});

export const listUserTypes = endpoint('GET', '/auth/api/user/type', {
  summary: 'The kinds of account.',
  access: 'signedIn',
  reply: Type.Array(Type.Enum([...userTypes])),
});
