import { boxAround, boxCorners, distanceToBox, toRadians, type Box, type Point3 } from '#core';
import { atLocation, toFindings, type ServerContext } from '#core/server';
import { Tours } from '#plugins/tour';
import { modelsAdmin, type ModelPose } from '../../contract/index.ts';
import type { ModelTables } from '../tables.ts';

type CheckContext = Pick<ServerContext<ModelTables>, 'tables' | 'service' | 'registerCheck'>;

/** If every viewpoint is farther away, the model probably has another frame or unit than the site. */
const maxDistanceMetres = 100;

/** Registers the content checks of models. */
export function registerContentChecks(context: CheckContext): void {
  context.registerCheck({
    id: 'modelElsewhere',
    severity: 'ERROR',
    fix: { route: modelsAdmin },
    find: (checkedLocations) => findModelsElsewhere(context, checkedLocations),
  });
}

async function findModelsElsewhere({ tables, service }: CheckContext, checkedLocations: readonly string[]) {
  const models = await tables
    .selectFrom('model')
    .select(['uid', 'location', 'name', 'bounds', 'pose'])
    .where(atLocation('location', checkedLocations))
    .where('file', 'is not', null)
    .execute();
  const nodes = await service(Tours).nodesAtEach([...new Set(models.map(({ location }) => location))]);
  return toFindings(
    models.flatMap(({ uid, location, name, bounds, pose }) => {
      const viewpoints = nodes.get(location) ?? [];
      if (!bounds || viewpoints.length === 0) return [];
      const box = placeBox(bounds, pose);
      const isNear = viewpoints.some(({ position }) => distanceToBox(position, box) <= maxDistanceMetres);
      return isNear ? [] : [{ location, subject: uid, name }];
    }),
  );
}

/** Converts the box of a model to the site frame, metres. */
function placeBox(bounds: Box, { position, heading, scale }: ModelPose): Box {
  const [sin, cos] = [Math.sin(toRadians(heading)), Math.cos(toRadians(heading))];
  return boxAround(
    boxCorners(bounds).map(([x, y, z]): Point3 => [
      position[0] + scale * (x * cos + y * sin),
      position[1] + scale * (y * cos - x * sin),
      position[2] + scale * z,
    ]),
  );
}
