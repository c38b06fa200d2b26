import { createHash, hkdfSync, randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Database } from '../database/database.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Secret } from '../kernel/secret.ts';
import type { AuthTables } from './auth-tables.ts';

/** One secret derives a separate key for each purpose, so that a signature for one is invalid for another. */
export type KeyPurpose = 'access' | 'refresh' | 'file' | 'code' | 'signOn' | 'audit';

export class SigningKey {
  readonly id: string;
  readonly #secret: string;
  readonly #derived = new Map<KeyPurpose, Buffer>();

  constructor(id: string, secret: string) {
    this.id = id;
    this.#secret = secret;
  }

  /** 32 bytes by HKDF-SHA-256. */
  for(purpose: KeyPurpose): Buffer {
    let key = this.#derived.get(purpose);
    if (key === undefined) {
      key = Buffer.from(hkdfSync('sha256', this.#secret, '', `walkdown ${purpose}`, 32));
      this.#derived.set(purpose, key);
    }
    return key;
  }
}

/**
 * The signing key: from the environment, or else generated once, stored in the database and shared by all its
 * processes. It is rotated between two starts (docs/guides/operations.md). Rotation invalidates signed tokens; sessions
 * continue, because refresh tokens are not signed.
 */
export class KeyRing {
  readonly #tables: Kysely<AuthTables>;
  readonly #clock: Clock;
  #key: SigningKey | undefined;

  constructor(database: Database, clock: Clock, secret: Secret | undefined) {
    this.#tables = database.of<AuthTables>('core');
    this.#clock = clock;
    if (secret !== undefined) {
      const id = createHash('sha256').update('walkdown key id').update(secret.reveal()).digest('base64url').slice(0, 8);
      this.#key = new SigningKey(`e-${id}`, secret.reveal());
    }
  }

  async current(): Promise<SigningKey> {
    this.#key ??= await this.#read();
    return this.#key;
  }

  /** Undefined for a key that this server does not have. */
  async find(id: string): Promise<SigningKey | undefined> {
    const key = await this.current();
    return key.id === id ? key : undefined;
  }

  /** Concurrent processes that insert the key end up with the same one. */
  async #read(): Promise<SigningKey> {
    const select = () =>
      this.#tables
        .selectFrom('signing_key')
        .select(['number', 'secret'])
        .orderBy('number', 'desc')
        .limit(1)
        .executeTakeFirst();
    const existing = await select();
    if (existing === undefined) {
      await this.#tables
        .insertInto('signing_key')
        .values({ number: 1, secret: randomBytes(32).toString('base64url'), created_at: new Date(this.#clock.now()) })
        .onConflict((conflict) => conflict.column('number').doNothing())
        .execute();
    }
    const row = existing ?? (await select());
    if (row === undefined)
      throw new Error('core.signing_key is empty although a key was just added: has something emptied the table?');
    return new SigningKey(`d-${row.number}`, row.secret);
  }
}
