import { findNearestName } from '#core';
import { foldWord } from './check-value.ts';

/** The most proposals for a value. */
export const maxProposals = 3;
/** Candidates whose letters are compared with a written value. */
const maxCompared = 300;

/**
 * Finds at most three existing values that a written one may mean, the nearest first. Among more candidates than that,
 * a code with other digits is another thing: VP-2 is no misspelt VP-9.
 */
export function findProposals(text: string, candidates: readonly string[]): readonly string[] {
  const proposals: string[] = [];
  const digits = candidates.length > maxProposals ? readDigits(text) : undefined;
  const isClose = (candidate: string): boolean =>
    Math.abs(candidate.length - text.length) <= Math.ceil(text.length / 3) &&
    (digits === undefined || readDigits(candidate) === digits);
  const close = candidates.filter(isClose);
  const first = text.slice(0, 1).toLowerCase();
  let rest = (
    close.length > maxCompared ? close.filter((candidate) => candidate.toLowerCase().startsWith(first)) : close
  ).slice(0, maxCompared);
  while (proposals.length < maxProposals) {
    const nearest = findNearestName(text, rest);
    if (nearest === undefined) break;
    proposals.push(nearest);
    rest = rest.filter((candidate) => candidate !== nearest);
  }
  return proposals;
}

const readDigits = (text: string): string => text.replaceAll(/\D/g, '');

/** A written code with a dash for each run of other characters, without accents: `RAV-IMP-3` for `RAV/IMP_3`. */
export function proposeCode(text: string): string | undefined {
  const letters = text.normalize('NFD').replaceAll(/\p{M}/gu, '');
  const code = letters.replaceAll(/[^A-Za-z0-9-]+/g, '-').replaceAll(/^-+|-+$/g, '');
  return code === '' ? undefined : code;
}

/** Texts of fewer characters have no misspelling: `In` is not `On`. */
const minMisspelt = 4;

/**
 * Finds the listed words that a written one misspells: by one letter in all, or by one in each word.
 * Other words are never proposed, however near their letters are: `Cold Work` is the opposite of `Hot Work`. A listed
 * word misspells nothing.
 */
export function findWordProposals(text: string, words: readonly string[]): readonly string[] {
  const from = foldWord(text);
  if (words.some((word) => foldWord(word) === from)) return [];
  const isMisspelt = (word: string): boolean => {
    const to = foldWord(word);
    if (readDigits(from) !== readDigits(to)) return false;
    if (isNearWord(from, to)) return true;
    const [parts, others] = [from.split(separator), to.split(separator)];
    return parts.length === others.length && parts.every((part, index) => isNearWord(part, others[index] ?? ''));
  };
  return words.filter(isMisspelt);
}

const separator = /[\s_/-]+/;

/** Whether two texts are the same but for one letter, or two that changed places. */
function isNearWord(from: string, to: string): boolean {
  if (from === to) return true;
  const shortest = Math.min(from.length, to.length);
  if (shortest < minMisspelt) return false;
  let start = 0;
  while (start < shortest && from[start] === to[start]) start += 1;
  let end = 0;
  while (end < shortest - start && from.at(-1 - end) === to.at(-1 - end)) end += 1;
  const [left, right] = [from.slice(start, from.length - end), to.slice(start, to.length - end)];
  return Math.max(left.length, right.length) <= 1 || (left.length === 2 && left === [...right].reverse().join(''));
}
