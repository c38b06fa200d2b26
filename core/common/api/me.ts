import { Type, type Static } from 'typebox';
import { accessFlags, userTypes } from '../access.ts';
import { endpoint } from '../endpoint.ts';
import { languages } from '../profile.ts';
import { Empty, Instant, nullable, Uid } from './shapes.ts';

export const themes = ['system', 'light', 'dark', 'contrast'] as const;

/** The person's preferences. The product's default replaces an absent one. */
export type Preferences = Static<typeof Preferences>;
export const Preferences = Type.Object(
  {
    language: Type.Optional(Type.Enum([...languages])),
    theme: Type.Optional(Type.Enum([...themes])),
    defaultLocation: Type.Optional(Type.String({ maxLength: 64 })),
    defaultTool: Type.Optional(Type.String({ maxLength: 64, description: 'Id of a tour module.' })),
    defaultView: Type.Optional(Type.Enum(['list', 'cards', 'map'])),
    lengthUnit: Type.Optional(Type.String({ maxLength: 8 })),
    picture: Type.Optional(
      Type.Object(
        { brightness: Type.Number({ minimum: -1, maximum: 1 }), contrast: Type.Number({ minimum: -1, maximum: 1 }) },
        { additionalProperties: false, description: 'Correction of panoramas. 0 shows the original image.' },
      ),
    ),
  },
  { additionalProperties: false },
);

/** The signed-in person with their access. */
export type Me = Static<typeof Me>;
export const Me = Type.Object({
  uid: Type.String(),
  username: Type.String(),
  name: Type.String(),
  userType: Type.Enum([...userTypes]),
  isAdmin: Type.Boolean(),
  access: Type.Object({
    flags: Type.Array(Type.Enum([...accessFlags])),
    locations: Type.Union([Type.Literal('ALL'), Type.Array(Type.String())]),
    deactivatedRoles: Type.Array(Type.String()),
  }),
  preferences: Preferences,
  /** Whether there are notices of admins for the person, now or later. Absent if not. */
  notices: Type.Optional(Type.Boolean()),
});

export const getMe = endpoint('GET', '/api/me', {
  summary: 'The signed-in person, their access and their preferences.',
  access: 'signedIn',
  reply: Me,
});

export const savePreferences = endpoint('PUT', '/api/me/preferences', {
  summary: 'Replace the preferences of the signed-in person.',
  access: 'signedIn',
  body: Preferences,
  reply: Preferences,
});

export const saveProfile = endpoint('PUT', '/api/me', {
  summary: "Change the signed-in person's own name.",
  access: 'signedIn',
  body: Type.Object({ name: Type.String({ minLength: 1, maxLength: 120 }) }, { additionalProperties: false }),
  reply: Me,
});

export const changePassword = endpoint('PUT', '/api/me/password', {
  summary: 'Change the password. All other sessions of the person end.',
  access: 'signedIn',
  limitPerMinute: 10,
  body: Type.Object(
    { current: Type.String({ maxLength: 256 }), next: Type.String({ minLength: 8, maxLength: 256 }) },
    { additionalProperties: false },
  ),
  reply: Type.Object({}),
});

/** A session of the signed-in person. */
export type OwnSession = Static<typeof OwnSession>;
export const OwnSession = Type.Object({
  id: Type.String(),
  /** Browser and system at the last login or renewal. */
  device: nullable(Type.String()),
  address: nullable(Type.String()),
  createdAt: Instant,
  lastUsedAt: Instant,
  /** Whether the session is the one of the caller's request. */
  current: Type.Boolean(),
});

export const listOwnSessions = endpoint('GET', '/api/me/sessions', {
  summary: 'The open sessions of the signed-in person, last used first, at most 100.',
  access: 'signedIn',
  reply: Type.Array(OwnSession),
});

export const endOwnSession = endpoint('DELETE', '/api/me/sessions/:session', {
  summary: 'End a session of the signed-in person. Its next call answers 401.',
  access: 'signedIn',
  params: Type.Object({ session: Uid }),
  reply: Empty,
});

export const endOtherSessions = endpoint('POST', '/api/me/sessions/end-others', {
  summary: 'End all sessions of the signed-in person but that of this call.',
  access: 'signedIn',
  body: Empty,
  reply: Type.Object({ ended: Type.Integer({ minimum: 0 }) }),
});
