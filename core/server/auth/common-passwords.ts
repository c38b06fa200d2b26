import { createHash } from 'node:crypto';
import list from './common-passwords.json' with { type: 'json' };

const { bytesPerHash } = list;
let hashes: Buffer | undefined;

/**
 * Whether a password is common, regardless of case. Passwords of the list are common, and so are sequences such as
 * "abcdef", and repetitions of a listed password, of a sequence or of up to three characters.
 */
export function isCommonPassword(password: string): boolean {
  const text = password.normalize('NFKC').toLowerCase();
  if (isListed(text) || isSequence([...text])) return true;
  const unit = findRepeatedUnit([...text]);
  return unit !== undefined && (unit.length <= 3 || isSequence(unit) || isListed(unit.join('')));
}

function isListed(text: string): boolean {
  hashes ??= Buffer.from(list.hashes, 'base64');
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

/** Whether each character follows the previous one, ascending or descending, as in "abcdefgh", "9876" or "8901". */
function isSequence(characters: readonly string[]): boolean {
  const steps = characters.slice(1).map((character, index) => computeStep(characters[index] ?? '', character));
  return steps.length > 1 && (steps.every((step) => step === 1) || steps.every((step) => step === -1));
}

function computeStep(from: string, to: string): number {
  const step = (to.codePointAt(0) ?? 0) - (from.codePointAt(0) ?? 0);
  const isDigits = /^\d$/.test(from) && /^\d$/.test(to);
  // 0 follows 9.
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
