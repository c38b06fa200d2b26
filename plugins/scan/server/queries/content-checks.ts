import { distanceToBox } from '#core';
import { atLocation, toFindings, type ServerContext } from '#core/server';
import { Tours } from '#plugins/tour';
import { scansAdmin } from '../../contract/index.ts';
import type { ScanTables } from '../tables.ts';

type CheckContext = Pick<ServerContext<ScanTables>, 'tables' | 'service' | 'registerCheck'>;

/** If all viewpoints are farther away than this, the point cloud has another frame or unit than its site. */
const maxDistanceMetres = 100;

/** Registers the content checks of point clouds. */
export function registerContentChecks(context: CheckContext): void {
  context.registerCheck({
    id: 'cloudElsewhere',
    severity: 'ERROR',
    fix: { route: scansAdmin },
    find: (checkedLocations) => findCloudsElsewhere(context, checkedLocations),
  });
}

async function findCloudsElsewhere({ tables, service }: CheckContext, checkedLocations: readonly string[]) {
  const clouds = await tables
    .selectFrom('cloud')
    .select(['uid', 'location', 'name', 'extent'])
    .where(atLocation('location', checkedLocations))
    .where('data_file', 'is not', null)
    .execute();
  const nodes = await service(Tours).nodesAtEach([...new Set(clouds.map(({ location }) => location))]);
  return toFindings(
    clouds.flatMap(({ uid, location, name, extent }) => {
      const viewpoints = nodes.get(location) ?? [];
      if (!extent || viewpoints.length === 0) return [];
      const box = { min: extent.minimum, max: extent.maximum };
      const isNear = viewpoints.some(({ position }) => distanceToBox(position, box) <= maxDistanceMetres);
      return isNear ? [] : [{ location, subject: uid, name }];
    }),
  );
}
