import type { Point3 } from '#core';
import { atLocation, type ServerContext } from '#core/server';
import type { RangeView, SurfaceProvider } from '#plugins/tour';
import { findScanTokens, isBlocked } from '../queries/scan-token.ts';
import type { ScanTables } from '../tables.ts';
import { maxRangeMetres, readCloudPoints } from './read-cloud-points.ts';
import { splatRanges } from './splat-ranges.ts';

type Context = Pick<ServerContext<ScanTables>, 'tables' | 'files' | 'locations'>;

/** Number of panoramas that are computed at once. Each needs 30 MB. */
const viewsPerPass = 6;

/** Provides the surfaces of the point clouds, except those that the scan token blocks. */
export const createCloudSurfaces = (context: Context, tokenRequired: boolean): SurfaceProvider => ({
  source: 'CLOUD',
  hasSurfaces: async (locations) => (await listClouds(context, locations, tokenRequired)).length > 0,
  computeRanges: (locations, views, signal) => computeRanges(context, locations, views, signal, tokenRequired),
});

async function* computeRanges(
  context: Context,
  locations: readonly string[],
  views: readonly RangeView[],
  signal: AbortSignal,
  tokenRequired: boolean,
): AsyncGenerator<Uint16Array> {
  const clouds = await listClouds(context, locations, tokenRequired);
  for (let start = 0; start < views.length; start += viewsPerPass) {
    const passViews = views.slice(start, start + viewsPerPass);
    const readPoints = () => readNearPoints(context, clouds, passViews, signal);
    yield* splatRanges(passViews, readPoints, signal);
  }
}

async function* readNearPoints(
  { files }: Context,
  clouds: Awaited<ReturnType<typeof listClouds>>,
  views: readonly RangeView[],
  signal: AbortSignal,
): AsyncGenerator<Float64Array> {
  for (const { kind, file, extent } of clouds)
    if (!extent || isNear(views, extent.minimum, extent.maximum))
      yield* readCloudPoints(files, kind, file, views, signal);
}

const isNear = (views: readonly RangeView[], minimum: Point3, maximum: Point3): boolean =>
  views.some(({ position }) =>
    position.every((value, axis) => value > minimum[axis]! - maxRangeMetres && value < maximum[axis]! + maxRangeMetres),
  );

async function listClouds(context: Context, locations: readonly string[], tokenRequired: boolean) {
  const findToken = await findScanTokens(context, locations, tokenRequired);
  const rows = await context.tables
    .selectFrom('cloud')
    .select(['kind', 'data_file', 'extent'])
    .where(
      atLocation(
        'location',
        locations.filter((location) => !isBlocked(findToken(location))),
      ),
    )
    .where('data_file', 'is not', null)
    .orderBy('uid')
    .$narrowType<{ data_file: string }>()
    .execute();
  return rows.map(({ data_file: file, ...row }) => ({ ...row, file }));
}
