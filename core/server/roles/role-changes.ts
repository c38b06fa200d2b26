import { sql, type Transaction } from 'kysely';
import { accessFlags, validationMessages, type FieldError, type RoleStatus } from '#core';
import { coreRefusal, type Changed, type NewRoleInput, type RoleChange } from '#core/api';
import type { AccessChanges } from '../access/access-changes.ts';
import { incrementRoleVersions } from '../access/increment-role-versions.ts';
import { assertAdminRemains } from '../access/last-admin.ts';
import { assertCovers, loadGrants, type Grants } from '../access/own-access.ts';
import type { Role, Roles } from '../access/roles.ts';
import type { CallAuthor, ContentChanges } from '../changes/content-changes.ts';
import type { Clock } from '../kernel/clock.ts';
import { versionConflict, conflict, invalidRequest, notFound } from '../kernel/server-error.ts';
import { assertBuiltInRole } from './assert-built-in-role.ts';
import type { RoleTables } from './role-tables.ts';
import { toRoleReply } from './to-role-reply.ts';

interface RoleChangesOptions {
  readonly changes: ContentChanges<RoleTables>;
  readonly accessChanges: AccessChanges;
  readonly roles: Roles;
  readonly clock: Clock;
}

type RoleTransaction = Transaction<RoleTables>;

/**
 * Creates, changes, activates and deactivates roles. Each change can be undone and is audited. Refuses changes that
 * exceed the own access of the author, that weaken the built-in role, or that leave no admin.
 */
export class RoleChanges {
  readonly #options: RoleChangesOptions;

  constructor(options: RoleChangesOptions) {
    this.#options = options;
    const { changes, accessChanges } = options;
    changes.register({
      tables: {
        role: { key: ['uid'], name: 'name', version: 'version' },
        role_location: { key: ['role', 'location'], belongsTo: { column: 'role', tables: ['role'] } },
      },
      settle: async (transaction, { role = [], role_location = [] }, formerRows) => {
        assertBuiltInRole(role);
        // A role's version also counts changes of its locations alone.
        const changedUids = new Set(role.map(({ uid }) => uid));
        const rolesWithChangedLocations = [...new Set(role_location.map((row) => String(row.role)))].filter(
          (uid) => !changedUids.has(uid),
        );
        await incrementRoleVersions(transaction, rolesWithChangedLocations);
        if (formerRows.role) await assertAdminRemains<RoleTables>(transaction);
      },
      guard: async ({ transaction, changed, former, ...ownAccess }) => {
        const uids = [...(changed.role ?? []), ...(changed.role_location ?? [])].map((row) =>
          String('uid' in row ? row.uid : row.role),
        );
        for (const grants of (await loadGrants(transaction, uids)).values()) assertCovers(ownAccess, grants);
        for (const { flags, all_locations } of [...(former.role ?? []), ...(changed.role ?? [])])
          assertCovers(ownAccess, {
            flags: flags as Grants['flags'],
            allLocations: all_locations === true,
            locations: [],
          });
        const locations = (changed.role_location ?? []).map(({ location }) => String(location));
        assertCovers(ownAccess, { flags: [], allLocations: false, locations });
      },
      announce: () => accessChanges.announce({ kind: 'roles' }),
    });
  }

  /**
   * A request that is repeated after a lost reply resolves to the first change.
   *
   * @throws `invalidRequest` (400) without a feature; `noAccess` (403); `conflict` (409) if ID or name is taken
   */
  async create({ caller, requestId }: CallAuthor, input: NewRoleInput): Promise<Changed> {
    const { changes, clock } = this.#options;
    const role = { ...normalise(input), uid: input.uid.trim() };
    assertFeature(role);
    const row = { uid: role.uid, name: role.name, flags: [...role.flags], all_locations: role.allLocations };
    const earlierCreation = await changes.findCreation('role', [row]);
    if (earlierCreation?.author === caller.uid) return { change: earlierCreation.change };
    return changes.apply(
      { caller, requestId },
      { action: 'role.created', subject: role.uid, name: role.name, location: '' },
      async ({ tables, lockAndRecord }) => {
        await lockAndRecord('role', 'uid', [role.uid]);
        await lockAndRecord('role_location', 'role', [role.uid]);
        await assertNameAndUidFree(tables, role.name, undefined, role.uid);
        await tables
          .insertInto('role')
          .values({ ...row, status: 'ACTIVE', created_at: new Date(clock.now()) })
          .execute();
        await replaceLocations(tables, role.uid, role.locations);
      },
    );
  }

  /**
   * @throws `notFound` (404); `versionConflict` (409) with the current role; the errors of `create`; `conflict` (409) if
   *   no active admin would remain
   */
  async change({ caller, requestId }: CallAuthor, uid: string, input: RoleChange): Promise<Changed> {
    const change = normalise(input);
    assertFeature(change);
    const currentRole = await this.#find(uid);
    return this.#options.changes.apply(
      { caller, requestId },
      { action: 'role.changed', subject: uid, name: change.name, location: '' },
      async ({ tables, lockAndRecord }) => {
        await lockAndRecord('role', 'uid', [uid]);
        await lockAndRecord('role_location', 'role', [uid]);
        await assertVersion(tables, currentRole, input.version);
        await assertNameAndUidFree(tables, change.name, uid);
        await tables
          .updateTable('role')
          .set({ name: change.name, flags: [...change.flags], all_locations: change.allLocations })
          .where('uid', '=', uid)
          .execute();
        await replaceLocations(tables, uid, change.locations);
      },
    );
  }

  /** @throws `notFound` (404); `noAccess` (403); `versionConflict` and `conflict` (409), as `change` */
  async setStatus(
    { caller, requestId }: CallAuthor,
    uid: string,
    status: RoleStatus,
    version: number,
  ): Promise<Changed> {
    const currentRole = await this.#find(uid);
    return this.#options.changes.apply(
      { caller, requestId },
      {
        action: status === 'ACTIVE' ? 'role.activated' : 'role.deactivated',
        subject: uid,
        name: currentRole.name,
        location: '',
      },
      async ({ tables, lockAndRecord }) => {
        await lockAndRecord('role', 'uid', [uid]);
        await assertVersion(tables, currentRole, version);
        await tables.updateTable('role').set({ status }).where('uid', '=', uid).execute();
      },
    );
  }

  async #find(uid: string): Promise<Role> {
    const role = await this.#options.roles.find(uid);
    if (!role) throw notFound('This role');
    return role;
  }
}

/** @throws `invalidRequest` (400) for a role without a feature */
function assertFeature({ flags }: Pick<Grants, 'flags'>): void {
  if (flags.length > 0) return;
  throw invalidRequest(coreRefusal('core.refused.roleFeature'), [
    { pointer: '/flags', message: validationMessages.mandatory },
  ]);
}

/** Flags in the order of `accessFlags`, locations sorted, each once. */
const normalise = <Input extends Grants & { readonly name: string }>({
  name,
  flags,
  allLocations,
  locations,
}: Input) => ({
  name: name.trim(),
  flags: accessFlags.filter((flag) => flags.includes(flag)),
  allLocations,
  locations: [...new Set(locations)].toSorted(),
});

/** Compares the version inside the transaction, because `currentRole` was read before it. */
async function assertVersion(tables: RoleTransaction, currentRole: Role, version: number): Promise<void> {
  const row = await tables.selectFrom('role').selectAll().where('uid', '=', currentRole.uid).executeTakeFirst();
  if (!row) throw notFound('This role');
  if (row.version === version) return;
  const locations = await tables
    .selectFrom('role_location')
    .select('location')
    .where('role', '=', row.uid)
    .orderBy('location')
    .execute();
  throw versionConflict(
    coreRefusal('core.refused.roleChanged', { name: row.name }),
    toRoleReply({
      ...currentRole,
      name: row.name,
      status: row.status,
      flags: accessFlags.filter((flag) => row.flags.includes(flag)),
      allLocations: row.all_locations,
      locations: locations.map(({ location }) => location),
      version: row.version,
    }),
  );
}

/** @throws `conflict` (409) with the taken field */
async function assertNameAndUidFree(
  tables: RoleTransaction,
  name: string,
  exceptUid: string | undefined,
  uid?: string,
): Promise<void> {
  const { rows } = await sql<{ uid: string; name: string }>`
    select uid, name from core.role
    where (lower(name) = lower(${name}) or lower(uid) = lower(${uid ?? null}::text))
      and uid is distinct from ${exceptUid ?? null}::text`.execute(tables);
  const fields = rows.flatMap((row): readonly FieldError[] => [
    ...(uid !== undefined && row.uid.toLowerCase() === uid.toLowerCase() ? [toDuplicate('/uid', uid)] : []),
    ...(row.name.toLowerCase() === name.toLowerCase() ? [toDuplicate('/name', name)] : []),
  ]);
  if (rows.length > 0) throw conflict('The ID or the name of the role is taken.', fields);
}

const toDuplicate = (pointer: string, value: string): FieldError => ({
  pointer,
  message: validationMessages.duplicate,
  values: { value },
});

/** @throws `invalidRequest` (400) if one of the locations does not exist */
async function replaceLocations(tables: RoleTransaction, role: string, locations: readonly string[]): Promise<void> {
  await tables
    .deleteFrom('role_location')
    .where('role', '=', role)
    .where(sql<boolean>`location <> all(${locations}::text[])`)
    .execute();
  await sql`
    insert into core.role_location (role, location)
    select ${role}, uid from core.location where uid = any(${locations}::text[])
    on conflict do nothing`.execute(tables);
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from core.role_location where role = ${role}`.execute(tables);
  if (rows[0]?.count !== locations.length) throw invalidRequest(coreRefusal('core.refused.roleLocationGone'));
}
