/** Normalises a number to upper case A to Z and 0 to 9, so that `pt 1001` finds `PT-1001`. */
export function searchKey(number: string): string {
  return number.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');
}

const escaped = (text: string): string => text.replaceAll(/[\\%_]/g, '\\$&');

/**
 * Patterns for LIKE. One or two characters match the beginning, more match anywhere; `*` matches any characters. `key`
 * is undefined if the text has no letter or digit.
 */
export function searchPatterns(text: string): {
  readonly key: string | undefined;
  readonly prefix: string | undefined;
  readonly description: string;
} {
  const parts = text.trim().split('*');
  const keys = parts.map(searchKey);
  const typed = keys.join('');
  const inner = keys.map(escaped).join('%');
  const key = typed === '' ? undefined : parts.length === 1 && typed.length <= 2 ? `${inner}%` : `%${inner}%`;
  return {
    key,
    prefix: typed === '' ? undefined : `${inner}%`,
    description: `%${parts.map((part) => escaped(part.trim())).join('%')}%`,
  };
}
