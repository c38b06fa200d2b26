import { getPipeSize } from '../../cli/demo/plant/pipe-sizes.ts';
import { plant } from '../../cli/demo/plant/plant.ts';
import type { Line, Point } from '../../cli/demo/plant/types.ts';
import { add, dot, length, normalise, scale, subtract } from '../../cli/demo/plant/vector.ts';

/** The diameter of a line including insulation, in metres. */
export const computeVisibleDiameter = (line: Line): number => line.outsideDiameter + 2 * line.insulation;

/** Maximum distance in metres between a pipe's facets and its cylinder. Marker plates are farther out. */
const maxFacetMetres = 0.0006;

/** Whether a point of a line's surface is on a marker plate, which is a cylinder of its own in a model. */
export const isOnMarker = (line: Line, point: Point): boolean =>
  line.points.slice(1).every((end, k) => {
    const start = line.points[k] ?? end;
    const axis = normalise(subtract(end, start));
    const distanceAlong = dot(subtract(point, start), axis);
    const axisDistance = length(subtract(point, add(start, scale(axis, distanceAlong))));
    return Math.abs(axisDistance - computeVisibleDiameter(line) / 2) > maxFacetMetres;
  });

/** Whether a point of a line's surface is on a straight run and not close to elbows, flanges and valves. */
export function isOnFreeRun(line: Line, point: Point): boolean {
  const outerDiameter = computeVisibleDiameter(line);
  const flange = getPipeSize(line.nps).flange.diameter / 1000;
  const fittings = [
    ...line.flanges.map(({ at }) => at),
    ...plant.valves.filter((valve) => valve.line === line.number).map(({ at }) => at),
  ];
  if (fittings.some((at) => length(subtract(at, point)) < flange + 0.15)) return false;
  for (let k = 1; k < line.points.length; k += 1) {
    const [a, b] = [line.points[k - 1], line.points[k]];
    if (!a || !b) continue;
    const axis = normalise(subtract(b, a));
    const distanceAlong = dot(subtract(point, a), axis);
    const axisDistance = length(subtract(point, add(a, scale(axis, distanceAlong))));
    if (
      distanceAlong > outerDiameter * 1.5 + 0.1 &&
      distanceAlong < length(subtract(b, a)) - outerDiameter * 1.5 - 0.1 &&
      Math.abs(axisDistance - outerDiameter / 2) < 0.002
    )
      return true;
  }
  return false;
}
