import type { Language } from '#core';
import english from './messages/en.json' with { type: 'json' };
import french from './messages/fr.json' with { type: 'json' };

export type WordId = keyof typeof english;
/** The sign-in entry's own small stand-in for the message formatter: `{name}` is replaced, nothing else. */
export type Words = (id: WordId, values?: Readonly<Record<string, string | number>>) => string;

/**
 * Imported as JSON, the texts come as they stand, not compiled. A language that the product does not have comes empty.
 */
const messages: Readonly<Record<Language, Readonly<Partial<Record<WordId, string>>>>> = { en: english, fr: french };

/** Text in `language`, English where that lacks one. */
export function createText(language: Language): Words {
  return (id, values = {}) =>
    (messages[language][id] ?? english[id]).replaceAll(/\{(\w+)\}/g, (whole, name: string) =>
      String(values[name] ?? whole),
    );
}
