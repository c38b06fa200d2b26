import { Type, type Static } from 'typebox';
import { endpoint } from '#core';
import { BaseVersion, Changed, Instant, nullable } from '#core/api';
import { welcomeTextRules } from '../rules.ts';

/** The texts of the welcome screen in Markdown, by language. Empty if there is none. */
export type WelcomeText = Static<typeof WelcomeText>;
export const WelcomeText = Type.Object({
  en: Type.String(),
  fr: Type.String(),
  version: Type.Integer(),
  /** Name of the admin who saved it last. Null for a text of the system. */
  updatedBy: nullable(Type.String()),
  /** Null if nobody has ever saved it. */
  updatedAt: nullable(Instant),
});

export const getWelcomeText = endpoint('GET', '/api/media/welcome-text', {
  summary: 'The texts of the welcome screen, for admins.',
  access: 'configure',
  reply: WelcomeText,
});

export const saveWelcomeText = endpoint('PUT', '/api/media/welcome-text', {
  summary:
    'Saves the texts of the welcome screen in Markdown: headings, lists, bold, italic, and links to pages, mail ' +
    'addresses and phone numbers. HTML is text. Answers 409 with the current texts if they were changed since ' +
    'they were read.',
  access: 'configure',
  body: Type.Object(
    { en: Type.String({ maxLength: 20_000 }), fr: Type.String({ maxLength: 20_000 }), version: BaseVersion },
    { additionalProperties: false },
  ),
  rules: welcomeTextRules,
  reply: Changed,
});
