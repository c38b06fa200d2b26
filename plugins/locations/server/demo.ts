import { createReadStream } from 'node:fs';
import type { DemoFile, DemoPlant } from '#core';
import type { SeedDemo, FileStore } from '#core/server';
import type { LocationsDemo } from '../contract/index.ts';
import { wholeListStep } from './set-up/set-up-step-list.ts';
import type { LocationsTables } from './tables.ts';

/** Seeds icons and navigation images of the demo's locations, and removes the set-up list, because all is set up. */
const seedDemo: SeedDemo<LocationsTables, DemoPlant & LocationsDemo> = async ({ tables, files }, plant) => {
  const existingUids = new Set(
    (await tables.selectFrom('location_picture').select('location').execute()).map(({ location }) => location),
  );
  if (existingUids.size === 0)
    await tables
      .insertInto('skipped_step')
      .values({ step: wholeListStep })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  for (const location of plant.locations) {
    if (existingUids.has(location.uid) || (!location.icon && !location.navigationImage)) continue;
    await tables
      .insertInto('location_picture')
      .values({
        location: location.uid,
        icon: await saveDemoFile(files, location.icon, location.uid),
        navigation_image: await saveDemoFile(files, location.navigationImage, location.uid),
        areas: JSON.stringify(location.navigationAreas ?? []),
      })
      .execute();
  }
};
export default seedDemo;

async function saveDemoFile(files: FileStore, file: DemoFile | undefined, location: string): Promise<string | null> {
  if (!file) return null;
  const storedFile = await files.put(
    { name: file.name, mediaType: file.mediaType, audience: { kind: 'location', location } },
    createReadStream(file.path),
  );
  return storedFile.id;
}
