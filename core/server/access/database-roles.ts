import { randomUUID } from 'node:crypto';
import type { Kysely, Selectable } from 'kysely';
import { accessFlags } from '#core';
import { isUniqueViolation } from '../kernel/database-error.ts';
import type { Database } from '../database/database.ts';
import type { Clock } from '../kernel/clock.ts';
import { conflict, invalidRequest, notFound } from '../kernel/server-error.ts';
import type { AccessChanges } from './access-changes.ts';
import type { AccessTables, RoleTable } from './access-tables.ts';
import type { NewRole, Role, Roles } from './roles.ts';

export class DatabaseRoles implements Roles {
  readonly #tables: Kysely<AccessTables>;
  readonly #changes: AccessChanges;
  readonly #clock: Clock;

  constructor(database: Database, changes: AccessChanges, clock: Clock) {
    this.#tables = database.of<AccessTables>('core');
    this.#changes = changes;
    this.#clock = clock;
  }

  async list(): Promise<readonly Role[]> {
    const rows = await this.#tables.selectFrom('role').selectAll().orderBy('name').execute();
    return this.#addLocations(this.#tables, rows);
  }

  async find(uid: string): Promise<Role | undefined> {
    return this.#find(this.#tables, uid);
  }

  async listOf(account: string): Promise<readonly Role[]> {
    const rows = await this.#tables
      .selectFrom('role')
      .innerJoin('user_role', 'user_role.role', 'role.uid')
      .selectAll('role')
      .where('user_role.account', '=', account)
      .orderBy('role.name')
      .execute();
    return this.#addLocations(this.#tables, rows);
  }

  async create(role: NewRole): Promise<Role> {
    const uid = role.uid ?? randomUUID();
    return this.#save(role.name, async (tables) => {
      await tables
        .insertInto('role')
        .values({
          uid,
          name: role.name,
          status: 'ACTIVE',
          flags: [...role.flags],
          all_locations: role.allLocations,
          created_at: new Date(this.#clock.now()),
        })
        .execute();
      await this.#setLocations(tables, uid, role.locations ?? []);
      return uid;
    });
  }

  async update(uid: string, change: Parameters<Roles['update']>[1]): Promise<Role> {
    return this.#save(change.name, async (tables) => {
      await this.#assertRole(tables, uid);
      const values = {
        ...(change.name === undefined ? {} : { name: change.name }),
        ...(change.flags === undefined ? {} : { flags: [...change.flags] }),
        ...(change.allLocations === undefined ? {} : { all_locations: change.allLocations }),
      };
      if (Object.keys(values).length > 0) await tables.updateTable('role').set(values).where('uid', '=', uid).execute();
      if (change.locations !== undefined) await this.#setLocations(tables, uid, change.locations);
      return uid;
    });
  }

  async setStatus(uid: string, status: Role['status']): Promise<Role> {
    return this.#save(undefined, async (tables) => {
      await this.#assertRole(tables, uid);
      await tables.updateTable('role').set({ status }).where('uid', '=', uid).execute();
      return uid;
    });
  }

  async #save(name: string | undefined, change: (tables: Kysely<AccessTables>) => Promise<string>): Promise<Role> {
    const role = await this.#tables
      .transaction()
      .execute(async (transaction) => this.#find(transaction, await change(transaction)))
      .catch((error: unknown) => {
        if (!isUniqueViolation(error) || name === undefined) throw error;
        throw conflict(`A role named '${name}' exists already.`, [
          { pointer: '/name', message: 'core.validation.duplicate', values: { value: name } },
        ]);
      });
    await this.#changes.announce({ kind: 'roles' });
    if (role === undefined) throw notFound('This role');
    return role;
  }

  async #assertRole(tables: Kysely<AccessTables>, uid: string): Promise<void> {
    const row = await tables.selectFrom('role').select('uid').where('uid', '=', uid).forUpdate().executeTakeFirst();
    if (row === undefined) throw notFound('This role');
  }

  async #setLocations(tables: Kysely<AccessTables>, role: string, locations: readonly string[]): Promise<void> {
    const requestedUids = [...new Set(locations)];
    await tables.deleteFrom('role_location').where('role', '=', role).execute();
    if (requestedUids.length === 0) return;
    const existingUids = new Set(
      (await tables.selectFrom('location').select('uid').where('uid', 'in', requestedUids).execute()).map(
        ({ uid }) => uid,
      ),
    );
    const missingUid = requestedUids.find((location) => !existingUids.has(location));
    if (missingUid !== undefined) throw invalidRequest(`The location '${missingUid}' does not exist.`);
    await tables
      .insertInto('role_location')
      .values(requestedUids.map((location) => ({ role, location })))
      .execute();
  }

  async #find(tables: Kysely<AccessTables>, uid: string): Promise<Role | undefined> {
    const rows = await tables.selectFrom('role').selectAll().where('uid', '=', uid).execute();
    return (await this.#addLocations(tables, rows))[0];
  }

  async #addLocations(tables: Kysely<AccessTables>, rows: readonly Selectable<RoleTable>[]): Promise<readonly Role[]> {
    if (rows.length === 0) return [];
    const uids = rows.map(({ uid }) => uid);
    const grants = await tables
      .selectFrom('role_location')
      .selectAll()
      .where('role', 'in', uids)
      .orderBy('location')
      .execute();
    const locations = new Map<string, string[]>(uids.map((uid) => [uid, []]));
    for (const { role, location } of grants) locations.get(role)?.push(location);
    return rows.map((row) => ({
      uid: row.uid,
      name: row.name,
      status: row.status,
      flags: accessFlags.filter((flag) => row.flags.includes(flag)),
      allLocations: row.all_locations,
      locations: locations.get(row.uid) ?? [],
      createdAt: row.created_at,
      version: row.version,
    }));
  }
}
