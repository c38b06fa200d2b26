import { SignJWT, decodeProtectedHeader, errors, jwtVerify } from 'jose';
import type { Clock } from '../kernel/clock.ts';
import { unauthenticated } from '../kernel/server-error.ts';
import type { KeyRing } from './key-ring.ts';

export interface AccessClaims {
  /** uid of the account. */
  readonly account: string;
  readonly session: string;
}

interface VerifiedClaims extends AccessClaims {
  readonly expiresAt: number;
}

const issuer = 'walkdown';
const audience = 'walkdown-api';
const tokenType = 'at+jwt';
const algorithm = 'HS256';
const maxCachedTokens = 10_000;

/** Short-lived signed access tokens. They hold the account and the session only; permissions are looked up. */
export class AccessTokens {
  readonly #keys: KeyRing;
  readonly #clock: Clock;
  readonly #lifetimeMs: number;
  readonly #verifiedClaims = new Map<string, VerifiedClaims>();

  constructor(keys: KeyRing, clock: Clock, lifetimeMs: number) {
    this.#keys = keys;
    this.#clock = clock;
    this.#lifetimeMs = lifetimeMs;
  }

  get lifetimeSeconds(): number {
    return this.#lifetimeMs / 1000;
  }

  async issue({ account, session }: AccessClaims): Promise<string> {
    const key = await this.#keys.getCurrent();
    const now = this.#clock.now();
    return (
      new SignJWT({ sid: session })
        .setProtectedHeader({ alg: algorithm, typ: tokenType, kid: key.id })
        .setSubject(account)
        .setIssuer(issuer)
        .setAudience(audience)
        .setIssuedAt(Math.floor(now / 1000))
        // The value may be fractional, because the lifetime may be less than a second.
        .setExpirationTime((now + this.#lifetimeMs) / 1000)
        .sign(key.deriveKey('access'))
    );
  }

  /** @throws `unauthenticated` (401 E005) on a token that is expired, forged, malformed or of another kind */
  async verify(token: string): Promise<AccessClaims> {
    const cached = this.#verifiedClaims.get(token);
    if (cached !== undefined) {
      if (this.#clock.now() < cached.expiresAt) return cached;
      this.#verifiedClaims.delete(token);
      throw unauthenticated();
    }
    const verifiedClaims = await this.#verifyUncached(token);
    if (this.#verifiedClaims.size >= maxCachedTokens) {
      const oldest = this.#verifiedClaims.keys().next();
      if (oldest.done !== true) this.#verifiedClaims.delete(oldest.value);
    }
    this.#verifiedClaims.set(token, verifiedClaims);
    return verifiedClaims;
  }

  async #verifyUncached(token: string): Promise<VerifiedClaims> {
    const keyId = readKeyId(token);
    const key = keyId === undefined ? undefined : await this.#keys.find(keyId);
    if (key === undefined) throw unauthenticated();
    try {
      const { payload } = await jwtVerify(token, key.deriveKey('access'), {
        issuer,
        audience,
        typ: tokenType,
        algorithms: [algorithm],
        currentDate: new Date(this.#clock.now()),
        requiredClaims: ['sub', 'exp', 'sid'],
      });
      const { sub, exp, sid } = payload;
      if (sub === undefined || exp === undefined || typeof sid !== 'string') throw unauthenticated();
      const expiresAt = exp * 1000;
      if (expiresAt <= this.#clock.now()) throw unauthenticated();
      return { account: sub, session: sid, expiresAt };
    } catch (error) {
      if (error instanceof errors.JOSEError) throw unauthenticated();
      throw error;
    }
  }
}

function readKeyId(token: string): string | undefined {
  try {
    return decodeProtectedHeader(token).kid;
  } catch {
    return undefined;
  }
}
