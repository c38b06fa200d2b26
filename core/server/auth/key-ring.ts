import { createHash, hkdfSync, randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Database } from '../database/database.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Secret } from '../kernel/secret.ts';
import type { AuthTables } from './auth-tables.ts';

/** One secret makes a key for each use, so that what is signed for one is worth nothing for another. */
export type KeyPurpose = 'access' | 'refresh' | 'file' | 'code' | 'signOn';

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

const rereadAfter = 1000;

/**
 * The keys that sign and verify. One from the environment, or else kept in the database and shared by all its processes: made by the first that asks.
 * `rotate` adds a key that signs from then on; the one before it still verifies, older ones no longer.
 */
export class KeyRing {
  readonly #tables: Kysely<AuthTables>;
  readonly #clock: Clock;
  readonly #fixed: SigningKey | undefined;
  #keys: readonly SigningKey[] = [];
  #readAt = Number.NEGATIVE_INFINITY;

  constructor(database: Database, clock: Clock, secret: Secret | undefined) {
    this.#tables = database.of<AuthTables>('core');
    this.#clock = clock;
    if (secret !== undefined) {
      const id = createHash('sha256').update('walkdown key id').update(secret.reveal()).digest('base64url').slice(0, 8);
      this.#fixed = new SigningKey(`e-${id}`, secret.reveal());
      this.#keys = [this.#fixed];
    }
  }

  /** Newest first, at least one. */
  async all(): Promise<readonly [SigningKey, ...SigningKey[]]> {
    if (this.#keys.length === 0) await this.#read();
    const [first, ...rest] = this.#keys;
    if (first === undefined) throw new Error('core.signing_key is empty although a key was just added: has something emptied the table?');
    return [first, ...rest];
  }

  async current(): Promise<SigningKey> {
    return (await this.all())[0];
  }

  /** Looks again in the database, at most once a second, where the id is unknown: another process may have added it. */
  async find(id: string): Promise<SigningKey | undefined> {
    const found = (await this.all()).find((key) => key.id === id);
    if (found !== undefined || this.#fixed !== undefined || this.#clock.now() - this.#readAt < rereadAfter) return found;
    await this.#read();
    return this.#keys.find((key) => key.id === id);
  }

  async rotate(): Promise<void> {
    if (this.#fixed !== undefined) throw new Error('The signing key comes from WALKDOWN_TOKEN_SECRET: change it there and restart.');
    await this.all();
    const newest = await this.#tables.selectFrom('signing_key').select('number').orderBy('number', 'desc').limit(1).executeTakeFirst();
    await this.#add((newest?.number ?? 0) + 1);
    await this.#read();
  }

  async #read(): Promise<void> {
    this.#readAt = this.#clock.now();
    const select = () => this.#tables.selectFrom('signing_key').select(['number', 'secret']).orderBy('number', 'desc').limit(2).execute();
    let rows = await select();
    if (rows.length === 0) {
      await this.#add(1);
      rows = await select();
    }
    this.#keys = rows.map(({ number, secret }) => new SigningKey(`d-${number}`, secret));
  }

  /** Two processes that add the same number end up with one key. */
  async #add(number: number): Promise<void> {
    await this.#tables
      .insertInto('signing_key')
      .values({ number, secret: randomBytes(32).toString('base64url'), created_at: new Date(this.#clock.now()) })
      .onConflict((conflict) => conflict.column('number').doNothing())
      .execute();
  }
}
