import { SignJWT, decodeProtectedHeader, errors, jwtVerify } from 'jose';
import type { ProviderId } from '#core';
import type { Clock } from '../../kernel/clock.ts';
import type { KeyRing } from '../key-ring.ts';

/** Values that the browser stores between the redirect to the identity provider and the return. */
export interface SignOnTransaction {
  readonly provider: ProviderId;
  /** The PKCE code verifier. */
  readonly verifier: string;
  readonly state: string;
  readonly nonce: string;
}

export const signOnLifetimeSeconds = 600;
const tokenType = 'signon+jwt';
const algorithm = 'HS256';

export async function sealTransaction(keys: KeyRing, clock: Clock, transaction: SignOnTransaction): Promise<string> {
  const key = await keys.getCurrent();
  return new SignJWT({ ...transaction })
    .setProtectedHeader({ alg: algorithm, typ: tokenType, kid: key.id })
    .setExpirationTime(Math.floor(clock.now() / 1000) + signOnLifetimeSeconds)
    .sign(key.deriveKey('signOn'));
}

/** Returns undefined if the sealed transaction is missing, expired or modified. */
export async function openTransaction(
  keys: KeyRing,
  clock: Clock,
  sealedTransaction: string | undefined,
): Promise<SignOnTransaction | undefined> {
  if (sealedTransaction === undefined) return undefined;
  try {
    const { kid } = decodeProtectedHeader(sealedTransaction);
    const key = kid === undefined ? undefined : await keys.find(kid);
    if (key === undefined) return undefined;
    const { payload } = await jwtVerify(sealedTransaction, key.deriveKey('signOn'), {
      typ: tokenType,
      algorithms: [algorithm],
      currentDate: new Date(clock.now()),
      requiredClaims: ['exp'],
    });
    const { provider, verifier, state, nonce } = payload;
    if (
      (provider !== 'first' && provider !== 'second') ||
      typeof verifier !== 'string' ||
      typeof state !== 'string' ||
      typeof nonce !== 'string'
    )
      return undefined;
    return { provider, verifier, state, nonce };
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof TypeError) return undefined;
    throw error;
  }
}
