import { findNearestName } from '#core';
import { foldWord } from './check-value.ts';

/** The most proposals for a value. */
export const maxProposals = 3;
/** The most candidates that are compared letter by letter. */
const maxCompared = 300;

/**
 * Finds at most three existing values that a written one may mean, the nearest first. If there are more candidates than
 * that, those with other digits are left out: VP-2 is no misspelling of VP-9.
 */
export function findProposals(text: string, candidates: readonly string[]): readonly string[] {
  const proposals: string[] = [];
  const digits = candidates.length > maxProposals ? readDigits(text) : undefined;
  const isClose = (candidate: string): boolean =>
    Math.abs(candidate.length - text.length) <= Math.ceil(text.length / 3) &&
    (digits === undefined || readDigits(candidate) === digits);
  const closeCandidates = candidates.filter(isClose);
  const firstLetter = text.slice(0, 1).toLowerCase();
  let remainingCandidates = (
    closeCandidates.length > maxCompared
      ? closeCandidates.filter((candidate) => candidate.toLowerCase().startsWith(firstLetter))
      : closeCandidates
  ).slice(0, maxCompared);
  while (proposals.length < maxProposals) {
    const nearest = findNearestName(text, remainingCandidates);
    if (nearest === undefined) break;
    proposals.push(nearest);
    remainingCandidates = remainingCandidates.filter((candidate) => candidate !== nearest);
  }
  return proposals;
}

const readDigits = (text: string): string => text.replaceAll(/\D/g, '');

/**
 * Proposes a code for a written text: with a dash for each run of other characters, and without accents: `RAV-IMP-3`
 * for `RAV/IMP_3`.
 */
export function proposeCode(text: string): string | undefined {
  const letters = text.normalize('NFD').replaceAll(/\p{M}/gu, '');
  const code = letters.replaceAll(/[^A-Za-z0-9-]+/g, '-').replaceAll(/^-+|-+$/g, '');
  return code === '' ? undefined : code;
}

/** Shorter texts are never taken for misspellings: `In` is not `On`. */
const minMisspeltLength = 4;

/**
 * Finds the listed words that a written text misspells: by one letter in all, or by one in each word. Other words are
 * never proposed, however similar their letters are: `Cold Work` is the opposite of `Hot Work`. A text that is a listed
 * word gets no proposals.
 */
export function findWordProposals(text: string, words: readonly string[]): readonly string[] {
  const foldedText = foldWord(text);
  if (words.some((word) => foldWord(word) === foldedText)) return [];
  const isMisspelt = (word: string): boolean => {
    const foldedWord = foldWord(word);
    if (readDigits(foldedText) !== readDigits(foldedWord)) return false;
    if (isNearWord(foldedText, foldedWord)) return true;
    const [textParts, wordParts] = [foldedText.split(separator), foldedWord.split(separator)];
    return (
      textParts.length === wordParts.length &&
      textParts.every((part, index) => isNearWord(part, wordParts[index] ?? ''))
    );
  };
  return words.filter(isMisspelt);
}

const separator = /[\s_/-]+/;

/** In words of at most so many letters, another letter makes another word, such as `NO` and `NC`. */
const maxShortLength = 4;

/**
 * Whether a text is another one with at most a typing error in each word: a letter too many or too few, or in a
 * longer word another letter or two swapped letters. Words with digits and Roman numerals must be equal. `Skift Vest`
 * is no misspelling of `Skift Øst`.
 */
export function isMisspelling(text: string, otherText: string): boolean {
  const [words, otherWords] = [text, otherText].map((each) => foldWord(each).split(separator));
  return (
    words?.length === otherWords?.length &&
    words?.every((word, index) => isSameWord(word, otherWords?.[index] ?? '')) === true
  );
}

const romanNumeral = /^[ivx]+$/;

function isSameWord(word: string, otherWord: string): boolean {
  if (word === otherWord) return true;
  if (/\d/.test(word + otherWord) || (romanNumeral.test(word) && romanNumeral.test(otherWord))) return false;
  const isShort = Math.min(word.length, otherWord.length) <= maxShortLength;
  if (!isShort) return isNearWord(word, otherWord);
  const { left, right } = findDifference(word, otherWord);
  return word[0] === otherWord[0] && left.length + right.length === 1;
}

/** Whether two texts differ by at most one letter, or by two letters that are swapped. */
function isNearWord(from: string, to: string): boolean {
  if (from === to) return true;
  if (Math.min(from.length, to.length) < minMisspeltLength) return false;
  const { left, right } = findDifference(from, to);
  return Math.max(left.length, right.length) <= 1 || (left.length === 2 && left === [...right].reverse().join(''));
}

/** The parts of two texts between their equal beginnings and ends. */
function findDifference(from: string, to: string): { readonly left: string; readonly right: string } {
  const shortest = Math.min(from.length, to.length);
  let start = 0;
  while (start < shortest && from[start] === to[start]) start += 1;
  let end = 0;
  while (end < shortest - start && from.at(-1 - end) === to.at(-1 - end)) end += 1;
  return { left: from.slice(start, from.length - end), right: to.slice(start, to.length - end) };
}
