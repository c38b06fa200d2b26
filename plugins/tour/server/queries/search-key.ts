/** Normalises a number to upper case A to Z and 0 to 9, so that `pt 1001` finds `PT-1001`. */
export function toSearchKey(number: string): string {
  return number.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');
}

const escapePattern = (text: string): string => text.replaceAll(/[\\%_]/g, '\\$&');

/**
 * Converts a search text to patterns for LIKE. One or two characters match the beginning, more match anywhere, and `*`
 * matches any characters. `key` is undefined if the text has no letter or digit.
 */
export function toSearchPatterns(text: string): {
  readonly key: string | undefined;
  readonly prefix: string | undefined;
  readonly description: string;
} {
  const parts = text.trim().split('*');
  const keys = parts.map(toSearchKey);
  const characters = keys.join('');
  const pattern = keys.map(escapePattern).join('%');
  const description = `%${parts.map((part) => escapePattern(part.trim())).join('%')}%`;
  if (characters === '') return { key: undefined, prefix: undefined, description };
  const prefix = `${pattern}%`;
  const isShort = parts.length === 1 && characters.length <= 2;
  return { key: isShort ? prefix : `%${prefix}`, prefix, description };
}
