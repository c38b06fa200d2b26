import { Type, type Static } from 'typebox';
import { endpoint } from '../endpoint.ts';

/** Keys of the configuration that admins change at run time. Contacts, images and videos are tables of a plugin. */
export const configurationKeys = ['oauthConfig', 'welcomeText'] as const;
export type ConfigurationKey = (typeof configurationKeys)[number];

export type Configuration = Static<typeof Configuration>;
export const Configuration = Type.Object({
  welcomeText: Type.Optional(Type.Record(Type.String(), Type.String(), { description: 'Text by language.' })),
});

export const getConfiguration = endpoint('GET', '/api/configuration', {
  summary: 'The part of the configuration that signed-in screens show.',
  access: 'signedIn',
  reply: Configuration,
});
