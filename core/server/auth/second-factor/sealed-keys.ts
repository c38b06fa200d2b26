import { CompactEncrypt, compactDecrypt, decodeProtectedHeader, errors } from 'jose';
import type { Clock } from '../../kernel/clock.ts';
import type { KeyRing } from '../key-ring.ts';

/** `stored` keys never expire. `enrolment` keys expire, and no database stores them. */
type SealedKind = 'stored' | 'enrolment';

export interface OpenedKey {
  readonly key: string;
  /** Whether it was encrypted with a key of the ring that is not the current one. */
  readonly outdated: boolean;
}

const enrolmentLifetimeMs = 10 * 60_000;
const header = { alg: 'dir', enc: 'A256GCM' } as const;

/** Encrypts the keys of authenticator apps with the key ring, each for one account (JWE, AES-256-GCM). */
export class SealedKeys {
  readonly #keys: KeyRing;
  readonly #clock: Clock;

  constructor(keys: KeyRing, clock: Clock) {
    this.#keys = keys;
    this.#clock = clock;
  }

  async seal(kind: SealedKind, account: string, key: string): Promise<string> {
    const ringKey = await this.#keys.getCurrent();
    const expiresAt = kind === 'enrolment' ? this.#clock.now() + enrolmentLifetimeMs : null;
    const text = JSON.stringify([kind, account, key, expiresAt]);
    return new CompactEncrypt(new TextEncoder().encode(text))
      .setProtectedHeader({ ...header, kid: ringKey.id })
      .encrypt(ringKey.deriveKey('secondFactor'));
  }

  /** Undefined if the text was not sealed for this kind and account, has expired, or its ring key is gone. */
  async open(kind: SealedKind, account: string, sealedKey: string): Promise<OpenedKey | undefined> {
    try {
      const { kid } = decodeProtectedHeader(sealedKey);
      const ringKey = kid === undefined ? undefined : await this.#keys.findForStorage(kid);
      if (ringKey === undefined) return undefined;
      const { plaintext } = await compactDecrypt(sealedKey, ringKey.deriveKey('secondFactor'), {
        keyManagementAlgorithms: [header.alg],
        contentEncryptionAlgorithms: [header.enc],
      });
      const [sealedKind, owner, key, expiresAt] = JSON.parse(new TextDecoder().decode(plaintext)) as [
        SealedKind,
        string,
        string,
        number | null,
      ];
      if (sealedKind !== kind || owner !== account) return undefined;
      if (expiresAt !== null && this.#clock.now() >= expiresAt) return undefined;
      return { key, outdated: ringKey.id !== (await this.#keys.getCurrent()).id };
    } catch (error) {
      if (error instanceof errors.JOSEError || error instanceof TypeError) return undefined;
      throw error;
    }
  }
}
