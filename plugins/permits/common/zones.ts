import type { Corner } from '#core';
import { zonesOfKind, type ZoneKind } from '../contract/index.ts';

/** A place on a picture of a location. Percents from the top left, metres in the site frame. */
export interface MapPoint {
  readonly map: string;
  readonly level: string | null;
  readonly x: number;
  readonly y: number;
  readonly elevation: number | null;
}

/** An area of a picture. `level` and elevations are null if it is not limited to them. */
export interface MappedZone {
  readonly zone: string;
  readonly map: string;
  readonly level: string | null;
  readonly points: readonly Corner[];
  readonly elevationFrom: number | null;
  readonly elevationTo: number | null;
}

/**
 * The zone of a place by the zones of one kind: the most severe one that contains it. GREEN outside of mapped H2S
 * zones. Null if nothing is known: outside of HAC zones, or on a picture without zones of the kind.
 */
export function deriveZone(kind: ZoneKind, point: MapPoint, zones: readonly MappedZone[]): string | null {
  const order: readonly string[] = zonesOfKind[kind];
  const mapped = zones.filter((zone) => isOnMap(zone, point));
  const worst = Math.min(
    ...mapped
      .filter((zone) => isAtElevation(zone, point.elevation) && isInOutline(zone.points, [point.x, point.y]))
      .map(({ zone }) => order.indexOf(zone)),
  );
  if (Number.isFinite(worst)) return order[worst] ?? null;
  return kind === 'H2S' && mapped.length > 0 ? 'GREEN' : null;
}

const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

const isOnMap = (zone: MappedZone, { map, level }: MapPoint): boolean =>
  isSame(zone.map, map) && (zone.level === null || level === null || isSame(zone.level, level));

const isAtElevation = ({ elevationFrom, elevationTo }: MappedZone, elevation: number | null): boolean =>
  elevation === null ||
  ((elevationFrom === null || elevation >= elevationFrom) && (elevationTo === null || elevation <= elevationTo));

/** Whether an outline contains a point. The outline itself belongs to it. */
export function isInOutline(outline: readonly Corner[], [x, y]: Corner): boolean {
  let inside = false;
  for (const [index, [ax, ay]] of outline.entries()) {
    const [bx, by] = outline[(index + 1) % outline.length]!;
    const turn = (bx - ax) * (y - ay) - (by - ay) * (x - ax);
    const isBetween = (x - ax) * (x - bx) <= 0 && (y - ay) * (y - by) <= 0;
    if (turn === 0 && isBetween) return true;
    if (ay > y !== by > y && x < ax + ((y - ay) / (by - ay)) * (bx - ax)) inside = !inside;
  }
  return inside;
}
