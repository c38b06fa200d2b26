import { createHash, createHmac, randomBytes, randomUUID } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import type { AccessChanges } from '../access/access-changes.ts';
import type { AccountRow } from '../access/access-tables.ts';
import { normaliseUsername } from '../access/account.ts';
import type { Database } from '../database/database.ts';
import type { Clock } from '../kernel/clock.ts';
import type { ServerConfig } from '../kernel/server-config.ts';
import { inactiveUser, invalidCredentials, unauthenticated } from '../kernel/server-error.ts';
import type { AuthTables, RefreshTokenTable, SessionTable } from './auth-tables.ts';
import type { KeyRing } from './key-ring.ts';
import type { SessionClient } from './session-client.ts';
import { SessionRefusedError } from './session-refused-error.ts';
import type { RefusalReason } from './sign-in-audit.ts';

/** A session that was opened or renewed. `refreshToken` is 256 bits, base64url. */
export interface OpenSession {
  readonly session: string;
  readonly refreshToken: string;
  readonly account: Pick<AccountRow, 'uid' | 'username' | 'user_type'>;
}

/** Records the end of a session. */
export type RecordEnd = (
  transaction: Transaction<AuthTables>,
  ended: { readonly session: string; readonly account: string },
) => Promise<void>;

type SessionLimits = Pick<ServerConfig['session'], 'idleLifetime' | 'absoluteLifetime' | 'refreshGrace'>;

type Renewal = { readonly open: OpenSession } | { readonly refused: SessionRefusedError; readonly revoked?: string };

/**
 * Sessions as families of refresh tokens, each used once; at most one token of a family is unused. A used token gets
 * its same successor again within the grace period while that is unused; later use is treated as theft and ends the
 * family. Renewals lock the session's row. The successor is a keyed hash of the token, so concurrent renewals agree.
 */
export class Sessions {
  readonly #tables: Kysely<AuthTables>;
  readonly #changes: AccessChanges;
  readonly #clock: Clock;
  readonly #keys: KeyRing;
  readonly #limits: SessionLimits;

  constructor(parts: {
    readonly database: Database;
    readonly changes: AccessChanges;
    readonly clock: Clock;
    readonly keys: KeyRing;
    readonly limits: SessionLimits;
  }) {
    this.#tables = parts.database.of<AuthTables>('core');
    this.#changes = parts.changes;
    this.#clock = parts.clock;
    this.#keys = parts.keys;
    this.#limits = parts.limits;
  }

  /**
   * `proof`: the verified password hash, or null after single sign-on. `record` runs in the same transaction. The
   * account's row is locked against concurrent changes of password or status.
   *
   * @throws SessionRefusedError if the password changed or the account was deactivated since
   */
  async open(
    account: string,
    proof: string | null,
    { device, address }: Pick<SessionClient, 'device' | 'address'>,
    record?: (transaction: Transaction<AuthTables>, session: string) => Promise<void>,
  ): Promise<OpenSession> {
    const now = this.#clock.now();
    const refreshToken = randomBytes(32).toString('base64url');
    return this.#tables.transaction().execute(async (transaction) => {
      const row = await transaction
        .selectFrom('user_account')
        .selectAll()
        .where('uid', '=', account)
        .forShare()
        .executeTakeFirst();
      if (row?.status === 'INACTIVE') throw new SessionRefusedError('accountInactive', inactiveUser(), account);
      if (row?.status !== 'ACTIVE' || (proof !== null && row.password_hash !== proof))
        throw new SessionRefusedError('passwordChanged', invalidCredentials(), account);
      const session = randomUUID();
      const expiresAt = now + this.#limits.absoluteLifetime;
      await transaction
        .insertInto('session')
        .values({
          id: session,
          account,
          created_at: new Date(now),
          idle_expires_at: new Date(Math.min(now + this.#limits.idleLifetime, expiresAt)),
          expires_at: new Date(expiresAt),
          revoked_at: null,
          device,
          address,
          last_used_at: new Date(now),
        })
        .execute();
      await insertToken(transaction, {
        hash: hashToken(refreshToken),
        session,
        parent: null,
        created_at: new Date(now),
      });
      await record?.(transaction, session);
      return { session, refreshToken, account: row };
    });
  }

  /**
   * `username`: the person that the client expects, so that a tab does not continue as another one; empty if unknown.
   *
   * @throws SessionRefusedError E005 if the session is over, or the token unknown, reused or of another person; E006 if
   *   the account is inactive
   */
  async renew(
    refreshToken: string,
    username: string,
    client: Pick<SessionClient, 'device' | 'address'>,
  ): Promise<OpenSession> {
    const key = await this.#keys.current();
    const successor = createHmac('sha256', key.for('refresh')).update(refreshToken).digest('base64url');
    const renewal = await this.#tables
      .transaction()
      .execute((transaction) => this.#renew(transaction, refreshToken, successor, username, client));
    if ('open' in renewal) return renewal.open;
    if (renewal.revoked !== undefined) await this.#changes.announce({ kind: 'session', session: renewal.revoked });
    throw renewal.refused;
  }

  async #renew(
    transaction: Transaction<AuthTables>,
    refreshToken: string,
    successor: string,
    username: string,
    { device, address }: Pick<SessionClient, 'device' | 'address'>,
  ): Promise<Renewal> {
    const hash = hashToken(refreshToken);
    const session = await lockSessionByHash(transaction, hash);
    if (session === undefined) return { refused: new SessionRefusedError('tokenUnknown', unauthenticated()) };
    const refuse = (reason: RefusalReason, answer = unauthenticated()) => ({
      refused: new SessionRefusedError(reason, answer, session.account),
    });
    const now = this.#clock.now();
    const account = await transaction
      .selectFrom('user_account')
      .selectAll()
      .where('uid', '=', session.account)
      .executeTakeFirstOrThrow();
    const named = normaliseUsername(username);
    if (named !== '' && named !== account.username) return refuse('otherPerson');
    if (account.status === 'INACTIVE') return refuse('accountInactive', inactiveUser());
    const token = await transaction
      .selectFrom('refresh_token')
      .selectAll()
      .where('hash', '=', hash)
      .executeTakeFirstOrThrow();
    if (
      session.revoked_at !== null ||
      token.revoked_at !== null ||
      now >= session.idle_expires_at.getTime() ||
      now >= session.expires_at.getTime()
    )
      return refuse('sessionOver');

    const children =
      token.used_at === null
        ? []
        : await transaction
            .selectFrom('refresh_token')
            .selectAll()
            .where('parent', '=', hash)
            .where('revoked_at', 'is', null)
            .execute();
    // Clamped: another server's clock may be ahead.
    const usedFor = token.used_at === null ? null : Math.max(0, now - token.used_at.getTime());
    if (
      usedFor !== null &&
      (usedFor >= this.#limits.refreshGrace || children.some((child) => child.used_at !== null))
    ) {
      await revokeSession(transaction, now, session.id);
      const message = 'This session was ended, because one of its tokens was used twice. Sign in to continue.';
      return { ...refuse('tokenReused', unauthenticated(message)), revoked: session.id };
    }

    await this.#follow(transaction, token, children, successor, now);
    await transaction
      .updateTable('session')
      .set({
        idle_expires_at: new Date(Math.min(now + this.#limits.idleLifetime, session.expires_at.getTime())),
        device,
        address,
        last_used_at: new Date(now),
      })
      .where('id', '=', session.id)
      .execute();
    return { open: { session: session.id, refreshToken: successor, account } };
  }

  /** Makes `successor` the only unused token of the family. */
  async #follow(
    transaction: Transaction<AuthTables>,
    token: RefreshTokenTable,
    children: readonly RefreshTokenTable[],
    successor: string,
    now: number,
  ): Promise<void> {
    if (children.some((child) => child.hash === hashToken(successor))) return;
    // The key was rotated within the grace period: the current key cannot derive this child again.
    if (children.length > 0)
      await transaction
        .updateTable('refresh_token')
        .set({ revoked_at: new Date(now) })
        .where('parent', '=', token.hash)
        .execute();
    if (token.used_at === null)
      await transaction
        .updateTable('refresh_token')
        .set({ used_at: new Date(now) })
        .where('hash', '=', token.hash)
        .execute();
    await insertToken(transaction, {
      hash: hashToken(successor),
      session: token.session,
      parent: token.hash,
      created_at: new Date(now),
    });
  }

  /** Ends the session of the refresh token, however old the token is. Does nothing for an unknown token. */
  async revokeByToken(refreshToken: string, record: RecordEnd): Promise<void> {
    const row = await this.#tables
      .selectFrom('refresh_token')
      .select('session')
      .where('hash', '=', hashToken(refreshToken))
      .executeTakeFirst();
    if (row !== undefined) await this.revoke(row.session, record);
  }

  /** `record` runs in the transaction that ends the session, unless it has already ended. */
  async revoke(session: string, record: RecordEnd): Promise<void> {
    await this.#tables.transaction().execute(async (transaction) => {
      const account = await revokeSession(transaction, this.#clock.now(), session);
      if (account !== undefined) await record(transaction, { session, account });
    });
    await this.#changes.announce({ kind: 'session', session });
  }

  /** Removes sessions a week after their end, and tokens a week after their use: they are merely unknown then. */
  async removeOld(): Promise<void> {
    const before = new Date(this.#clock.now() - 7 * 24 * 60 * 60 * 1000);
    await this.#tables
      .deleteFrom('session')
      .where((row) => row.or([row('idle_expires_at', '<', before), row('revoked_at', '<', before)]))
      .execute();
    await this.#tables.deleteFrom('refresh_token').where('used_at', '<', before).execute();
  }
}

/**
 * Ends all sessions of the account except `except`. Call it in the transaction that changes the account, with its row
 * locked, and announce the change after the commit.
 */
export async function revokeSessionsOfAccount(
  transaction: Kysely<AuthTables>,
  now: number,
  account: string,
  except?: string,
): Promise<void> {
  const open = transaction
    .updateTable('session')
    .set({ revoked_at: new Date(now) })
    .where('account', '=', account)
    .where('revoked_at', 'is', null);
  await (except === undefined ? open : open.where('id', '<>', except)).execute();
}

/** uid of the session's account; undefined if the session had already ended. */
async function revokeSession(tables: Kysely<AuthTables>, now: number, session: string): Promise<string | undefined> {
  const ended = await tables
    .updateTable('session')
    .set({ revoked_at: new Date(now) })
    .where('id', '=', session)
    .where('revoked_at', 'is', null)
    .returning('account')
    .executeTakeFirst();
  return ended?.account;
}

async function lockSessionByHash(
  transaction: Transaction<AuthTables>,
  hash: string,
): Promise<SessionTable | undefined> {
  return transaction
    .selectFrom('session')
    .selectAll()
    .where('id', '=', (expression) => expression.selectFrom('refresh_token').select('session').where('hash', '=', hash))
    .forUpdate()
    .executeTakeFirst();
}

async function insertToken(
  transaction: Transaction<AuthTables>,
  token: Omit<RefreshTokenTable, 'used_at' | 'revoked_at'>,
): Promise<void> {
  await transaction
    .insertInto('refresh_token')
    .values({ ...token, used_at: null, revoked_at: null })
    .execute();
}

const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex');
