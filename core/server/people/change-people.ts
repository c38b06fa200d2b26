import { sql, type QueryExecutorProvider, type RawBuilder, type Transaction } from 'kysely';
import { personMasters, personMasterTypes, validationMessages } from '#core';
import { coreRefusal, type ChangedPerson, type NewPerson } from '#core/api';
import type { AccountStatus } from '../access/access-tables.ts';
import { normaliseUsername } from '../access/account.ts';
import type { Invitations } from '../auth/account-mails.ts';
import type { ChangeAuthor } from '../changes/content-changes.ts';
import type { Database } from '../database/database.ts';
import { assertUsernameIsMailAddress } from '../auth/assert-username-is-mail-address.ts';
import type { Clock } from '../kernel/clock.ts';
import { isUniqueViolation } from '../kernel/database-error.ts';
import { versionConflict, conflict, invalidRequest, notFound } from '../kernel/server-error.ts';
import { findPerson, masterColumns } from './list-people.ts';
import type { PeopleChanges } from './people-changes.ts';
import type { PeopleTables } from './people-tables.ts';
import type { PersonMasters } from './person-masters.ts';

export interface PeopleContext {
  readonly database: Database;
  readonly changes: PeopleChanges;
  readonly masters: PersonMasters;
  readonly invitations: Invitations;
  readonly clock: Clock;
}

type Changed = { readonly change: string | null };
type PeopleTransaction = Transaction<PeopleTables>;

/**
 * SQL conflict clause: a role that an admin grants no longer counts as coming from a group, so that sign-ins keep it.
 */
export const markGrantedByHand = sql`
  on conflict (account, role) do update set from_group = false where core.user_role.from_group`;

const createTakenError = (username: string): Error =>
  conflict(coreRefusal('core.refused.usernameTaken', { username }), [
    { pointer: '/username', message: validationMessages.duplicate, values: { value: username } },
  ]);

/**
 * Invites a person. The mail is sent after the commit. If a request is repeated after a lost reply, returns the change
 * of the first request.
 */
export async function createPerson(context: PeopleContext, author: ChangeAuthor, input: NewPerson): Promise<Changed> {
  const { database, changes, clock, masters, invitations } = context;
  const username = normaliseUsername(input.username);
  assertUsernameIsMailAddress(username);
  const { uid, name, accountType, roles } = input;
  if (await findPerson(database.of('core'), masters.rows, uid)) {
    const earlierCreation = await changes.findCreation('user_account', [{ uid, username, name: name.trim() }]);
    if (earlierCreation?.author === author.caller.uid) return { change: earlierCreation.change };
    throw createTakenError(username);
  }
  const description = { action: 'account.invited', subject: uid, name: name.trim(), location: '' };
  return changes
    .apply(author, description, async ({ tables, lockAndRecord }) => {
      await lockAndRecord('user_account', 'uid', [uid]);
      await lockAndRecord('user_role', 'account', [uid]);
      await assertChoices(tables, masters.rows, input);
      const now = new Date(clock.now());
      await tables
        .insertInto('user_account')
        .values({
          uid,
          username,
          name: name.trim(),
          user_type: accountType,
          status: 'INVITED',
          password_hash: null,
          ...toMasterValues(input),
          created_at: now,
          invited_at: now,
          activated_at: null,
        })
        .execute();
      await addRoles(tables, uid, roles);
      await invitations.enqueue(tables, [uid]);
    })
    .catch((error: unknown) => {
      throw isUniqueViolation(error) ? createTakenError(username) : error;
    });
}

/**
 * @throws `notFound` (404); `versionConflict` (409) with the current person; `invalidRequest` (400) on an unknown or
 *   inactive role or master that the person did not have
 */
export async function changePerson(
  context: PeopleContext,
  author: ChangeAuthor,
  uid: string,
  { version, removedGroupRoles = [], ...input }: ChangedPerson,
): Promise<Changed> {
  const { database, changes, masters } = context;
  const formerPerson = await findPerson(database.of('core'), masters.rows, uid);
  if (!formerPerson) throw notFound('This person');
  const description = { action: 'people.changed', subject: uid, name: formerPerson.name, location: '' };
  return changes.apply(author, description, async ({ tables, lockAndRecord }) => {
    await lockAndRecord('user_account', 'uid', [uid]);
    await lockAndRecord('user_role', 'account', [uid]);
    const currentPerson = await findPerson(tables, masters.rows, uid);
    if (!currentPerson) throw notFound('This person');
    if (currentPerson.version !== version)
      throw versionConflict(coreRefusal('core.refused.personChanged', { name: currentPerson.name }), currentPerson);
    const heldUids = new Set([
      ...currentPerson.roles.map((role) => role.uid),
      ...personMasters.flatMap((property) => currentPerson[property]?.uid ?? []),
    ]);
    await assertChoices(tables, masters.rows, input, heldUids);
    await tables
      .updateTable('user_account')
      .set({ name: input.name.trim(), user_type: input.accountType, ...toMasterValues(input) })
      .where('uid', '=', uid)
      .execute();
    await setStatus(context, tables, [uid], input.status);
    await tables
      .deleteFrom('user_role')
      .where('account', '=', uid)
      .where('role', '<>', sql<string>`all(${input.roles}::text[])`)
      .where(sql<boolean>`(not from_group or role = any(${removedGroupRoles}::text[]))`)
      .execute();
    await addRoles(tables, uid, input.roles);
  });
}

/** Reactivates or deactivates people, all of them or none. */
export async function setPeopleStatus(
  context: PeopleContext,
  author: ChangeAuthor,
  people: readonly string[],
  status: ChangedPerson['status'],
): Promise<Changed> {
  const action = status === 'ACTIVE' ? 'account.reactivated' : 'account.deactivated';
  return context.changes.apply(
    author,
    await describeChange(context, action, people),
    async ({ tables, lockAndRecord }) => {
      await lockAndRecord('user_account', 'uid', people);
      await setStatus(context, tables, people, status);
    },
  );
}

/** Grants a role to people, all of them or none. */
export async function assignRole(
  context: PeopleContext,
  author: ChangeAuthor,
  people: readonly string[],
  role: string,
): Promise<Changed> {
  return context.changes.apply(
    author,
    await describeChange(context, 'people.roleAssigned', people),
    async (recordedTransaction) => {
      await recordedTransaction.lockAndRecord('user_role', 'account', people);
      await assertChoices(recordedTransaction.tables, context.masters.rows, { roles: [role] });
      await sql`
      insert into core.user_role (account, role)
      select uid, ${role} from core.user_account where uid = any(${[...people]}::text[])
      ${markGrantedByHand}`.execute(recordedTransaction.tables);
    },
  );
}

/** A change of several people is named after the first of them by name, and the number of the others. */
async function describeChange({ database }: PeopleContext, action: string, people: readonly string[]) {
  const { rows } = await sql<{ name: string }>`
    select name from core.user_account where uid = any(${[...people]}::text[]) order by lower(name) limit 1`.execute(
    database.of('core'),
  );
  const [firstUid = ''] = people;
  const name = `${rows[0]?.name ?? firstUid}${people.length > 1 ? ` + ${people.length - 1}` : ''}`;
  return { action, subject: firstUid, name, location: '' };
}

/** ACTIVE makes inactive people active again, or invites those again by mail who never activated their account. */
async function setStatus(
  { clock, invitations }: Pick<PeopleContext, 'clock' | 'invitations'>,
  tables: QueryExecutorProvider,
  people: readonly string[],
  status: 'ACTIVE' | 'INACTIVE',
): Promise<void> {
  if (status === 'INACTIVE') {
    await sql`
      update core.user_account set status = 'INACTIVE'
      where uid = any(${[...people]}::text[]) and status <> 'INACTIVE'`.execute(tables);
    return;
  }
  const { rows } = await sql<{ uid: string; status: AccountStatus }>`
    update core.user_account set status = case when activated_at is null then 'INVITED' else 'ACTIVE' end,
      invited_at = case when activated_at is null then ${new Date(clock.now())}::timestamptz else invited_at end
    where uid = any(${[...people]}::text[]) and status = 'INACTIVE' returning uid, status`.execute(tables);
  await invitations.enqueue(
    tables,
    rows.flatMap((row) => (row.status === 'INVITED' ? [row.uid] : [])),
  );
}

async function addRoles(tables: PeopleTransaction, account: string, roles: readonly string[]): Promise<void> {
  await sql`
    insert into core.user_role (account, role) select ${account}, role from unnest(${[...roles]}::text[]) as role
    ${markGrantedByHand}`.execute(tables);
}

const toMasterValues = (input: Pick<NewPerson, keyof typeof masterColumns>) =>
  Object.fromEntries(personMasters.map((property) => [masterColumns[property], input[property]])) as Record<
    (typeof masterColumns)[keyof typeof masterColumns],
    string | null
  >;

/** Roles and masters must be active, unless the person had them before. */
async function assertChoices(
  tables: QueryExecutorProvider,
  masters: RawBuilder<unknown>,
  input: Partial<Pick<NewPerson, 'roles' | keyof typeof masterColumns>>,
  heldUids: ReadonlySet<string> = new Set(),
): Promise<void> {
  const choices = [
    ...(input.roles ?? []).map((uid) => ({ uid, type: 'ROLE', pointer: '/roles' })),
    ...personMasters.map((property) => ({
      uid: input[property] ?? null,
      type: personMasterTypes[property],
      pointer: `/${property}`,
    })),
  ].filter(({ uid }) => uid !== null && !heldUids.has(uid));
  if (choices.length === 0) return;
  const { rows } = await sql<{ pointer: string }>`
    with known as (
      select uid, type, active from (${masters}) as master
      union all select uid, 'ROLE', status = 'ACTIVE' from core.role
    )
    select chosen.pointer from jsonb_to_recordset(${JSON.stringify(choices)}::jsonb)
      as chosen (uid text, type text, pointer text)
    where not exists (select from known where known.uid = chosen.uid and known.type = chosen.type and known.active)`.execute(
    tables,
  );
  const [invalidChoice] = rows;
  if (invalidChoice)
    throw invalidRequest(coreRefusal('core.refused.personChoice'), [
      { pointer: invalidChoice.pointer, message: validationMessages.choice },
    ]);
}
