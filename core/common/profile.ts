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
 * One customer's product: the file that a delivery engineer writes. `plugins`: a key turns a plugin on with its
 * settings as value; `false` removes an inherited plugin.
 */
export type Profile = Static<typeof Profile>;
export const Profile = Type.Object(
  {
    $schema: Type.Optional(Type.String()),
    extends: Type.Optional(
      Type.String({
        description:
          'Profile whose settings this one starts from: a name in profiles/, or a path relative to this file.',
      }),
    ),
    title: Type.String({
      minLength: 1,
      maxLength: 80,
      description: "The product's title; also the title of every page.",
    }),
    shortName: Type.String({ minLength: 1, maxLength: 20, description: 'Short name: under an icon, beside the logo.' }),
    login: Type.Object(
      {
        type: Type.Enum([...loginTypes], { description: 'EMAIL_PW: email and password. AD: single sign-on.' }),
        providers: Type.Array(
          Type.Object(
            {
              id: Type.Enum([...providerIds]),
              label: Type.String({ minLength: 1, description: 'What its button says, such as "Contoso account".' }),
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
          description: 'Characters that a password has at least when it is chosen. Passwords from before keep working.',
        }),
      },
      { additionalProperties: false },
    ),
    languages: Type.Array(Type.Enum([...languages]), {
      minItems: 1,
      uniqueItems: true,
      default: ['en', 'fr'],
      description: 'Languages that people may choose between; what French lacks is shown in English.',
    }),
    language: Type.Object(
      {
        default: Type.Optional(
          Type.Enum([...languages], {
            description: 'Language of who asks for none of the languages; unless set, the first of them.',
          }),
        ),
      },
      { additionalProperties: false, default: {} },
    ),
    timeZone: Type.String({
      default: 'UTC',
      description: 'Time zone (IANA name) of what belongs to no site, and of sites that have no record.',
    }),
    progressiveWebApp: Type.Boolean({
      default: false,
      description: 'Registers the worker; off unregisters any existing one.',
    }),
    branding: Type.Object(
      {
        color: Type.String({
          pattern: '^#[0-9a-fA-F]{6}$',
          examples: ['#0B6E4F'],
          description: 'One colour; the ramp for light and dark is made from it.',
        }),
        logo: Type.String({ description: 'An SVG file, relative to this file.' }),
        logoDark: Type.Optional(
          Type.String({ description: 'The logo on dark ground, an SVG file; default: the logo.' }),
        ),
        icon: Type.Optional(
          Type.String({ description: 'An SVG file for the browser tab and installed icons; default: the logo.' }),
        ),
        backgrounds: Type.Array(Type.String(), {
          maxItems: 5,
          default: [],
          description: 'One to five pictures behind the login, relative to this file.',
        }),
        contact: Type.Optional(Type.String({ description: 'Whom to ask, shown at the foot of the login.' })),
      },
      { additionalProperties: false },
    ),
    plugins: Type.Record(Type.String(), Type.Union([Type.Literal(false), Type.Object({})])),
  },
  { additionalProperties: false },
);
