import { sql, type Transaction } from 'kysely';
import { token } from '#core';
import type { AccessChanges } from '../access/access-changes.ts';
import type { ChangedRows, ContentChanges, RecordedContents } from '../changes/content-changes.ts';
import type { Clock } from '../kernel/clock.ts';
import { guardPeople } from './guard-people.ts';
import type { PeopleTables } from './people-tables.ts';

/** Changes of people by admins. */
export type PeopleChanges = ContentChanges<PeopleTables>;
export const PeopleChanges = token<PeopleChanges>('core.PeopleChanges');

/** Above this number, changed people are announced together, which reloads all sessions. */
const maxAnnounced = 20;

type People = ChangedRows<PeopleTables>;

const listUids = (rows: People): readonly string[] => [
  ...new Set([
    ...(rows.user_account ?? []).map(({ uid }) => String(uid)),
    ...(rows.user_role ?? []).map(({ account }) => String(account)),
  ]),
];

/**
 * Describes people and their roles for the change journal, with an access guard. A change also ends the sessions of
 * inactive people.
 */
export function createPeopleContents(options: {
  readonly changes: AccessChanges;
  readonly clock: Clock;
  /** Sends the invitations of a committed change. */
  readonly sendPending: () => Promise<void>;
}): RecordedContents<PeopleTables> {
  return {
    tables: {
      user_account: { key: ['uid'], name: 'name', version: 'version' },
      user_role: { key: ['account', 'role'], belongsTo: { column: 'account', tables: ['user_account'] } },
    },
    undoAccess: 'userManagement',
    guard: guardPeople,
    settle: (transaction, changedRows) => settlePeople(transaction, changedRows, new Date(options.clock.now())),
    announce: async (changedRows) => {
      const accounts = listUids(changedRows);
      if (accounts.length > maxAnnounced) await options.changes.announce({ kind: 'anything' });
      else for (const account of accounts) await options.changes.announce({ kind: 'account', account });
      await options.sendPending();
    },
  };
}

/** Ends the sessions of inactive people, and increments the versions of people whose roles changed. */
async function settlePeople(transaction: Transaction<PeopleTables>, changedRows: People, now: Date): Promise<void> {
  const accounts = new Set((changedRows.user_account ?? []).map(({ uid }) => String(uid)));
  await sql`
    update core.session set revoked_at = ${now}
    where account = any(${[...accounts]}::text[]) and revoked_at is null
      and account in (select uid from core.user_account where status = 'INACTIVE')`.execute(transaction);
  await sql`
    update core.user_account set version = version + 1
    where uid = any(${listUids(changedRows).filter((uid) => !accounts.has(uid))}::text[])`.execute(transaction);
}
