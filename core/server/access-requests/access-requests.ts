import { randomUUID } from 'node:crypto';
import { sql, type Kysely } from 'kysely';
import { maxOpenAccessRequests, type AccessSubject, type UserType } from '#core';
import { coreRefusal, type AccessRequest, type Changed, type OwnAccessRequest } from '#core/api';
import type { AccessChanges } from '../access/access-changes.ts';
import { isAdminType } from '../access/account.ts';
import type { Caller } from '../access/caller.ts';
import { assertAdminRemains } from '../access/last-admin.ts';
import type { LocationStore } from '../access/location-store.ts';
import { assertCovers, assertGrantable, loadGrants } from '../access/own-access.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { CallAuthor, ContentChanges, RecordedTransaction } from '../changes/content-changes.ts';
import type { Clock } from '../kernel/clock.ts';
import { versionConflict, conflict, noAccess, notFound } from '../kernel/server-error.ts';
import type { AccessRequestRow, AccessRequestTables } from './access-request-tables.ts';
import { listAccessRequests, toOwnRequest } from './list-access-requests.ts';

interface AccessRequestsOptions {
  readonly tables: Kysely<AccessRequestTables>;
  readonly changes: ContentChanges<AccessRequestTables>;
  readonly accessChanges: AccessChanges;
  readonly locations: LocationStore;
  readonly audit: AuditLog;
  readonly clock: Clock;
}

/** Requests for access that people send and admins answer. Answers can be undone. */
export class AccessRequests {
  readonly #options: AccessRequestsOptions;

  constructor(options: AccessRequestsOptions) {
    this.#options = options;
    options.changes.register({
      tables: {
        access_request: { key: ['uid'], version: 'version' },
        user_role: { key: ['account', 'role'] },
      },
      undoAccess: 'userManagement',
      settle: async (transaction, { user_role = [] }, formerRows) => {
        // Also increments the person's version, so that a form that was opened earlier cannot remove the new roles.
        const accounts = user_role.map(({ account }) => String(account));
        await sql`
          update core.user_account set version = version + 1
          where uid = any(${[...new Set(accounts)]}::text[])`.execute(transaction);
        if (formerRows.user_role) await assertAdminRemains<AccessRequestTables>(transaction);
      },
      guard: async ({ transaction, changed, ...ownAccess }) => {
        const roles = (changed.user_role ?? []).map(({ role }) => String(role));
        assertGrantable(ownAccess, (await loadGrants(transaction, roles)).values());
        const locationUids = (changed.access_request ?? []).map(({ location }) => String(location)).filter(Boolean);
        assertCovers(ownAccess, { flags: [], allLocations: false, locations: locationUids });
      },
      announce: async ({ user_role = [] }) => {
        for (const { account } of user_role)
          await options.accessChanges.announce({ kind: 'account', account: String(account) });
      },
    });
  }

  /**
   * Sends a request, or returns the open request of the person for the same feature and location.
   *
   * @throws `conflict` (409) if the person has too many unanswered requests
   */
  async send(
    { caller, requestId }: CallAuthor,
    {
      feature,
      location,
      reason,
    }: { readonly feature: AccessSubject; readonly location: string | null; readonly reason: string },
  ): Promise<OwnAccessRequest> {
    const { tables, audit, clock, locations } = this.#options;
    const locationUid = location ?? '';
    const isKnownLocation = locationUid !== '' && (await locations.find(locationUid)) !== undefined;
    return tables.transaction().execute(async (transaction) => {
      // Locks per person, because the limit below counts the open requests of the person.
      await sql`select pg_advisory_xact_lock(hashtext(${`core.accessRequest.${caller.uid}`}))`.execute(transaction);
      const openRequests = await transaction
        .selectFrom('access_request')
        .selectAll()
        .where('account', '=', caller.uid)
        .where('status', '=', 'OPEN')
        .execute();
      const earlierRequest = openRequests.find((row) => row.feature === feature && row.location === locationUid);
      if (earlierRequest) return toOwnRequest(earlierRequest);
      if (openRequests.length >= maxOpenAccessRequests)
        throw conflict(coreRefusal('core.refused.accessRequestsMany', { max: maxOpenAccessRequests }));
      const row = await transaction
        .insertInto('access_request')
        .values({
          uid: randomUUID(),
          account: caller.uid,
          feature,
          location: locationUid,
          reason: reason.trim(),
          status: 'OPEN',
          created_at: new Date(clock.now()),
          answered_at: null,
          answered_by: null,
          role: null,
          answer: null,
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      await audit.record(
        {
          actor: caller.uid,
          action: 'accessRequest.sent',
          subject: caller.uid,
          ...(isKnownLocation ? { location: locationUid } : {}),
          details: { feature, location: locationUid, reason: row.reason },
          request: requestId,
        },
        transaction,
      );
      return toOwnRequest(row);
    });
  }

  /** @throws `notFound` (404), also for a request at a location that the caller cannot access */
  async get(caller: Caller, uid: string): Promise<AccessRequest> {
    const { tables, locations } = this.#options;
    const { rows } = await listAccessRequests(tables as unknown as Kysely<unknown>, {
      uid,
      locations: caller.access.locations === 'ALL' ? 'ALL' : await locations.accessible(caller),
    });
    if (!rows[0]) throw notFound('This request');
    return rows[0];
  }

  /**
   * Grants a role to the person who sent the request.
   *
   * @throws `notFound` (404); `noAccess` (403) for a role beyond the caller's own access; `conflict` (409) if the
   *   request was already answered, or if the role is deactivated
   */
  grant(author: CallAuthor, uid: string, role: string, version: number): Promise<Changed> {
    return this.#answer(
      author,
      uid,
      version,
      'accessRequest.granted',
      async ({ tables, lockAndRecord }, { account }) => {
        // The account is locked before its roles, in the same order as by changes of people, to avoid deadlocks.
        const { rows: accounts } = await sql<{ user_type: UserType; status: string }>`
        select user_type, status from core.user_account where uid = ${account} for update`.execute(tables);
        if (accounts.some(({ user_type }) => isAdminType(user_type)) && !author.caller.isAdmin)
          throw noAccess(coreRefusal('core.refused.grantAdmin'));
        if (accounts[0]?.status === 'INACTIVE') throw conflict(coreRefusal('core.refused.personChoice'));
        await lockAndRecord('user_role', 'account', [account]);
        const { rows } = await sql<{ name: string; status: string }>`
        select name, status from core.role where uid = ${role}`.execute(tables);
        if (!rows[0]) throw notFound('This role');
        if (rows[0].status !== 'ACTIVE')
          throw conflict(coreRefusal('core.refused.accessRequestRole', { name: rows[0].name }));
        await tables
          .insertInto('user_role')
          .values({ account, role })
          .onConflict((clash) => clash.columns(['account', 'role']).doUpdateSet({ from_group: false }))
          .execute();
        return { status: 'GRANTED', role };
      },
    );
  }

  /** @throws `notFound` (404); `conflict` (409) if the request was answered already */
  decline(author: CallAuthor, uid: string, reason: string, version: number): Promise<Changed> {
    return this.#answer(author, uid, version, 'accessRequest.declined', async () => ({
      status: 'DECLINED',
      answer: reason.trim(),
    }));
  }

  async #answer(
    { caller, requestId }: CallAuthor,
    uid: string,
    version: number,
    action: string,
    write: (
      recordedTransaction: RecordedTransaction<AccessRequestTables>,
      row: AccessRequestRow,
    ) => Promise<Partial<Pick<AccessRequestRow, 'status' | 'role' | 'answer'>>>,
  ): Promise<Changed> {
    const { changes, clock } = this.#options;
    const request = await this.get(caller, uid);
    return changes.apply(
      { caller, requestId },
      { action, subject: request.person.uid, name: request.person.name, location: '' },
      async (recordedTransaction) => {
        const { tables, lockAndRecord } = recordedTransaction;
        await lockAndRecord('access_request', 'uid', [uid]);
        const row = await tables.selectFrom('access_request').selectAll().where('uid', '=', uid).executeTakeFirst();
        if (!row) throw notFound('This request');
        if (row.version !== version || row.status !== 'OPEN')
          throw versionConflict(coreRefusal('core.refused.accessRequestAnswered'), {
            ...request,
            ...toOwnRequest(row),
            version: row.version,
          });
        const answer = await write(recordedTransaction, row);
        await tables
          .updateTable('access_request')
          .set({ ...answer, answered_by: caller.uid, answered_at: new Date(clock.now()) })
          .where('uid', '=', uid)
          .execute();
      },
    );
  }
}
