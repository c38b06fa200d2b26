import { getPipeSize } from '../../cli/demo/plant/pipe-sizes.ts';
import { plant } from '../../cli/demo/plant/plant.ts';
import type { Line, Point } from '../../cli/demo/plant/types.ts';
import { add, dot, length, normalise, scale, subtract } from '../../cli/demo/plant/vector.ts';

/** Diameter of a line including insulation, metres. */
export const seenDiameter = (line: Line): number => line.outsideDiameter + 2 * line.insulation;

/** Maximum distance in metres between a pipe's facets and its cylinder. Marker plates are farther out. */
const maxFacet = 0.0006;

/** Whether a point of a line's surface is on a marker plate, which is a cylinder of its own in a model. */
export const isOnMarker = (line: Line, point: Point): boolean =>
  line.points.slice(1).every((end, k) => {
    const start = line.points[k] ?? end;
    const unit = normalise(subtract(end, start));
    const along = dot(subtract(point, start), unit);
    const away = length(subtract(point, add(start, scale(unit, along))));
    return Math.abs(away - seenDiameter(line) / 2) > maxFacet;
  });

/** Whether a point of a line's surface is on a straight run, a hand's length away from elbows, flanges and valves. */
export function onFreeRun(line: Line, point: Point): boolean {
  const od = seenDiameter(line);
  const flange = getPipeSize(line.nps).flange.diameter / 1000;
  const fittings = [
    ...line.flanges.map(({ at }) => at),
    ...plant.valves.filter((valve) => valve.line === line.number).map(({ at }) => at),
  ];
  if (fittings.some((at) => length(subtract(at, point)) < flange + 0.15)) return false;
  for (let k = 1; k < line.points.length; k += 1) {
    const [a, b] = [line.points[k - 1], line.points[k]];
    if (!a || !b) continue;
    const unit = normalise(subtract(b, a));
    const along = dot(subtract(point, a), unit);
    const away = length(subtract(point, add(a, scale(unit, along))));
    if (along > od * 1.5 + 0.1 && along < length(subtract(b, a)) - od * 1.5 - 0.1 && Math.abs(away - od / 2) < 0.002)
      return true;
  }
  return false;
}
