import type { Language } from '#core';
import english from './messages/en.json' with { type: 'json' };
import french from './messages/fr.json' with { type: 'json' };

export type MessageId = keyof typeof english;
/** A minimal message formatter for the sign-in entry. It only replaces `{name}`. */
export type FormatMessage = (id: MessageId, values?: Readonly<Record<string, string | number>>) => string;

/** The uncompiled catalogues. The catalogue of a language that the product lacks is empty. */
const messages: Readonly<Record<Language, Readonly<Partial<Record<MessageId, string>>>>> = { en: english, fr: french };

/** Creates a formatter for `language`, with English as fallback. */
export function createFormatMessage(language: Language): FormatMessage {
  return (id, values = {}) =>
    (messages[language][id] ?? english[id]).replaceAll(/\{(\w+)\}/g, (placeholder, name: string) =>
      String(values[name] ?? placeholder),
    );
}
