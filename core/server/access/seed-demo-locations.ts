import type { DemoPlant } from '#core';
import type { ServerContext } from '../kernel/server-plugin.ts';

/**
 * Adds the locations of the demo plant in its order, with their site records. Existing site records stay unchanged.
 */
export async function seedDemoLocations(
  { locations, sites }: Pick<ServerContext, 'locations' | 'sites'>,
  plant: Pick<DemoPlant, 'locations'>,
): Promise<void> {
  await locations.upsert(
    plant.locations.map(({ uid, label, name, parent, root, locationType }) => ({
      uid,
      label,
      name,
      parent,
      root,
      locationType,
    })),
  );
  for (const { uid, site } of plant.locations)
    if (site && !(await locations.find(uid))?.site) await sites.save(uid, site);
}
