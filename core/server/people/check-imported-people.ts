import { sql, type RawBuilder } from 'kysely';

/** Builds a query of the role names in the JSON values of a row, in lower case. */
const listRoles = (values: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select lower(item) from jsonb_array_elements_text(
    case jsonb_typeof(${values} -> 'roles') when 'array' then ${values} -> 'roles' else '[]' end) as item`;

const selectFinding = (column: RawBuilder<unknown>, message: string): RawBuilder<unknown> => sql`
  id, ${column}::text as column_id, ${message}::text as message, '{}'::jsonb as values, 'ERROR'::text as severity`;

/**
 * Builds a query of the cells of staged rows that break a rule of `guardPeople`. `rows` is a query as
 * `CheckContext.rows` of imports describes it, `author` the uid of the person who imports.
 */
export function checkImportedPeople(rows: RawBuilder<unknown>, author: string): RawBuilder<unknown> {
  return sql`
    with recursive staged as (select * from (${rows}) as import_row where number is not null),
    from_group as (
      select lower(account.username) as key, array_agg(lower(role.name)) as names
      from core.user_role granted join core.role role on role.uid = granted.role
      join core.user_account account on account.uid = granted.account
      where granted.from_group group by account.username
    ),
    row as (
      select id, key, state, coalesce(before, '{}') || values as values, coalesce(before, '{}') as before,
        values -> 'isAdmin' as is_admin, coalesce(from_group.names, '{}') as group_roles
      from staged left join from_group using (key)
    ),
    author as (select uid, username, user_type = 'TENANT_ADMIN' as is_admin from core.user_account where uid = ${author}),
    reach as (
      select location as uid from core.role_location where role in (select uid from own)
      union
      select location.uid from core.location join reach on location.parent = reach.uid
    ),
    own as (
      select role.* from core.user_role granted join core.role role on role.uid = granted.role
      where granted.account = ${author} and role.status = 'ACTIVE'
    ),
    known_role as (
      select role.uid, lower(role.name) as name, role.status, role.flags,
        role.flags <@ (select coalesce(array_agg(distinct flag), '{}') from own, unnest(own.flags) as flag)
        and (
          exists (select from own where all_locations)
          or not role.all_locations and not exists (
            select from core.role_location granted where granted.role = role.uid and granted.location not in (select uid from reach))
        ) as grantable
      from core.role role
    ),
    managed as (select row.* from row, author where not author.is_admin and state in ('ADDED', 'CHANGED')),
    admin as (${listAdmins()}),
    lost as (
      select id, values from admin
      where was_capable and not is_capable and id is not null and not exists (select from admin where is_capable)
    )
    select ${selectFinding(sql`'isAdmin'`, 'core.refused.adminFlag')} from row
    where jsonb_typeof(is_admin) = 'boolean' and is_admin <> to_jsonb(values ->> 'accountType' = 'TENANT_ADMIN')
    union all
    select ${selectFinding(sql`'status'`, 'core.refused.ownAccount')} from row
    where values ->> 'status' = 'Inactive' and key = (select lower(username) from author)
    union all
    select ${selectFinding(sql`'accountType'`, 'core.refused.grantAdmin')} from managed
    where 'TENANT_ADMIN' in (values ->> 'accountType', before ->> 'accountType')
    union all
    select ${selectFinding(sql`'roles'`, 'core.refused.grantMore')} from row, author
    where state in ('ADDED', 'CHANGED') and exists (
      select from known_role
      cross join lateral (
        select name in (${listRoles(sql`row.values`)}) as after, name in (${listRoles(sql`row.before`)}) as before
      ) as held
      where not grantable and case when author.is_admin then held.before <> held.after else held.before or held.after or name = any(row.group_roles) end)
    union all
    select ${selectFinding(
      sql`case when values ->> 'status' = 'Inactive' then 'status'
        when values ->> 'accountType' = 'TENANT_USER' then 'accountType' else 'roles' end`,
      'core.refused.lastAdmin',
    )} from lost
    where values ->> 'status' <> 'Inactive' or id not in (
      select id from row where key = (select lower(username) from author))`;
}

/**
 * Builds a query of the accounts that are admins before or after the import, and whether they can manage people and the
 * configuration before and after it. An admin stays one if the row has no valid account type.
 */
const listAdmins = (): RawBuilder<unknown> => sql`
  select row.id, row.values,
    account.user_type = 'TENANT_ADMIN' and account.status = 'ACTIVE' and held.rights as was_capable,
    case when row.id is null then account.user_type = 'TENANT_ADMIN' and account.status = 'ACTIVE' and held.rights
      else row.values ->> 'accountType' is distinct from 'TENANT_USER' and row.values ->> 'status' <> 'Inactive'
        and (account.status = 'ACTIVE' or account.status = 'INACTIVE' and account.activated_at is not null)
        and imported.rights
    end as is_capable
  from core.user_account account
  left join row on row.key = lower(account.username)
  cross join lateral (
    select coalesce(bool_or('userManagement' = any(flags)) and bool_or('configure' = any(flags)), false) as rights
    from known_role where status = 'ACTIVE' and uid in (
      select role from core.user_role granted where granted.account = account.uid)
  ) as held
  cross join lateral (
    select coalesce(bool_or('userManagement' = any(flags)) and bool_or('configure' = any(flags)), false) as rights
    from known_role where status = 'ACTIVE' and (name in (${listRoles(sql`row.values`)}) or name = any(row.group_roles))
  ) as imported
  where account.user_type = 'TENANT_ADMIN' or row.values ->> 'accountType' = 'TENANT_ADMIN'`;
