import { createHash } from 'node:crypto';
import type { DemoPlant, Point3 } from '#core';
import type { SeedDemo } from '#core/server';
import { Tours } from '#plugins/tour';
import type { DemoMarker, VrDemo } from '../contract/index.ts';
import { saveDocument } from './queries/documents.ts';
import type { VrTables } from './tables.ts';

const author = 'Walkdown';

/** Inserts the markers of the demo plant that are not in the database yet. */
const seedDemo: SeedDemo<VrTables, DemoPlant & Partial<VrDemo>> = async (context, plant) => {
  const { tables } = context;
  const existingUids = new Set((await tables.selectFrom('marker').select('uid').execute()).map(({ uid }) => uid));
  const missingMarkers = (plant.markers ?? [])
    .map((marker) => ({ ...marker, uid: toUid(marker) }))
    .filter(({ uid }) => !existingUids.has(uid));
  const tours = context.service(Tours);
  for (const location of new Set(missingMarkers.map((marker) => marker.location))) {
    const tour = await tours.tourAt(location);
    const markers = missingMarkers.filter((marker) => marker.location === location);
    const visibleFrom = await tours.nodesThatSee(
      tour,
      markers.map((marker) => marker.points.map(([x, y, z]): Point3 => [x, y, z])),
    );
    for (const [index, { uid, kind, name, text, points, target: targetName, document }] of markers.entries()) {
      const findTarget = async (code: string): Promise<string | null> => {
        const targets =
          kind === 'TAG' ? await tours.findTags(location, [code]) : await tours.findNodes(location, [code]);
        return targets.get(code) ?? null;
      };
      const target = targetName === undefined ? null : await findTarget(targetName);
      const file = document && (await saveDocument(context, location, document, document.content()));
      const row = {
        uid,
        location,
        tour,
        kind,
        name,
        text,
        target,
        file: file?.id ?? null,
        author,
        author_name: author,
        version: 1,
        updated_at: new Date(),
      };
      await tables
        .insertInto('marker')
        .values({
          ...row,
          shape: points.length === 1 ? 'POINT' : 'POLYGON',
          points: JSON.stringify(points),
          seen_from: JSON.stringify(visibleFrom[index] ?? []),
        })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    }
  }
};
export default seedDemo;

/** Derives a stable uid of a marker in the form of a random UUID (version 4). */
function toUid({ name, location }: DemoMarker): string {
  const hex = createHash('sha256').update(`${location} ${name}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
