import proj4 from 'proj4';
import { toRadians, toMetres, type Point3, type SiteFrame } from '#core';
import { readEpsgEntry } from './read-epsg-entry.ts';

/**
 * Converts a point of the site frame (in metres) to longitude and latitude (WGS 84, degrees) and height (as in the
 * site).
 */
export type ToGeographic = (point: Point3) => Point3;

/**
 * Creates the conversion for a site, without grid convergence. Undefined if the site has no projected CRS.
 *
 * @see IOGP 373-7-2 for the projections that proj4 implements
 */
export async function createToGeographic({
  crs,
  origin,
  rotation,
  unit,
}: SiteFrame): Promise<ToGeographic | undefined> {
  const definition = crs === 'local' ? undefined : (await readEpsgEntry(crs))?.proj4;
  if (!definition || /\+proj=(longlat|geocent)/.test(definition)) return undefined;
  const { inverse } = proj4('WGS84', definition.replaceAll(/\+(units|to_meter)=\S+/g, '+units=m'));
  const [cos, sin] = [Math.cos(toRadians(rotation)), Math.sin(toRadians(rotation))];
  return ([x, y, z]) => {
    const east = toMetres(origin.east, unit) + x * cos + y * sin;
    const north = toMetres(origin.north, unit) - x * sin + y * cos;
    const [longitude, latitude] = inverse([east, north]) as [number, number];
    return [longitude, latitude, toMetres(origin.up, unit) + z];
  };
}
