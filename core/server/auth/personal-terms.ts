/** Shorter words occur in too many good passwords. Characters. */
const minTermLength = 3;
/** Longer passwords cannot be a mere name. Characters. */
const maxCheckedLength = 128;

/** Removes case, accents and everything except letters and digits. */
const fold = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');

/** The full names and each of their words, folded. */
export function termsOfNames(names: readonly string[]): readonly string[] {
  const terms = names.flatMap((name) => [fold(name), ...name.split(/[^\p{L}\p{N}]+/u).map(fold)]);
  return [...new Set(terms)].filter((term) => term.length >= minTermLength);
}

/** Whether the password consists only of these terms, forwards or backwards, with or without surrounding digits. */
export function isBuiltFrom(password: string, terms: readonly string[]): boolean {
  const text = fold(password);
  if (text.length > maxCheckedLength) return false;
  return [...new Set([text, text.replaceAll(/^\p{N}+|\p{N}+$/gu, '')])].some(
    (each) => each !== '' && (isConcatenation(each, terms) || isConcatenation([...each].reverse().join(''), terms)),
  );
}

function isConcatenation(text: string, terms: readonly string[]): boolean {
  const reachable = new Set([0]);
  for (let at = 0; at < text.length; at += 1) {
    if (!reachable.has(at)) continue;
    for (const term of terms) if (text.startsWith(term, at)) reachable.add(at + term.length);
  }
  return reachable.has(text.length);
}
