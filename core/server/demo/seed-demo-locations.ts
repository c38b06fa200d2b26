import type { DemoPlant } from '#core';
import type { ServerContext } from '../kernel/server-plugin.ts';

/** The locations of the demo plant, in its order. Calling it again changes nothing. */
export async function seedDemoLocations(
  { locations }: Pick<ServerContext, 'locations'>,
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
}
