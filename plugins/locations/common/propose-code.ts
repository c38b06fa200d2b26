import { locationLimits } from '#core';

/** A word that identifies a location by itself, such as `M10` in "Module M10". */
const designation = /^(?=.*\d)[A-Z0-9-]+$/;
const maxOwnCodeLength = 12;

/**
 * Proposes the code of a new location from its name and its parent's code: `HB` and "Module M10" give `HB-M10`. A name
 * without a designation gives its initials, and a single word its first letters. Empty if the name has no usable
 * character. `isTaken` compares in upper case.
 */
export function proposeCode(name: string, parentCode: string | undefined, isTaken: (code: string) => boolean): string {
  const words = name
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toUpperCase()
    .split(/[^A-Z0-9-]+/)
    .map((word) => word.replaceAll(/^-+|-+$/g, ''))
    .filter((word) => word !== '');
  const ownCode = shorten(words);
  if (ownCode === '') return '';
  const base = (parentCode === undefined ? ownCode : `${parentCode}-${ownCode}`).slice(0, locationLimits.uid);
  if (!isTaken(base)) return base;
  for (let number = 2; ; number += 1) {
    const suffix = `-${number}`;
    const code = base.slice(0, locationLimits.uid - suffix.length) + suffix;
    if (!isTaken(code)) return code;
  }
}

function shorten(words: readonly string[]): string {
  const designations = words.filter((word) => designation.test(word));
  const [first = '', second] = words;
  if (designations.length > 0) {
    // A bare number needs the initial of its word: "Deck 3" is D3.
    const [code = ''] = designations;
    const previousWord = words[words.indexOf(code) - 1];
    return (/^\d+$/.test(code) && previousWord !== undefined ? `${previousWord.charAt(0)}${code}` : code).slice(
      0,
      maxOwnCodeLength,
    );
  }
  if (second === undefined) return first.slice(0, 3);
  return words
    .map((word) => word.charAt(0))
    .join('')
    .slice(0, maxOwnCodeLength);
}
