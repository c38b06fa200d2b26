/** Shorter texts would match too much. */
const minCharacters = 4;
/** Longer texts are not typed from memory, and each character adds patterns. */
const maxCharacters = 40;
/** A shorter text must match the beginning. */
const minContainedCharacters = 6;

export interface TypingErrorPatterns {
  /**
   * Patterns for the text that the person may have meant: one character is wrong, missing or added, or two adjacent
   * ones are swapped.
   */
  readonly patterns: readonly string[];
  /** True if the patterns must match at the beginning of a text. */
  readonly fromStart: boolean;
}

/**
 * Lists patterns for texts at Damerau-Levenshtein distance 1. Returns no patterns for short and long texts.
 *
 * @param characters the characters of the text, escaped as the patterns need it
 * @param anyCharacter stands for any character in the patterns
 */
export function listTypingErrors(characters: readonly string[], anyCharacter: string): TypingErrorPatterns {
  const fromStart = characters.length < minContainedCharacters;
  if (characters.length < minCharacters || characters.length > maxCharacters) return { patterns: [], fromStart };
  const replace = (start: number, end: number, replacement: string): string =>
    [...characters.slice(0, start), replacement, ...characters.slice(end)].join('');
  const positions = characters.map((_, index) => index);
  const innerPositions = positions.slice(1);
  const patterns = [
    ...positions.map((index) => replace(index, index + 1, anyCharacter)),
    ...positions.map((index) => replace(index, index + 1, '')),
    ...innerPositions.map((index) => replace(index, index, anyCharacter)),
    ...innerPositions.map((index) => replace(index - 1, index + 1, `${characters[index]}${characters[index - 1]}`)),
  ];
  return { patterns: [...new Set(patterns)], fromStart };
}
