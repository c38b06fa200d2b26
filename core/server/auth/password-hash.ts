import { hash, verify } from '@node-rs/argon2';

/** Argon2id as OWASP recommends: 19 MiB, two passes, one lane; about 20 ms. The library defaults to Argon2id. */
const options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** Belongs to no account. Has the same costs, so that verifying against it takes as long. */
const decoy = '$argon2id$v=19$m=19456,t=2,p=1$Ua9K8Y6Pbqo57SG8lI2+bA$+iHUOgeMSz7XnaoTfIepH86+f6g6unDN1So9Eg8SD48';

/** Normalises compatibility characters, such as full-width letters (NIST SP 800-63B). */
export const hashPassword = (password: string): Promise<string> => hash(password.normalize('NFKC'), options);

/**
 * Takes as long for a missing account or password as for a wrong password. Also tries the NFC form, in which older
 * versions hashed passwords.
 */
export async function verifyPassword(stored: string | null | undefined, password: string): Promise<boolean> {
  const texts = new Set([password.normalize('NFKC'), password.normalize('NFC')]);
  let right = false;
  for (const text of texts) right = (await verify(stored ?? decoy, text)) || right;
  return right && stored !== null && stored !== undefined;
}
