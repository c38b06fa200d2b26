import { sql, type QueryExecutorProvider, type RawBuilder, type SqlBool } from 'kysely';
import { personMasters, token, type AccountType, type PersonColumn, type PersonMaster, type PersonStatus } from '#core';
import type { NamedMaster, Page, Person, PersonFilter } from '#core/api';

/** The list of people, for other parts of the product. */
export interface PeopleLists {
  list(filter: PersonFilter): Promise<Page<Person>>;
}
export const PeopleLists = token<PeopleLists>('core.PeopleLists');

interface PersonRow extends Readonly<Record<PersonMaster, NamedMaster | null>> {
  readonly uid: string;
  readonly username: string;
  readonly name: string;
  readonly status: PersonStatus;
  readonly account_type: AccountType;
  readonly created_at: Date;
  readonly invited_at: Date | null;
  readonly second_factor: boolean;
  readonly version: number;
  readonly roles: Person['roles'];
}

const defaultPageSize = 50;

/** Columns of `user_account` with the uids of masters. */
export const masterColumns = {
  userType: 'user_type_master',
  section: 'section',
  department: 'department',
  division: 'division',
  businessUnit: 'business_unit',
} as const satisfies Readonly<Record<PersonMaster, string>>;

/** The sort keys that are columns of `user_account`. */
const plainColumns = {
  name: sql`lower(person.name)`,
  username: sql`person.username`,
  status: sql`person.status`,
  accountType: sql`person.user_type`,
  createdAt: sql`person.created_at`,
} as const;

/** Lists people with a constant number of statements. `masters` is `PersonMasters.rows`. */
export async function listPeople(
  database: QueryExecutorProvider,
  masters: RawBuilder<unknown>,
  { offset = 0, limit = defaultPageSize, sort = 'name', direction = 'ascending', ...filter }: PersonFilter,
): Promise<Page<Person>> {
  const whereClause = sql`where ${sql.join(toConditions(filter), sql` and `)}`;
  const countResult = await sql<{ total: number }>`
    select count(*)::integer as total from core.user_account person ${whereClause}`.execute(database);
  const { key, join } = toSortKey(sort, masters);
  const order = sql.raw(direction === 'ascending' ? 'asc' : 'desc');
  const page = sql`
    select person.*, row_number() over () as position from (
      select person.* from core.user_account person ${join} ${whereClause}
      order by ${key} ${order} nulls last, person.uid limit ${limit} offset ${offset}
    ) as person`;
  return { total: countResult.rows[0]?.total ?? 0, offset, rows: await selectPeople(database, masters, page) };
}

export async function findPerson(
  database: QueryExecutorProvider,
  masters: RawBuilder<unknown>,
  uid: string,
): Promise<Person | undefined> {
  const [person] = await selectPeople(
    database,
    masters,
    sql`select person.*, 1 as position from core.user_account person where uid = ${uid}`,
  );
  return person;
}

/** Reads people. `accounts` is a query that selects rows of `user_account` with their `position` in the list. */
async function selectPeople(
  database: QueryExecutorProvider,
  masters: RawBuilder<unknown>,
  accounts: RawBuilder<unknown>,
): Promise<Person[]> {
  const masterObjects = personMasters.map(
    (property) => sql`(
      select jsonb_build_object('uid', master.uid, 'name', master.name, 'frenchName', master.french_name)
      from master where master.uid = person.${sql.id(masterColumns[property])}) as ${sql.id(property)}`,
  );
  const { rows } = await sql<PersonRow>`
    with master as materialized (${masters}), person as materialized (${accounts})
    select person.uid, person.username, person.name, person.status, person.user_type as account_type,
      person.created_at, person.invited_at, person.version,
      exists (select from core.second_factor factor where factor.account = person.uid) as second_factor,
      ${sql.join(masterObjects)},
      coalesce((
        select jsonb_agg(jsonb_build_object('uid', role.uid, 'name', role.name, 'status', role.status,
          'fromGroup', granted.from_group)
          order by lower(role.name))
        from core.user_role granted join core.role role on role.uid = granted.role
        where granted.account = person.uid
      ), '[]') as roles
    from person order by person.position`.execute(database);
  return rows.map(({ account_type, created_at, invited_at, second_factor, ...person }) => ({
    ...person,
    accountType: account_type,
    createdAt: created_at.toISOString(),
    invitedAt: invited_at?.toISOString() ?? null,
    secondFactor: second_factor,
  }));
}

function toConditions({ text = '', status, role }: Pick<PersonFilter, 'text' | 'status' | 'role'>) {
  const conditions: RawBuilder<SqlBool>[] = [sql<SqlBool>`true`];
  const searchText = text.trim().toLowerCase();
  if (searchText !== '') conditions.push(sql`strpos(lower(person.name) || ' ' || person.username, ${searchText}) > 0`);
  if (status !== undefined) conditions.push(sql`person.status = ${status}`);
  if (role !== undefined)
    conditions.push(sql`exists (
      select from core.user_role granted where granted.account = person.uid and granted.role = ${role})`);
  return conditions;
}

/** Returns the sort key, and the join that it needs. People without a key come last. */
function toSortKey(sort: PersonColumn, masters: RawBuilder<unknown>) {
  if (sort === 'roles')
    return {
      key: sql`sorted.names`,
      join: sql`left join (
        select granted.account, string_agg(lower(role.name), ', ' order by lower(role.name)) as names
        from core.user_role granted join core.role role on role.uid = granted.role group by granted.account
      ) as sorted on sorted.account = person.uid`,
    };
  if (isPlain(sort)) return { key: plainColumns[sort], join: sql`` };
  return {
    key: sql`lower(sorted.name)`,
    join: sql`left join (${masters}) as sorted on sorted.uid = person.${sql.id(masterColumns[sort])}`,
  };
}

const isPlain = (sort: PersonColumn): sort is keyof typeof plainColumns => sort in plainColumns;
