import type { Corner } from '#core';
import { zoneClassesOfKind, type ZoneKind } from '../contract/index.ts';

/** A point on the picture of a location. `x` and `y` are percents from the top left, `elevation` is metres. */
export interface MapPoint {
  readonly map: string;
  readonly level: string | null;
  readonly x: number;
  readonly y: number;
  readonly elevation: number | null;
}

/** An area of a picture. A null `level` or elevation does not limit the zone. */
export interface MappedZone {
  readonly zone: string;
  readonly map: string;
  readonly level: string | null;
  readonly points: readonly Corner[];
  readonly elevationFrom: number | null;
  readonly elevationTo: number | null;
}

/**
 * Finds the most severe zone of a kind that contains the point. Outside of all zones, the result is GREEN for H2S if
 * the picture has H2S zones, and otherwise null (unknown).
 */
export function deriveZone(kind: ZoneKind, point: MapPoint, zones: readonly MappedZone[]): string | null {
  const severityOrder: readonly string[] = zoneClassesOfKind[kind];
  const mappedZones = zones.filter((zone) => isOnPicture(zone, point));
  const mostSevere = Math.min(
    ...mappedZones
      .filter((zone) => isAtElevation(zone, point.elevation) && isInOutline(zone.points, [point.x, point.y]))
      .map(({ zone }) => severityOrder.indexOf(zone)),
  );
  if (Number.isFinite(mostSevere)) return severityOrder[mostSevere] ?? null;
  return kind === 'H2S' && mappedZones.length > 0 ? 'GREEN' : null;
}

const equalsIgnoringCase = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

const isOnPicture = (zone: MappedZone, { map, level }: MapPoint): boolean =>
  equalsIgnoringCase(zone.map, map) && (zone.level === null || level === null || equalsIgnoringCase(zone.level, level));

const isAtElevation = ({ elevationFrom, elevationTo }: MappedZone, elevation: number | null): boolean =>
  elevation === null ||
  ((elevationFrom === null || elevation >= elevationFrom) && (elevationTo === null || elevation <= elevationTo));

/** True if the point is inside the outline or on it. */
export function isInOutline(outline: readonly Corner[], [x, y]: Corner): boolean {
  let isInside = false;
  for (const [index, [ax, ay]] of outline.entries()) {
    const [bx, by] = outline[(index + 1) % outline.length]!;
    const crossProduct = (bx - ax) * (y - ay) - (by - ay) * (x - ax);
    const isWithinEdgeBox = (x - ax) * (x - bx) <= 0 && (y - ay) * (y - by) <= 0;
    if (crossProduct === 0 && isWithinEdgeBox) return true;
    if (ay > y !== by > y && x < ax + ((y - ay) / (by - ay)) * (bx - ax)) isInside = !isInside;
  }
  return isInside;
}
