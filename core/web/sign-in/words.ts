import type { Language } from '#core';
import english from './messages/en.json' with { type: 'json' };
import french from './messages/fr.json' with { type: 'json' };

export type WordId = keyof typeof english;
/** The sign-in entry's own small stand-in for the message formatter: `{name}` is replaced, nothing else. */
export type Words = (id: WordId, values?: Readonly<Record<string, string | number>>) => string;

/** A message as the build compiles it: literals (type 0) and names of values (type 1). Not compiled, as in tests, it is the text itself. */
type Message = string | readonly { readonly type: number; readonly value: string }[];

const messages: Readonly<Record<Language, Readonly<Partial<Record<WordId, Message>>>>> = { en: english, fr: french };

/** Text in `language`, English where that lacks one. */
export function wordsOf(language: Language): Words {
  return (id, values = {}) => {
    const message = messages[language][id] ?? messages.en[id] ?? id;
    const valueOf = (name: string) => String(values[name] ?? `{${name}}`);
    return typeof message === 'string'
      ? message.replaceAll(/\{(\w+)\}/g, (_, name: string) => valueOf(name))
      : message.map(({ type, value }) => (type === 0 ? value : valueOf(value))).join('');
  };
}
