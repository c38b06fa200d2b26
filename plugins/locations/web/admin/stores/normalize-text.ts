/** Normalizes a text for comparisons that ignore case, accents and outer white space. */
export function normalizeText(text: string): string {
  return text.trim().normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
}

/** Creates a check that a text contains all words of a query, in any order. An empty query matches every text. */
export function createTextMatcher(query: string): (text: string) => boolean {
  const words = normalizeText(query).split(/\s+/);
  return (text) => {
    const normalized = normalizeText(text);
    return words.every((word) => normalized.includes(word));
  };
}
