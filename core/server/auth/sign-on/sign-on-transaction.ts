import { SignJWT, decodeProtectedHeader, errors, jwtVerify } from 'jose';
import type { ProviderId } from '#core';
import type { Clock } from '../../kernel/clock.ts';
import type { KeyRing } from '../key-ring.ts';

/** What the browser stores between redirect to the identity provider and return. */
export interface SignOnTransaction {
  readonly provider: ProviderId;
  /** PKCE. */
  readonly verifier: string;
  readonly state: string;
  readonly nonce: string;
}

export const signOnLifetimeSeconds = 600;
const tokenType = 'signon+jwt';
const algorithm = 'HS256';

export async function sealTransaction(keys: KeyRing, clock: Clock, transaction: SignOnTransaction): Promise<string> {
  const key = await keys.current();
  return new SignJWT({ ...transaction })
    .setProtectedHeader({ alg: algorithm, typ: tokenType, kid: key.id })
    .setExpirationTime(Math.floor(clock.now() / 1000) + signOnLifetimeSeconds)
    .sign(key.for('signOn'));
}

/** Undefined if it is missing, expired or modified. */
export async function openTransaction(
  keys: KeyRing,
  clock: Clock,
  sealed: string | undefined,
): Promise<SignOnTransaction | undefined> {
  if (sealed === undefined) return undefined;
  try {
    const { kid } = decodeProtectedHeader(sealed);
    const key = kid === undefined ? undefined : await keys.find(kid);
    if (key === undefined) return undefined;
    const { payload } = await jwtVerify(sealed, key.for('signOn'), {
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
