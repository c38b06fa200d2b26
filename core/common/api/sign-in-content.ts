import { Type, type Static } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { SignInNotice } from './notices.ts';

/** The content of the login screen that admins have set up. Public, so it must have no other data. */
export type SignInContent = Static<typeof SignInContent>;
export const SignInContent = Type.Object({
  /** Pictures, or one video. If there are none, the screen shows those of the profile. */
  backgrounds: Type.Array(Type.Object({ address: Type.String(), isVideo: Type.Boolean() })),
  /** Contacts for people who cannot log in. */
  contacts: Type.Array(
    Type.Object({
      name: Type.String(),
      email: Type.Optional(Type.String()),
      phone: Type.Optional(Type.String()),
    }),
  ),
  /** The notices that are shown now, the most severe first. Absent if there are none. */
  notices: Type.Optional(Type.Array(SignInNotice)),
});

export const getSignInContent = endpoint('GET', '/auth/pub/sign-in-content', {
  summary: 'The backgrounds, contacts and notices of the login screen.',
  access: 'public',
  reply: SignInContent,
});
