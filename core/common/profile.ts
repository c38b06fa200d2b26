import { Type, type Static } from 'typebox';
import { defaultMinPasswordLength } from './product.ts';

export const loginTypes = ['EMAIL_PW', 'AD'] as const;
export type LoginType = (typeof loginTypes)[number];
/** The two identity providers of a product; issuer, client and secret come from the environment. */
export const providerIds = ['first', 'second'] as const;
export type ProviderId = (typeof providerIds)[number];
export const languages = ['en', 'fr'] as const;
export type Language = (typeof languages)[number];

/**
 * The profile of one customer's product, written by a delivery engineer. In `plugins`, each key turns a plugin on and
 * its value holds the settings; the value `false` turns an inherited plugin off.
 */
export type Profile = Static<typeof Profile>;
export const Profile = Type.Object(
  {
    $schema: Type.Optional(Type.String()),
    extends: Type.Optional(
      Type.String({
        description: 'The profile that this one extends: a name in profiles/, or a path relative to this file.',
      }),
    ),
    title: Type.String({
      minLength: 1,
      maxLength: 80,
      description: 'The title of the product and of every page.',
    }),
    shortName: Type.String({
      minLength: 1,
      maxLength: 20,
      description: 'Short name, shown under icons and next to the logo.',
    }),
    login: Type.Object(
      {
        type: Type.Enum([...loginTypes], { description: 'EMAIL_PW: email and password. AD: single sign-on.' }),
        providers: Type.Array(
          Type.Object(
            {
              id: Type.Enum([...providerIds]),
              label: Type.String({ minLength: 1, description: 'Label of its button, such as "Contoso account".' }),
            },
            { additionalProperties: false },
          ),
          {
            maxItems: 2,
            default: [],
            description: 'Identity providers, for AD. Issuer, client and secret come from the environment.',
          },
        ),
        logoutAddress: Type.Optional(
          Type.String({
            pattern: '^https?://[^\\s/][^\\s]*$',
            examples: ['https://login.customer.example/logout'],
            description: 'Address (http or https) that a person is sent to after logout.',
          }),
        ),
        minPasswordLength: Type.Integer({
          minimum: 8,
          maximum: 64,
          default: defaultMinPasswordLength,
          description: 'Minimum length of new passwords, in characters. Existing passwords stay valid.',
        }),
        adminsNeedSecondFactor: Type.Boolean({
          default: false,
          description:
            'Admins who log in by password must use a second factor, and set it up at the next login. Others may use one.',
        }),
      },
      { additionalProperties: false },
    ),
    languages: Type.Array(Type.Enum([...languages]), {
      minItems: 1,
      uniqueItems: true,
      default: ['en', 'fr'],
      description: 'Languages that people can choose. Texts without a French translation are shown in English.',
    }),
    language: Type.Object(
      {
        default: Type.Optional(
          Type.Enum([...languages], {
            description: 'Language for browsers that prefer none of the languages; default: the first language.',
          }),
        ),
      },
      { additionalProperties: false, default: {} },
    ),
    timeZone: Type.String({
      default: 'UTC',
      description: 'Time zone (IANA name) of data without a site and of sites without a record.',
    }),
    progressiveWebApp: Type.Boolean({
      default: false,
      description: 'Registers the service worker. If false, an existing one is unregistered.',
    }),
    branding: Type.Object(
      {
        color: Type.String({
          pattern: '^#[0-9a-fA-F]{6}$',
          examples: ['#0B6E4F'],
          description: 'Brand colour, from which the colours of the light and dark themes are computed.',
        }),
        logo: Type.String({ description: 'An SVG file, relative to this file.' }),
        logoDark: Type.Optional(
          Type.String({ description: 'The logo for dark backgrounds, an SVG file; default: the logo.' }),
        ),
        icon: Type.Optional(
          Type.String({ description: 'An SVG file for the browser tab and installed icons; default: the logo.' }),
        ),
        backgrounds: Type.Array(Type.String(), {
          maxItems: 5,
          default: [],
          description: 'One to five pictures behind the login, relative to this file.',
        }),
        contact: Type.Optional(Type.String({ description: 'Contact information, shown at the foot of the login.' })),
      },
      { additionalProperties: false },
    ),
    plugins: Type.Record(Type.String(), Type.Union([Type.Literal(false), Type.Object({})])),
  },
  { additionalProperties: false },
);
