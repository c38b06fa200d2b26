import { toRadians, toMetres, type Point3, type SiteFrame } from '#core';

/**
 * Converts a point from the CRS of the site into its frame, both in metres. Both are grids, so grid convergence is
 * ignored. Without a frame the point is returned unchanged.
 */
export function toSite([east, north, up]: Point3, frame: SiteFrame | undefined): Point3 {
  if (!frame) return [east, north, up];
  const { origin, rotation, unit } = frame;
  const [dEast, dNorth] = [east - toMetres(origin.east, unit), north - toMetres(origin.north, unit)];
  const [cos, sin] = [Math.cos(toRadians(rotation)), Math.sin(toRadians(rotation))];
  return [dEast * cos - dNorth * sin, dEast * sin + dNorth * cos, up - toMetres(origin.up, unit)];
}
