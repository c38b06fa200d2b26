import { createHash } from 'node:crypto';
import hashedPasswords from './common-passwords.json' with { type: 'json' };

const { bytesPerHash } = hashedPasswords;
/** Sorted hashes of the listed passwords, decoded at the first use. */
let hashes: Buffer | undefined;

/**
 * Returns whether a password is common, regardless of case: it is in the list, is a sequence such as "abcdef", or
 * repeats a listed password, a sequence or up to three characters.
 */
export function isCommonPassword(password: string): boolean {
  const text = password.normalize('NFKC').toLowerCase();
  if (isListed(text) || isSequence([...text])) return true;
  const unit = findRepeatedUnit([...text]);
  return unit !== undefined && (unit.length <= 3 || isSequence(unit) || isListed(unit.join('')));
}

function isListed(text: string): boolean {
  hashes ??= Buffer.from(hashedPasswords.hashes, 'base64');
  const searchedHash = createHash('sha256').update(text).digest().subarray(0, bytesPerHash);
  let low = 0;
  let high = hashes.length / bytesPerHash;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const order = hashes.compare(searchedHash, 0, bytesPerHash, middle * bytesPerHash, (middle + 1) * bytesPerHash);
    if (order === 0) return true;
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return false;
}

/**
 * Returns whether each character follows the previous one, ascending or descending, as in "abcdefgh", "9876" or "8901".
 */
function isSequence(characters: readonly string[]): boolean {
  const steps = characters.slice(1).map((character, index) => computeStep(characters[index] ?? '', character));
  return steps.length > 1 && (steps.every((step) => step === 1) || steps.every((step) => step === -1));
}

function computeStep(from: string, to: string): number {
  const step = (to.codePointAt(0) ?? 0) - (from.codePointAt(0) ?? 0);
  const isDigits = /^\d$/.test(from) && /^\d$/.test(to);
  // The digit 0 follows 9, as on a keyboard.
  return isDigits && Math.abs(step) === 9 ? -Math.sign(step) : step;
}

/** Returns the shortest unit that the text repeats, or undefined if it repeats none. */
function findRepeatedUnit(characters: readonly string[]): readonly string[] | undefined {
  const { length } = characters;
  for (let size = 1; size <= length / 2; size += 1)
    if (length % size === 0 && characters.every((character, index) => character === characters[index % size]))
      return characters.slice(0, size);
  return undefined;
}
