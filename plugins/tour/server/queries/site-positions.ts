import proj4 from 'proj4';
import type { Point3 } from '#core';
import { readEpsgEntry, type ServerContext } from '#core/server';
import { toSite } from '../../common/to-site.ts';

interface GpsPosition {
  readonly latitude: number;
  readonly longitude: number;
  /** Metres, from the metadata of the picture. */
  readonly height: number | null;
}

/**
 * Converts GPS positions (WGS 84, degrees) into the site frame, metres. Null for positions outside the CRS, and for all
 * if the site has no projected CRS. Heights are not converted. A missing height is the height of the site's origin.
 */
export async function findSitePositions(
  context: Pick<ServerContext, 'sites'>,
  location: string,
  places: readonly GpsPosition[],
): Promise<(Point3 | null)[]> {
  const { frame } = await context.sites.recordAt(location);
  const definition = frame.crs === 'local' ? undefined : (await readEpsgEntry(frame.crs))?.proj4;
  if (!definition || /\+proj=(longlat|geocent)/.test(definition)) return places.map(() => null);
  const { forward } = proj4('WGS84', definition.replaceAll(/\+(units|to_meter)=\S+/g, '+units=m'));
  return places.map(({ latitude, longitude, height }) => {
    const [east, north] = forward([longitude, latitude]) as [number, number];
    if (!Number.isFinite(east) || !Number.isFinite(north)) return null;
    const [x, y, z] = toSite([east, north, height ?? 0], frame);
    return [x, y, height === null ? 0 : z];
  });
}
