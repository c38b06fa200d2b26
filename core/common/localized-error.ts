import type { ValidationError } from './validators/validation-error.ts';

/**
 * The reason for which the server refused something, independent of the reader's language: a message id of a shared
 * catalogue (`contract/messages/<language>.json`) and the values of its placeholders.
 */
export interface LocalizedError extends ValidationError {
  /** Name of the item that was refused, such as one of several files. Shown before the message. */
  readonly where?: string;
}

/** A localized error with its English sentence, for logs and API clients. */
export interface LocalizedRefusal extends LocalizedError {
  readonly sentence: string;
}

/**
 * Creates refusals from the catalogue of a plugin or of core. `sentence` supports only the placeholders `{name}` and
 * `{name, number}`; the browser supports all of ICU. The test helper `webPluginConforms` checks ids and values.
 */
export function createRefusals<Owner extends string>(
  _owner: Owner,
  english: Readonly<Record<string, string>>,
): (message: `${Owner}.refused.${string}`, values?: ValidationError['values']) => LocalizedRefusal {
  return (message, input) => {
    const values =
      input &&
      Object.fromEntries(
        Object.entries(input).map(([name, value]) => [name, typeof value === 'string' ? toStorable(value) : value]),
      );
    const sentence = (english[message] ?? message).replaceAll(
      /\{(\w+)(?:, number[^}]*)?\}/g,
      (placeholder, name: string) => String(values?.[name] ?? placeholder),
    );
    return { message, ...(values ? { values } : {}), sentence };
  };
}

/** Text from a file may contain NUL or lone surrogates, which no database stores. */
const toStorable = (text: string): string =>
  text.replaceAll(/\p{Surrogate}/gu, '\u{fffd}').replaceAll('\0', '\u{fffd}');

/** Adds the name of the refused item, such as one of several files. */
export function refusalIn(itemName: string, { message, values, sentence }: LocalizedRefusal): LocalizedRefusal {
  const storableName = toStorable(itemName);
  return { message, ...(values ? { values } : {}), where: storableName, sentence: `“${storableName}”: ${sentence}` };
}

/** The refusal without `sentence`, to be stored and sent. The browser looks up the text. */
export const pickLocalizedError = ({ message, values, where }: LocalizedError): LocalizedError => ({
  message,
  ...(values ? { values } : {}),
  ...(where === undefined ? {} : { where }),
});
