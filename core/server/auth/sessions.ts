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

/** Writes the end of a session to the audit log. */
export type RecordEnd = (
  transaction: Transaction<AuthTables>,
  endedSession: { readonly session: string; readonly account: string },
) => Promise<void>;

type SessionLimits = Pick<ServerConfig['session'], 'idleLifetimeMs' | 'absoluteLifetimeMs' | 'refreshGraceMs'>;

type Renewal = { readonly open: OpenSession } | { readonly refused: SessionRefusedError; readonly revoked?: string };

/**
 * Sessions with refresh tokens. Each token is used once and has a successor; only the last one is unused. A used token
 * may be sent again within the grace period while its successor is unused; any other reuse counts as theft and ends the
 * session. Renewals lock the session's row. Successors are keyed hashes of tokens, so that concurrent renewals agree.
 */
export class Sessions {
  readonly #tables: Kysely<AuthTables>;
  readonly #changes: AccessChanges;
  readonly #clock: Clock;
  readonly #keys: KeyRing;
  readonly #limits: SessionLimits;

  constructor(options: {
    readonly database: Database;
    readonly changes: AccessChanges;
    readonly clock: Clock;
    readonly keys: KeyRing;
    readonly limits: SessionLimits;
  }) {
    this.#tables = options.database.of<AuthTables>('core');
    this.#changes = options.changes;
    this.#clock = options.clock;
    this.#keys = options.keys;
    this.#limits = options.limits;
  }

  /**
   * `proof` is the verified password hash, or null after single sign-on. `record` runs in the same transaction. The
   * account's row is locked against concurrent changes of password or status.
   *
   * @throws SessionRefusedError if the password was changed or the account deactivated after the verification
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
      const expiresAt = now + this.#limits.absoluteLifetimeMs;
      await transaction
        .insertInto('session')
        .values({
          id: session,
          account,
          created_at: new Date(now),
          idle_expires_at: new Date(Math.min(now + this.#limits.idleLifetimeMs, expiresAt)),
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
   * `username` names the person that the client expects, so that a tab does not continue as somebody else. It is empty
   * if the client expects nobody.
   *
   * @throws SessionRefusedError E005 if the session is over, or the token is unknown, reused or of another person; E006
   *   if the account is inactive
   */
  async renew(
    refreshToken: string,
    username: string,
    client: Pick<SessionClient, 'device' | 'address'>,
  ): Promise<OpenSession> {
    const key = await this.#keys.getCurrent();
    const successor = createHmac('sha256', key.deriveKey('refresh')).update(refreshToken).digest('base64url');
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
    const expectedUsername = normaliseUsername(username);
    if (expectedUsername !== '' && expectedUsername !== account.username) return refuse('otherPerson');
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

    const storedSuccessors =
      token.used_at === null
        ? []
        : await transaction
            .selectFrom('refresh_token')
            .selectAll()
            .where('parent', '=', hash)
            .where('revoked_at', 'is', null)
            .execute();
    // Never negative, although another server's clock may be ahead.
    const msSinceUse = token.used_at === null ? null : Math.max(0, now - token.used_at.getTime());
    if (
      msSinceUse !== null &&
      (msSinceUse >= this.#limits.refreshGraceMs || storedSuccessors.some((child) => child.used_at !== null))
    ) {
      await revokeSession(transaction, now, session.id);
      const message = 'This session was ended, because one of its tokens was used twice. Sign in to continue.';
      return { ...refuse('tokenReused', unauthenticated(message)), revoked: session.id };
    }

    await this.#saveSuccessor(transaction, token, storedSuccessors, successor, now);
    await transaction
      .updateTable('session')
      .set({
        idle_expires_at: new Date(Math.min(now + this.#limits.idleLifetimeMs, session.expires_at.getTime())),
        device,
        address,
        last_used_at: new Date(now),
      })
      .where('id', '=', session.id)
      .execute();
    return { open: { session: session.id, refreshToken: successor, account } };
  }

  /** Makes `successor` the only unused token of the session. */
  async #saveSuccessor(
    transaction: Transaction<AuthTables>,
    token: RefreshTokenTable,
    storedSuccessors: readonly RefreshTokenTable[],
    successor: string,
    now: number,
  ): Promise<void> {
    if (storedSuccessors.some((child) => child.hash === hashToken(successor))) return;
    // The signing key was rotated within the grace period, so the current key derives another successor.
    if (storedSuccessors.length > 0)
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

  /** Ends the session. `record` runs in the same transaction, unless the session has already ended. */
  async revoke(session: string, record: RecordEnd): Promise<void> {
    await this.#tables.transaction().execute(async (transaction) => {
      const account = await revokeSession(transaction, this.#clock.now(), session);
      if (account !== undefined) await record(transaction, { session, account });
    });
    await this.#changes.announce({ kind: 'session', session });
  }

  /** Removes sessions a week after their end, and tokens a week after their use. Later uses are refused as unknown. */
  async removeOld(): Promise<void> {
    const cutoff = new Date(this.#clock.now() - 7 * 24 * 60 * 60 * 1000);
    await this.#tables
      .deleteFrom('session')
      .where((row) => row.or([row('idle_expires_at', '<', cutoff), row('revoked_at', '<', cutoff)]))
      .execute();
    await this.#tables.deleteFrom('refresh_token').where('used_at', '<', cutoff).execute();
  }
}

/**
 * Ends all sessions of the account except `except`. Must be called in the transaction that changes the account, with
 * its row locked. Announce the change after the commit.
 */
export async function revokeSessionsOfAccount(
  transaction: Kysely<AuthTables>,
  now: number,
  account: string,
  except?: string,
): Promise<void> {
  const openSessions = transaction
    .updateTable('session')
    .set({ revoked_at: new Date(now) })
    .where('account', '=', account)
    .where('revoked_at', 'is', null);
  await (except === undefined ? openSessions : openSessions.where('id', '<>', except)).execute();
}

/** Ends a session. Returns the uid of its account, or undefined if the session had already ended. */
async function revokeSession(tables: Kysely<AuthTables>, now: number, session: string): Promise<string | undefined> {
  const endedSession = await tables
    .updateTable('session')
    .set({ revoked_at: new Date(now) })
    .where('id', '=', session)
    .where('revoked_at', 'is', null)
    .returning('account')
    .executeTakeFirst();
  return endedSession?.account;
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
