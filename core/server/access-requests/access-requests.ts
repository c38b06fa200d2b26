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
import { changedMeanwhile, conflict, noAccess, notFound } from '../kernel/server-error.ts';
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
        // A person's version also counts changed roles, so that a form that was opened before cannot take them away.
        const accounts = user_role.map(({ account }) => String(account));
        await sql`
          update core.user_account set version = version + 1
          where uid = any(${[...new Set(accounts)]}::text[])`.execute(transaction);
        if (formerRows.user_role) await assertAdminRemains<AccessRequestTables>(transaction);
      },
      guard: async ({ transaction, changed, ...own }) => {
        const roles = (changed.user_role ?? []).map(({ role }) => String(role));
        assertGrantable(own, (await loadGrants(transaction, roles)).values());
        const places = (changed.access_request ?? []).map(({ location }) => String(location)).filter(Boolean);
        assertCovers(own, { flags: [], allLocations: false, locations: places });
      },
      announce: async ({ user_role = [] }) => {
        for (const { account } of user_role)
          await options.accessChanges.announce({ kind: 'account', account: String(account) });
      },
    });
  }

  /**
   * Sends a request, or finds the unanswered one about the same.
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
    const place = location ?? '';
    const isKnown = place !== '' && (await locations.find(place)) !== undefined;
    return tables.transaction().execute(async (transaction) => {
      // Serialises the requests of one person, which are counted.
      await sql`select pg_advisory_xact_lock(hashtext(${`core.accessRequest.${caller.uid}`}))`.execute(transaction);
      const open = await transaction
        .selectFrom('access_request')
        .selectAll()
        .where('account', '=', caller.uid)
        .where('status', '=', 'OPEN')
        .execute();
      const earlierRequest = open.find((row) => row.feature === feature && row.location === place);
      if (earlierRequest) return toOwnRequest(earlierRequest);
      if (open.length >= maxOpenAccessRequests)
        throw conflict(coreRefusal('core.refused.accessRequestsMany', { max: maxOpenAccessRequests }));
      const row = await transaction
        .insertInto('access_request')
        .values({
          uid: randomUUID(),
          account: caller.uid,
          feature,
          location: place,
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
          ...(isKnown ? { location: place } : {}),
          details: { feature, location: place, reason: row.reason },
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
   * Gives a role to the person who asked.
   *
   * @throws `notFound` (404); `noAccess` (403) for a role beyond the caller's own access; `conflict` (409) if the
   *   request
   *   was answered already, or if the role is deactivated
   */
  grant(author: CallAuthor, uid: string, role: string, version: number): Promise<Changed> {
    return this.#answer(author, uid, version, 'accessRequest.granted', async ({ tables, record }, { account }) => {
      // The account is locked before its roles, in the same order as by changes of people, to avoid deadlocks.
      const { rows: accounts } = await sql<{ user_type: UserType; status: string }>`
        select user_type, status from core.user_account where uid = ${account} for update`.execute(tables);
      if (accounts.some(({ user_type }) => isAdminType(user_type)) && !author.caller.isAdmin)
        throw noAccess(coreRefusal('core.refused.grantAdmin'));
      if (accounts[0]?.status === 'INACTIVE') throw conflict(coreRefusal('core.refused.personChoice'));
      await record('user_role', 'account', [account]);
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
    });
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
      recorded: RecordedTransaction<AccessRequestTables>,
      row: AccessRequestRow,
    ) => Promise<Partial<Pick<AccessRequestRow, 'status' | 'role' | 'answer'>>>,
  ): Promise<Changed> {
    const { changes, clock } = this.#options;
    const request = await this.get(caller, uid);
    return changes.apply(
      { caller, requestId },
      { action, subject: request.person.uid, name: request.person.name, location: '' },
      async (recordedTransaction) => {
        const { tables, record } = recordedTransaction;
        await record('access_request', 'uid', [uid]);
        const row = await tables.selectFrom('access_request').selectAll().where('uid', '=', uid).executeTakeFirst();
        if (!row) throw notFound('This request');
        if (row.version !== version || row.status !== 'OPEN')
          throw changedMeanwhile(coreRefusal('core.refused.accessRequestAnswered'), {
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
