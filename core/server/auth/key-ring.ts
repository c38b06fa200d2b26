import { createHash, hkdfSync, randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Database } from '../database/database.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Secret } from '../kernel/secret.ts';
import type { AuthTables } from './auth-tables.ts';

/** The purpose of a derived key. A signature for one purpose is invalid for every other. */
export type KeyPurpose = 'access' | 'refresh' | 'file' | 'code' | 'signOn' | 'audit' | 'secondFactor';

export class SigningKey {
  readonly id: string;
  readonly #secret: string;
  readonly #derivedKeys = new Map<KeyPurpose, Buffer>();

  constructor(id: string, secret: string) {
    this.id = id;
    this.#secret = secret;
  }

  /** 32 bytes by HKDF-SHA-256. */
  deriveKey(purpose: KeyPurpose): Buffer {
    let key = this.#derivedKeys.get(purpose);
    if (key === undefined) {
      key = Buffer.from(hkdfSync('sha256', this.#secret, '', `walkdown ${purpose}`, 32));
      this.#derivedKeys.set(purpose, key);
    }
    return key;
  }
}

function toEnvironmentKey(secret: Secret): SigningKey {
  const id = createHash('sha256').update('walkdown key id').update(secret.reveal()).digest('base64url').slice(0, 8);
  return new SigningKey(`e-${id}`, secret.reveal());
}

/**
 * Provides the signing key. It comes from the environment, or is generated once and stored in the database, where all
 * processes find it. It is rotated between two starts (docs/guides/operations.md). Rotation invalidates signed tokens;
 * sessions continue, because refresh tokens are not signed.
 */
export class KeyRing {
  readonly #tables: Kysely<AuthTables>;
  readonly #clock: Clock;
  readonly #formerKey: SigningKey | undefined;
  #currentKey: SigningKey | undefined;

  /** `formerSecret` is the secret before the last rotation, which only decrypts stored values. */
  constructor(database: Database, clock: Clock, secret: Secret | undefined, formerSecret?: Secret) {
    this.#tables = database.of<AuthTables>('core');
    this.#clock = clock;
    if (secret !== undefined) this.#currentKey = toEnvironmentKey(secret);
    if (formerSecret !== undefined) this.#formerKey = toEnvironmentKey(formerSecret);
  }

  async getCurrent(): Promise<SigningKey> {
    this.#currentKey ??= await this.#read();
    return this.#currentKey;
  }

  /** Returns the current key if it has this id, else undefined: signatures with earlier keys are invalid. */
  async find(id: string): Promise<SigningKey | undefined> {
    const key = await this.getCurrent();
    return key.id === id ? key : undefined;
  }

  /**
   * The key that encrypted a stored value: the current one, the former one of the environment, or one of the database.
   * Undefined if this server does not have it. Signatures must be verified with a key from `find`.
   */
  async findForStorage(id: string): Promise<SigningKey | undefined> {
    const knownKey = [await this.getCurrent(), this.#formerKey].find((key) => key?.id === id);
    if (knownKey !== undefined || !/^d-\d{1,9}$/.test(id)) return knownKey;
    const row = await this.#tables
      .selectFrom('signing_key')
      .select('secret')
      .where('number', '=', Number(id.slice(2)))
      .executeTakeFirst();
    return row && new SigningKey(id, row.secret);
  }

  /** Reads the key, and creates it if it is missing. Concurrent processes get the same key. */
  async #read(): Promise<SigningKey> {
    const selectRow = () =>
      this.#tables
        .selectFrom('signing_key')
        .select(['number', 'secret'])
        .orderBy('number', 'desc')
        .limit(1)
        .executeTakeFirst();
    const existingRow = await selectRow();
    if (existingRow === undefined) {
      await this.#tables
        .insertInto('signing_key')
        .values({ number: 1, secret: randomBytes(32).toString('base64url'), created_at: new Date(this.#clock.now()) })
        .onConflict((conflict) => conflict.column('number').doNothing())
        .execute();
    }
    const row = existingRow ?? (await selectRow());
    if (row === undefined)
      throw new Error('core.signing_key is empty although a key was just added: has something emptied the table?');
    return new SigningKey(`d-${row.number}`, row.secret);
  }
}
