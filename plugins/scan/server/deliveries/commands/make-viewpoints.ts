import type { Selectable } from 'kysely';
import { conflict, notFound, ServerError, type CallAuthor, type Caller } from '#core/server';
import { Tours, type StationView } from '#plugins/tour';
import type { PlannedViewpoint, StationReport } from '../../../contract/api/admin.ts';
import { scanRefusal } from '../../../contract/errors.ts';
import type { ScanTables } from '../../tables.ts';
import { assertScanToken } from '../../queries/scan-token.ts';
import type { ContentContext } from '../queries/scan-content.ts';

interface Target {
  readonly location: string;
  readonly uid: string;
}
type Station = Selectable<ScanTables['station']>;

/** Returns whether the picture shows the plant. A picture of intensities or ranges is no panorama. */
const isPanorama = (pictureSource: StationReport['pictureSource'] | undefined): boolean =>
  pictureSource === 'PHOTO' || pictureSource === 'COLOURS';

const toView = ({ uid: station, name, x, y, z, heading }: Station): StationView => ({
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
  const { stations, pictures } = await findStations(context, target);
  const accessibleLocations = await context.locations.accessible(caller);
  const plannedNodes = await refuseWithoutTour(context, target.location, () =>
    context.service(Tours).planNodes(target.location, stations.map(toView), accessibleLocations),
  );
  return plannedNodes.map(({ station: uid, code, deck, existing }, index) => {
    const { name, x, y, z } = stations[index]!;
    return {
      station: uid,
      name,
      position: [x, y, z],
      pictureSource: pictures.get(uid) ?? null,
      code,
      deck: deck?.name ?? null,
      existing: existing && { code: existing.code, name: existing.name, distanceMetres: existing.metres },
    };
  });
}

/**
 * @throws `notFound` (404), also for a station of another delivery; `noAccess` (403) while the scans are blocked;
 *   `conflict` (409) if the location has no tour
 */
export async function startViewpoints(
  context: ContentContext,
  author: CallAuthor,
  target: Target,
  uids: readonly string[],
  tokenRequired: boolean,
): Promise<{ readonly job: string; readonly change: string }> {
  await assertScanToken(context, target.location, tokenRequired);
  const { stations, pictures } = await findStations(context, target);
  const chosenUids = new Set(uids);
  const chosenStations = stations.filter(({ uid }) => chosenUids.has(uid));
  if (chosenStations.length < chosenUids.size) throw notFound('One of these stations');
  const accessibleLocations = await context.locations.accessible(author.caller);
  const stationViews = chosenStations.map((station) => ({
    ...toView(station),
    capturedAt: station.captured_at.toISOString(),
    panorama: isPanorama(pictures.get(station.uid)) ? station.panorama_file : null,
    ranges: station.range_file,
  }));
  return refuseWithoutTour(context, target.location, () =>
    context.service(Tours).startNodes(author, target.location, stationViews, accessibleLocations),
  );
}

/** The stations of a delivery at exactly this location by name, and the sources of their pictures. */
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
  const pictures = new Map(
    delivery.stations.flatMap(({ station, pictureSource }) =>
      station === null ? [] : [[station, pictureSource] as const],
    ),
  );
  return { stations, pictures };
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
