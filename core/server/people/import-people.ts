import { randomUUID } from 'node:crypto';
import { sql, type RawBuilder, type Transaction } from 'kysely';
import { personMasters, personMasterTypes, token, type AccountType, type PersonMaster } from '#core';
import { normaliseUsername } from '../access/account.ts';
import type { RecordedTransaction } from '../changes/content-changes.ts';
import { markGrantedByHand, type PeopleContext } from './change-people.ts';
import { checkImportedPeople } from './check-imported-people.ts';
import { masterColumns } from './list-people.ts';
import type { PeopleTables } from './people-tables.ts';

/** The values of a person in a workbook. Masters and roles are referred to by name. */
type ImportedValues = Readonly<Record<PersonMaster, string | null>> & {
  readonly email: string;
  readonly name: string;
  readonly accountType: AccountType;
  readonly status: 'Active' | 'Inactive';
  readonly roles: readonly string[] | null;
};

/** The import of people, whose sheet a plugin describes. */
export interface PeopleImport {
  /**
   * Builds a query of the current people. Its column `values` (jsonb) has the keys of `ImportedValues` and `isAdmin`.
   * `roles` are those that admins granted.
   */
  current(): RawBuilder<unknown>;
  /** Builds a query of the role names that rows may contain, with the columns `code` and `active`. */
  listRoles(): RawBuilder<unknown>;
  /** Builds a query of the names of masters that rows may contain in `property`, with the same columns. */
  listMasters(property: PersonMaster): RawBuilder<unknown>;
  /** Builds a query of the cells that break a rule of `guardPeople`. `rows` are staged rows of an import. */
  check(rows: RawBuilder<unknown>, author: string): RawBuilder<unknown>;
  /**
   * Writes the staged rows with the states ADDED and CHANGED. New active people, and reactivated people who never
   * signed in, are invited after the commit.
   */
  apply(
    recordedTransaction: Pick<RecordedTransaction<PeopleTables>, 'tables' | 'lockAndRecord'>,
    rows: RawBuilder<unknown>,
  ): Promise<void>;
}
export const PeopleImport = token<PeopleImport>('core.PeopleImport');

export function createPeopleImport(context: PeopleContext): PeopleImport {
  const { masters } = context;
  return {
    current: () => selectCurrent(masters.rows),
    listRoles: () => sql`select name as code, status = 'ACTIVE' as active from core.role`,
    listMasters: (property) => sql`
      select name as code, active from (${masters.rows}) as master where type = ${personMasterTypes[property]}`,
    check: checkImportedPeople,
    apply: (recordedTransaction, rows) => applyPeople(context, recordedTransaction, rows),
  };
}

function selectCurrent(masters: RawBuilder<unknown>): RawBuilder<unknown> {
  const names = personMasters.map((property) => sql`${property}::text, ${sql.id(property)}.name`);
  const joins = personMasters.map(
    (property) => sql`
      left join master as ${sql.id(property)} on ${sql.id(property)}.uid = account.${sql.id(masterColumns[property])}`,
  );
  return sql`
    with master as (${masters})
    select jsonb_build_object(
      'email', account.username, 'name', account.name, 'accountType', account.user_type,
      'isAdmin', account.user_type = 'TENANT_ADMIN',
      'status', case when account.status = 'INACTIVE' then 'Inactive' else 'Active' end,
      'roles', granted.names, ${sql.join(names)}) as values
    from core.user_account account
    ${sql.join(joins, sql` `)}
    left join (
      select granted.account, jsonb_agg(role.name order by lower(role.name)) as names
      from core.user_role granted join core.role role on role.uid = granted.role
      where not granted.from_group group by granted.account
    ) as granted on granted.account = account.uid`;
}

interface WrittenPerson {
  readonly uid: string;
  readonly username: string;
  readonly name: string;
  readonly user_type: AccountType;
  readonly inactive: boolean;
  readonly roles: readonly string[];
  readonly isNew: boolean;
  /** Whether an invitation is mailed: to new active people, and to reactivated people who never signed in. */
  readonly invited: boolean;
}

/** Writes the staged rows with a constant number of statements. */
async function applyPeople(
  { invitations, clock, masters }: PeopleContext,
  { tables, lockAndRecord }: Pick<RecordedTransaction<PeopleTables>, 'tables' | 'lockAndRecord'>,
  rows: RawBuilder<unknown>,
): Promise<void> {
  const people = await loadPeople(tables, masters.rows, rows);
  const uids = people.map(({ uid }) => uid);
  await lockAndRecord('user_account', 'uid', uids);
  await lockAndRecord('user_role', 'account', uids);
  const masterNames = Object.values(masterColumns);
  const columns = sql.raw(masterNames.join(', '));
  const toRecordset = (part: readonly WrittenPerson[]) => sql`
    jsonb_to_recordset(${JSON.stringify(part)}::jsonb) as imported (uid text, username text, name text, user_type text,
      inactive boolean, invited boolean, ${sql.raw(masterNames.map((name) => `${name} text`).join(', '))})`;
  await sql`
    insert into core.user_account (uid, username, name, user_type, status, created_at, invited_at, ${columns})
    select uid, username, name, user_type, case when inactive then 'INACTIVE' else 'INVITED' end,
      ${new Date(clock.now())}, case when inactive then null else ${new Date(clock.now())}::timestamptz end, ${columns}
    from ${toRecordset(people.filter(({ isNew }) => isNew))}`.execute(tables);
  await sql`
    update core.user_account as target set name = imported.name, user_type = imported.user_type,
      status = case when imported.inactive then 'INACTIVE' when target.status <> 'INACTIVE' then target.status
        when target.activated_at is null then 'INVITED' else 'ACTIVE' end,
      invited_at = case when imported.invited then ${new Date(clock.now())}::timestamptz else target.invited_at end,
      ${sql.join(masterNames.map((name) => sql`${sql.id(name)} = ${sql.id('imported', name)}`))}
    from ${toRecordset(people.filter(({ isNew }) => !isNew))} where target.uid = imported.uid`.execute(tables);
  const grants = JSON.stringify(people.flatMap(({ uid, roles }) => roles.map((role) => ({ account: uid, role }))));
  await sql`
    delete from core.user_role as target where account = any(${uids}::text[]) and not from_group and not exists (
      select from jsonb_to_recordset(${grants}::jsonb) as imported (account text, role text)
      where imported.account = target.account and imported.role = target.role)`.execute(tables);
  await sql`
    insert into core.user_role (account, role)
    select account, role from jsonb_to_recordset(${grants}::jsonb) as imported (account text, role text)
    ${markGrantedByHand}`.execute(tables);
  await invitations.enqueue(
    tables,
    people.flatMap(({ uid, invited }) => (invited ? [uid] : [])),
  );
}

async function loadPeople(
  tables: Transaction<PeopleTables>,
  masters: RawBuilder<unknown>,
  rows: RawBuilder<unknown>,
): Promise<readonly WrittenPerson[]> {
  const { rows: stagedRows } = await sql<{ values: ImportedValues; uid: string | null; inactiveInvitee: boolean }>`
    select coalesce(before, '{}') || values as values, account.uid,
      coalesce(account.status = 'INACTIVE' and account.activated_at is null, false) as "inactiveInvitee"
    from (${rows}) as staged left join core.user_account account on lower(account.username) = staged.key
    where state in ('ADDED', 'CHANGED')`.execute(tables);
  const { rows: choices } = await sql<{ type: string; name: string; uid: string }>`
    select type, lower(name) as name, uid from (${masters}) as master
    union all select 'ROLE', lower(name), uid from core.role`.execute(tables);
  const uids = new Map(choices.map(({ type, name, uid }) => [`${type} ${name}`, uid]));
  const findUid = (type: string, name: string): string | undefined => uids.get(`${type} ${name.toLowerCase()}`);
  return stagedRows.map(({ values, uid, inactiveInvitee }) => ({
    uid: uid ?? randomUUID(),
    isNew: uid === null,
    invited: values.status !== 'Inactive' && (uid === null || inactiveInvitee),
    username: normaliseUsername(values.email),
    name: values.name,
    user_type: values.accountType,
    inactive: values.status === 'Inactive',
    roles: [...new Set((values.roles ?? []).flatMap((role) => findUid('ROLE', role) ?? []))],
    ...Object.fromEntries(
      personMasters.map((property) => [
        masterColumns[property],
        findUid(personMasterTypes[property], values[property] ?? '') ?? null,
      ]),
    ),
  }));
}
