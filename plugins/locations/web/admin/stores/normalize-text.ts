/** A text for comparisons that ignore case, accents and outer white space. */
export function normalizeText(text: string): string {
  return text.trim().normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
}
