/** In characters. Shorter words occur in too many good passwords. */
const minTermLength = 3;
/** In characters. Longer passwords cannot be a mere name. */
const maxCheckedLength = 128;

/** Removes case, accents and everything except letters and digits. */
const fold = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');

/** Returns the full names and each of their words, folded. Omits terms shorter than `minTermLength`. */
export function extractTerms(names: readonly string[]): readonly string[] {
  const terms = names.flatMap((name) => [fold(name), ...name.split(/[^\p{L}\p{N}]+/u).map(fold)]);
  return [...new Set(terms)].filter((term) => term.length >= minTermLength);
}

/** Whether the password consists only of these terms, forwards or backwards, with or without surrounding digits. */
export function consistsOf(password: string, terms: readonly string[]): boolean {
  const text = fold(password);
  if (text.length > maxCheckedLength) return false;
  return [...new Set([text, text.replaceAll(/^\p{N}+|\p{N}+$/gu, '')])].some(
    (candidate) =>
      candidate !== '' &&
      (isConcatenation(candidate, terms) || isConcatenation([...candidate].reverse().join(''), terms)),
  );
}

function isConcatenation(text: string, terms: readonly string[]): boolean {
  const reachable = new Set([0]);
  for (let index = 0; index < text.length; index += 1) {
    if (!reachable.has(index)) continue;
    for (const term of terms) if (text.startsWith(term, index)) reachable.add(index + term.length);
  }
  return reachable.has(text.length);
}
