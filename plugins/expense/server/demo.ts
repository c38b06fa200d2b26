import type { SeedDemo } from '#core/server';
import type { ExpenseTables } from './tables.ts';

/** Seeds an estimation for each site of the demo. Existing ones are unchanged. */
const seedDemo: SeedDemo<ExpenseTables> = async ({ tables }, plant) => {
  await tables
    .insertInto('estimation')
    .values(
      plant.locations
        .filter(({ parent }) => parent === null)
        .map(({ uid }) => ({ location: uid, fixed_cost: 1500, per_diem: 250, trip_days: 3, tour_hours: 2 })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
};
export default seedDemo;
