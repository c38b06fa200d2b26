import { hash, verify } from '@node-rs/argon2';

/** Argon2id as OWASP asks: 19 MiB, two passes, one lane; about 20 ms. The library's default algorithm is Argon2id. */
const options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

export const hashPassword = (password: string): Promise<string> => hash(password.normalize('NFC'), options);

let decoy: Promise<string> | undefined;

/** Takes as long for an account without password, or for none at all, as for a wrong password. */
export async function verifyPassword(stored: string | null | undefined, password: string): Promise<boolean> {
  if (stored === null || stored === undefined) {
    decoy ??= hashPassword('nobody has this password');
    await verify(await decoy, password.normalize('NFC'));
    return false;
  }
  return verify(stored, password.normalize('NFC'));
}
