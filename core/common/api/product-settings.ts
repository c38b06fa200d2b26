import { Type, type Static } from 'typebox';
import { endpoint } from '../endpoint.ts';

/** Keys of the configuration that admins change at run time. Contacts and backgrounds are tables of their plugin. */
export const configurationKeys = ['oauthConfig', 'welcomeText', 'imagesAndVideo'] as const;
export type ConfigurationKey = (typeof configurationKeys)[number];

export type Configuration = Static<typeof Configuration>;
export const Configuration = Type.Object({
  welcomeText: Type.Optional(Type.Record(Type.String(), Type.String(), { description: 'Text by language.' })),
  imagesAndVideo: Type.Optional(
    Type.Record(
      Type.String(),
      Type.Array(
        Type.Object({
          title: Type.String(),
          address: Type.String(),
          captions: Type.Optional(
            Type.String({ description: 'Address of a WebVTT file, on the same origin as the product.' }),
          ),
        }),
      ),
    ),
  ),
});

export const getConfiguration = endpoint('GET', '/api/configuration', {
  summary: 'The part of the configuration that signed-in screens show.',
  access: 'signedIn',
  reply: Configuration,
});
