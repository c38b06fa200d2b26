import { SignJWT, decodeProtectedHeader, errors, jwtVerify } from 'jose';
import type { Clock } from '../kernel/clock.ts';
import { unauthenticated } from '../kernel/server-error.ts';
import type { KeyRing } from './key-ring.ts';

export interface AccessClaims {
  /** uid of the account. */
  readonly account: string;
  readonly session: string;
}

interface Verified extends AccessClaims {
  readonly expiresAt: number;
}

const issuer = 'walkdown';
const audience = 'walkdown-api';
const tokenType = 'at+jwt';
const algorithm = 'HS256';
const remembered = 10_000;

/** Short-lived signed access tokens. They hold the account and the session only; permissions are looked up. */
export class AccessTokens {
  readonly #keys: KeyRing;
  readonly #clock: Clock;
  readonly #lifetime: number;
  readonly #verified = new Map<string, Verified>();

  /** `lifetime` in milliseconds. */
  constructor(keys: KeyRing, clock: Clock, lifetime: number) {
    this.#keys = keys;
    this.#clock = clock;
    this.#lifetime = lifetime;
  }

  get lifetimeSeconds(): number {
    return this.#lifetime / 1000;
  }

  async issue({ account, session }: AccessClaims): Promise<string> {
    const key = await this.#keys.current();
    const now = this.#clock.now();
    return (
      new SignJWT({ sid: session })
        .setProtectedHeader({ alg: algorithm, typ: tokenType, kid: key.id })
        .setSubject(account)
        .setIssuer(issuer)
        .setAudience(audience)
        .setIssuedAt(Math.floor(now / 1000))
        // Fractional: the lifetime may be less than a second.
        .setExpirationTime((now + this.#lifetime) / 1000)
        .sign(key.for('access'))
    );
  }

  /** @throws `unauthenticated` (401 E005) on a token that is expired, forged, malformed or of another kind */
  async verify(token: string): Promise<AccessClaims> {
    const cached = this.#verified.get(token);
    if (cached !== undefined) {
      if (this.#clock.now() < cached.expiresAt) return cached;
      this.#verified.delete(token);
      throw unauthenticated();
    }
    const verified = await this.#check(token);
    if (this.#verified.size >= remembered) {
      const oldest = this.#verified.keys().next();
      if (oldest.done !== true) this.#verified.delete(oldest.value);
    }
    this.#verified.set(token, verified);
    return verified;
  }

  async #check(token: string): Promise<Verified> {
    const keyId = readKeyId(token);
    const key = keyId === undefined ? undefined : await this.#keys.find(keyId);
    if (key === undefined) throw unauthenticated();
    try {
      const { payload } = await jwtVerify(token, key.for('access'), {
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
