import { createHash, randomInt } from 'node:crypto';

const codeCount = 10;
/** 32 letters and digits without I, O, 0 and 1, which look alike. 16 of them are 80 bits, too many to guess a hash. */
const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const codeLength = 16;

/** Creates codes in groups of four characters, such as `ABCD-EFGH-JKLM-NPQR`. */
export function createRecoveryCodes(): string[] {
  return Array.from({ length: codeCount }, () =>
    Array.from({ length: codeLength }, (_, index) => {
      const letter = alphabet.charAt(randomInt(alphabet.length));
      return index > 0 && index % 4 === 0 ? `-${letter}` : letter;
    }).join(''),
  );
}

/** Removes blanks and dashes, which people paste or type, and converts letters to upper case. */
export const normaliseCode = (code: string): string => code.replaceAll(/[\s\u2010-\u2015-]/g, '').toUpperCase();

/** `code` must be normalised (`normaliseCode`). */
export const hashRecoveryCode = (account: string, code: string): string =>
  createHash('sha256')
    .update(JSON.stringify([account, code]))
    .digest('hex');
