import type { DemoPlant } from '#core';
import { AccessChanges } from '../access/access-changes.ts';
import type { AuthTables } from './auth-tables.ts';
import { putAccount } from './put-account.ts';
import { systemClock } from '../kernel/clock.ts';
import type { CoreContext } from '../kernel/core-part.ts';
import { demoAccounts, demoRoles, type DemoRole } from './demo-accounts.ts';

/**
 * Adds the roles and people of the demo plant, after its locations (`seedDemoLocations`). Idempotent; keeps what
 * somebody changed.
 */
export async function seedDemoUsers(
  context: Pick<CoreContext, 'database' | 'service'>,
  plant: Pick<DemoPlant, 'locations'>,
): Promise<void> {
  const now = new Date(systemClock.now());
  const tables = context.database.of<AuthTables>('core');
  await tables.transaction().execute(async (transaction) => {
    for (const role of demoRoles) {
      const made = await transaction
        .insertInto('role')
        .values({
          uid: role.uid,
          name: role.name,
          status: role.status,
          flags: [...role.flags],
          all_locations: role.reach === 'everywhere',
          created_at: now,
        })
        .onConflict((conflict) => conflict.column('uid').doNothing())
        .returning('uid')
        .executeTakeFirst();
      const locations = listReachedLocations(role, plant);
      if (made === undefined || locations.length === 0) continue;
      await transaction
        .insertInto('role_location')
        .values(locations.map((location) => ({ role: role.uid, location })))
        .execute();
    }
    for (const account of demoAccounts) await putAccount(transaction, now, account);
  });
  await context.service(AccessChanges).announce({ kind: 'anything' });
}

function listReachedLocations({ reach }: DemoRole, plant: Pick<DemoPlant, 'locations'>): readonly string[] {
  if (reach === 'everywhere') return [];
  return plant.locations
    .filter(({ locationType }) => locationType === reach.locationType)
    .slice(0, reach.count)
    .map(({ uid }) => uid);
}
