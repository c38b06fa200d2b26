import { listTypingErrors } from '../../common/typing-errors.ts';

/** Normalises a number to upper case A to Z and 0 to 9, so that `pt 1001` finds `PT-1001`. */
export function toSearchKey(number: string): string {
  return number.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');
}

const escapePattern = (text: string): string => text.replaceAll(/[\\%_]/g, '\\$&');

/** The trigram index needs three characters. */
const minIndexedCharacters = 3;

export interface SearchPatterns {
  /** The letters and digits of the text, without wildcards. Empty if it has none. */
  readonly key: string;
  readonly hasWildcard: boolean;
  /** The letters and digits before the first wildcard. */
  readonly start: string;
  /** Pattern for keys that begin with the text. */
  readonly prefix: string;
  /** Pattern for keys that contain the text. One or two characters match the beginning only. */
  readonly contained: string;
  /** Pattern for descriptions that contain the text. */
  readonly description: string;
  /** True if all parts of the text are too short for the index of descriptions. They would match most words. */
  readonly isShort: boolean;
}

/** Converts a search text to patterns for LIKE. `*` matches any characters. */
export function toSearchPatterns(text: string): SearchPatterns {
  const parts = text.trim().split('*');
  const keys = parts.map(toSearchKey);
  const key = keys.join('');
  const prefix = `${keys.join('%')}%`;
  const hasWildcard = parts.length > 1;
  return {
    key,
    hasWildcard,
    start: keys[0] ?? '',
    prefix,
    contained: key.length <= 2 && !hasWildcard ? prefix : `%${prefix}`,
    description: `%${parts.map((part) => escapePattern(part.trim())).join('%')}%`,
    isShort: parts.every((part) => part.trim().length < minIndexedCharacters),
  };
}

/** Lists patterns for LIKE that match texts which differ by one typing error. */
export function listSimilarPatterns(text: string): readonly string[] {
  const { patterns, fromStart } = listTypingErrors([...text].map(escapePattern), '_');
  return patterns.map((pattern) => `${fromStart ? '' : '%'}${pattern}%`);
}
