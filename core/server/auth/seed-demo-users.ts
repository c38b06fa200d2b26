import type { DemoPlant } from '#core';
import { AccessChanges } from '../access/access-changes.ts';
import type { AuthTables } from './auth-tables.ts';
import { insertAccount } from './insert-account.ts';
import { systemClock } from '../kernel/clock.ts';
import type { CoreContext } from '../kernel/core-part.ts';
import { demoAccounts, demoRoles, type DemoRole } from './demo-accounts.ts';

/**
 * Adds the roles and people of the demo plant. Must be called after its locations were added (`seedDemoLocations`).
 * Existing roles and accounts stay unchanged.
 */
export async function seedDemoUsers(
  context: Pick<CoreContext, 'database' | 'service'>,
  plant: Pick<DemoPlant, 'locations'>,
): Promise<void> {
  const now = new Date(systemClock.now());
  const tables = context.database.of<AuthTables>('core');
  await tables.transaction().execute(async (transaction) => {
    for (const role of demoRoles) {
      const insertedRole = await transaction
        .insertInto('role')
        .values({
          uid: role.uid,
          name: role.name,
          status: role.status,
          flags: [...role.flags],
          all_locations: role.locations === 'everywhere',
          created_at: now,
        })
        .onConflict((conflict) => conflict.column('uid').doNothing())
        .returning('uid')
        .executeTakeFirst();
      const locations = listRoleLocations(role, plant);
      if (insertedRole === undefined || locations.length === 0) continue;
      await transaction
        .insertInto('role_location')
        .values(locations.map((location) => ({ role: role.uid, location })))
        .execute();
    }
    for (const account of demoAccounts) await insertAccount(transaction, now, account);
  });
  await context.service(AccessChanges).announce({ kind: 'anything' });
}

function listRoleLocations({ locations }: DemoRole, plant: Pick<DemoPlant, 'locations'>): readonly string[] {
  if (locations === 'everywhere') return [];
  return plant.locations
    .filter(({ locationType }) => locationType === locations.locationType)
    .slice(0, locations.count)
    .map(({ uid }) => uid);
}
