import { Type, type Static } from 'typebox';
import { endpoint } from '../endpoint.ts';

/** What admins have set up for the login screen. Everybody can read it, so it has nothing else. */
export type SignInContent = Static<typeof SignInContent>;
export const SignInContent = Type.Object({
  /** Pictures, or one video. If there are none, the screen shows those of the profile. */
  backgrounds: Type.Array(Type.Object({ address: Type.String(), video: Type.Boolean() })),
  /** Whom people can ask who cannot log in. */
  contacts: Type.Array(
    Type.Object({
      name: Type.String(),
      email: Type.Optional(Type.String()),
      phone: Type.Optional(Type.String()),
    }),
  ),
});

export const getSignInContent = endpoint('GET', '/auth/pub/sign-in-content', {
  summary: 'The backgrounds and contacts of the login screen.',
  access: 'public',
  reply: SignInContent,
});
