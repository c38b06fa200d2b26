import { hash, verify } from '@node-rs/argon2';

/** The costs that OWASP recommends: 19 MiB, two passes, one lane. About 20 ms. The library defaults to Argon2id. */
const options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** A hash that belongs to no account. It has the same costs, so that verifying it takes equally long. */
const decoyHash = '$argon2id$v=19$m=19456,t=2,p=1$Ua9K8Y6Pbqo57SG8lI2+bA$+iHUOgeMSz7XnaoTfIepH86+f6g6unDN1So9Eg8SD48';

/** Normalises compatibility characters, such as full-width letters (NIST SP 800-63B). */
export const hashPassword = (password: string): Promise<string> => hash(password.normalize('NFKC'), options);

/**
 * Takes as long for a missing account or password as for a wrong password. Also tries the NFC form, in which older
 * versions hashed passwords.
 */
export async function verifyPassword(storedHash: string | null | undefined, password: string): Promise<boolean> {
  const texts = new Set([password.normalize('NFKC'), password.normalize('NFC')]);
  let matches = false;
  for (const text of texts) matches = (await verify(storedHash ?? decoyHash, text)) || matches;
  return matches && storedHash !== null && storedHash !== undefined;
}
