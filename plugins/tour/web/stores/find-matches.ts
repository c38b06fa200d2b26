import { listTypingErrors } from '../../common/typing-errors.ts';

/** Half-open range of characters. */
export type TextRange = readonly [start: number, end: number];

interface SearchKey {
  readonly key: string;
  /** Index in the text of each character of the key. */
  readonly positions: readonly number[];
}

/** Keeps letters and digits, in lower case and without accents. */
function toSearchKey(text: string): SearchKey {
  const positions: number[] = [];
  let key = '';
  for (let position = 0; position < text.length; position++) {
    for (const character of text[position]!.normalize('NFD')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]/gu, '')) {
      key += character;
      positions.push(position);
    }
  }
  return { key, positions };
}

/**
 * Finds a search text in a text, ignoring case, accents and separators: `pt1001` is in `PT-1001A`. `*` stands for any
 * characters. Returns the range of each part between wildcards, or undefined if the text does not contain all parts in
 * this order. Several words without a wildcard may have any order if each begins a word of the text.
 */
export function findMatches(text: string, searchText: string): readonly TextRange[] | undefined {
  const key = toSearchKey(text);
  const parts = toParts(searchText, '*');
  if (parts.length === 0) return undefined;
  return findInOrder(key, parts) ?? (parts.length === 1 ? findWords(text, key, toParts(searchText, /\s+/)) : undefined);
}

const toParts = (searchText: string, separator: string | RegExp): readonly string[] =>
  searchText
    .split(separator)
    .map((part) => toSearchKey(part).key)
    .filter((part) => part !== '');

function findInOrder({ key, positions }: SearchKey, parts: readonly string[]): readonly TextRange[] | undefined {
  const ranges: TextRange[] = [];
  let end = 0;
  for (const part of parts) {
    const start = key.indexOf(part, end);
    if (start < 0) return undefined;
    end = start + part.length;
    ranges.push([positions[start]!, positions[end - 1]! + 1]);
  }
  return ranges;
}

/** Finds each word at the beginning of a word. The ranges are in text order and do not overlap. */
function findWords(
  text: string,
  { key, positions }: SearchKey,
  words: readonly string[],
): readonly TextRange[] | undefined {
  const ranges: TextRange[] = [];
  // Longer words first, so that a shorter word does not match the beginning of a longer match.
  for (const word of words.toSorted((a, b) => b.length - a.length)) {
    const range = positions
      .filter((position, index) => key.startsWith(word, index) && !/[\p{L}\p{N}]/u.test(text[position - 1] ?? ''))
      .map((position): TextRange => [position, positions[positions.indexOf(position) + word.length - 1]! + 1])
      .find(([start, end]) => ranges.every((otherRange) => end <= otherRange[0] || start >= otherRange[1]));
    if (!range) return undefined;
    ranges.push(range);
  }
  return ranges.toSorted(([a], [b]) => a - b);
}

/**
 * True if the text contains the search text with one typing error. A short search text must be at the beginning. False
 * for very short and very long search texts.
 */
export function isSimilar(text: string, searchText: string): boolean {
  const { patterns, fromStart } = listTypingErrors([...toSearchKey(searchText).key], '.');
  return (
    patterns.length > 0 &&
    new RegExp(`${fromStart ? '^' : ''}(?:${patterns.join('|')})`, 'u').test(toSearchKey(text).key)
  );
}

/**
 * Filters items by a search text: first those with a text that begins with it, then those that contain it. If there are
 * none, returns those with one typing error, unless the search text has a wildcard.
 */
export function filterBySearch<T>(
  items: readonly T[],
  searchText: string,
  getTexts: (item: T) => readonly string[],
): { readonly items: readonly T[]; readonly similar: boolean } {
  const starting: T[] = [];
  const containing: T[] = [];
  for (const item of items) {
    const starts = getTexts(item).flatMap((text) => findMatches(text, searchText)?.[0]?.[0] ?? []);
    if (starts.length === 0) continue;
    (starts.includes(0) ? starting : containing).push(item);
  }
  const matchingItems = [...starting, ...containing];
  if (matchingItems.length > 0 || searchText.includes('*')) return { items: matchingItems, similar: false };
  return { items: items.filter((item) => getTexts(item).some((text) => isSimilar(text, searchText))), similar: true };
}
