import type { Selectable } from 'kysely';
import { conflict, notFound, ServerError, type CallAuthor, type Caller } from '#core/server';
import { Tours, type StationView } from '#plugins/tour';
import type { PlannedViewpoint, StationReport } from '../../../contract/api/admin.ts';
import { scanRefusal } from '../../../contract/errors.ts';
import type { ScanTables } from '../../tables.ts';
import { assertScanToken } from '../../queries/scan-token.ts';
import type { ContentContext } from '../queries/admin-content.ts';

interface Target {
  readonly location: string;
  readonly uid: string;
}
type Station = Selectable<ScanTables['station']>;

/** Whether a picture can be the panorama of a node. Pictures of intensities or ranges do not show the plant. */
const isPanorama = (pictureSource: StationReport['pictureSource'] | undefined): boolean =>
  pictureSource === 'PHOTO' || pictureSource === 'COLOURS';

const toStationView = ({ uid: station, name, x, y, z, heading }: Station): StationView => ({
  station,
  name,
  position: [x, y, z],
  heading,
});

/** @throws `notFound` (404); `conflict` (409) if the location has no tour */
export async function listPlannedViewpoints(
  context: ContentContext,
  caller: Caller,
  target: Target,
): Promise<PlannedViewpoint[]> {
  const { stations, pictureSources } = await findStations(context, target);
  const accessibleLocations = await context.locations.accessible(caller);
  const plannedNodes = await refuseWithoutTour(context, target.location, () =>
    context.service(Tours).planNodes(target.location, stations.map(toStationView), accessibleLocations),
  );
  return plannedNodes.map(({ station: uid, code, deck, existing }, index) => {
    const { name, x, y, z } = stations[index]!;
    return {
      station: uid,
      name,
      position: [x, y, z],
      pictureSource: pictureSources.get(uid) ?? null,
      code,
      deck: deck?.name ?? null,
      existing: existing && { code: existing.code, name: existing.name, distanceMetres: existing.metres },
    };
  });
}

/**
 * Starts the job that creates nodes of the tour from stations, with their pictures. Returns the job and the change that
 * an undo of the new nodes names.
 *
 * @throws `notFound` (404), also for a station of another delivery; `noAccess` (403) while the scans are blocked;
 *   `conflict` (409) if the location has no tour
 */
export async function startViewpointCreation(
  context: ContentContext,
  author: CallAuthor,
  target: Target,
  uids: readonly string[],
  tokenRequired: boolean,
): Promise<{ readonly job: string; readonly change: string }> {
  await assertScanToken(context, target.location, tokenRequired);
  const { stations, pictureSources } = await findStations(context, target);
  const chosenUids = new Set(uids);
  const chosenStations = stations.filter(({ uid }) => chosenUids.has(uid));
  if (chosenStations.length < chosenUids.size) throw notFound('One of these stations');
  const accessibleLocations = await context.locations.accessible(author.caller);
  const stationViews = chosenStations.map((station) => ({
    ...toStationView(station),
    capturedAt: station.captured_at.toISOString(),
    panorama: isPanorama(pictureSources.get(station.uid)) ? station.panorama_file : null,
    ranges: station.range_file,
  }));
  return refuseWithoutTour(context, target.location, () =>
    context.service(Tours).startNodeCreation(author, target.location, stationViews, accessibleLocations),
  );
}

/** Finds the stations of a delivery at exactly this location, sorted by name, and the sources of their pictures. */
async function findStations({ tables }: ContentContext, { location, uid }: Target) {
  const delivery = await tables
    .selectFrom('cloud')
    .select('stations')
    .where('uid', '=', uid)
    .where('location', '=', location)
    .executeTakeFirst();
  if (!delivery) throw notFound('A delivery of this location');
  const stations = await tables
    .selectFrom('station')
    .selectAll()
    .where('delivery', '=', uid)
    .where('location', '=', location)
    .orderBy('name')
    .orderBy('uid')
    .execute();
  const pictureSources = new Map(
    delivery.stations.flatMap(({ station, pictureSource }) =>
      station === null ? [] : [[station, pictureSource] as const],
    ),
  );
  return { stations, pictureSources };
}

async function refuseWithoutTour<T>(
  { locations }: Pick<ContentContext, 'locations'>,
  location: string,
  call: () => Promise<T>,
): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof ServerError) || error.status !== 404) throw error;
    const name = (await locations.find(location))?.name ?? location;
    throw conflict(scanRefusal('scan.refused.noTour', { name }));
  }
}
