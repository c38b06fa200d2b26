import type { ValidationError } from './validators/validation-error.ts';

/**
 * Why the server refused something, for whoever reads it, in whatever language and however much later: a message id of
 * a catalogue that both halves share (`contract/messages/<language>.json`) and the values of its gaps.
 */
export interface LocalizedError extends ValidationError {
  /** Name of the part that it is about, such as one file of several; stands before the words. */
  readonly where?: string;
}

/** The same with its words in English, for logs and for who calls the API. */
export interface LocalizedRefusal extends LocalizedError {
  readonly sentence: string;
}

/**
 * Speaks the refusals of one owner's catalogue: a plugin's, or core's. That each id has words, and the words get their
 * values, `webPluginConforms` tests. The server fills gaps of the kinds `{name}` and `{name, number}`; what else ICU
 * knows is for the browser.
 */
export function createRefusals<Owner extends string>(
  _owner: Owner,
  english: Readonly<Record<string, string>>,
): (message: `${Owner}.refused.${string}`, values?: ValidationError['values']) => LocalizedRefusal {
  return (message, given) => {
    const values =
      given &&
      Object.fromEntries(
        Object.entries(given).map(([name, value]) => [name, typeof value === 'string' ? keepable(value) : value]),
      );
    const sentence = (english[message] ?? message).replaceAll(/\{(\w+)(?:, number[^}]*)?\}/g, (gap, name: string) =>
      String(values?.[name] ?? gap),
    );
    return { message, ...(values ? { values } : {}), sentence };
  };
}

/** A text out of a file may hold, or be cut to, what no database keeps: the character 0 and half characters. */
const keepable = (text: string): string => text.replaceAll(/\p{Surrogate}/gu, '\u{fffd}').replaceAll('\0', '\u{fffd}');

/** The same refusal, said of one part, such as one file of several. */
export function refusalIn(part: string, { message, values, sentence }: LocalizedRefusal): LocalizedRefusal {
  const where = keepable(part);
  return { message, ...(values ? { values } : {}), where, sentence: `“${where}”: ${sentence}` };
}

/** What is kept and told of it: the browser has the words. */
export const pickLocalizedError = ({ message, values, where }: LocalizedError): LocalizedError => ({
  message,
  ...(values ? { values } : {}),
  ...(where === undefined ? {} : { where }),
});
