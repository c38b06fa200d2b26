import { Type, type Static } from 'typebox';
import { endpoint } from '../endpoint.ts';

/** Keys of the configuration that admins change at run time. */
export const configurationKeys = ['oauthConfig', 'welcomeText', 'contactDetail', 'images', 'imagesAndVideo'] as const;
export type ConfigurationKey = (typeof configurationKeys)[number];

export type Configuration = Static<typeof Configuration>;
export const Configuration = Type.Object({
  welcomeText: Type.Optional(Type.Record(Type.String(), Type.String(), { description: 'Text by language.' })),
  contactDetail: Type.Optional(
    Type.Array(
      Type.Object({
        name: Type.String(),
        role: Type.Optional(Type.String()),
        email: Type.Optional(Type.String()),
        phone: Type.Optional(Type.String()),
      }),
    ),
  ),
  /** Addresses of background images by location uid. The key `""` stands for the login. */
  images: Type.Optional(Type.Record(Type.String(), Type.Array(Type.String()))),
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
