import { randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { normalizePan } from '#core';
import { matchesAny, noAccess, removeOnFailure, type JobOutcome, type JobRun, type ServerContext } from '#core/server';
import type { PicturedStation } from '#plugins/tour';
import { createThumbnail } from '../jobs/thumbnail.ts';
import { createTiles, type TiledFolder } from '../jobs/tile-panorama.ts';
import { insertCodes } from '../queries/codes.ts';
import { tourAt } from '../queries/tour-at.ts';
import type { TourTables } from '../tables.ts';
import { listAccessibleDescendants, planTourNodes, type TourRef } from './plan-nodes.ts';

export const makeNodesJob = 'tour.make-nodes';
export interface MakeNodesPayload {
  readonly tour: TourRef;
  /** Accessible locations of the author, among the location of the tour and its descendants. */
  readonly places: readonly string[];
  readonly stations: readonly PicturedStation[];
  /** Uid of the change. */
  readonly change: string;
  readonly author: string;
  readonly requestId: string;
}

interface MadeNode {
  readonly station: string;
  readonly uid: string;
  /** Null without a picture. */
  readonly files: (TiledFolder & { readonly panorama: string; readonly thumbnail: string }) | null;
}

interface Cursor {
  readonly made: readonly MadeNode[];
}

type Context = Pick<ServerContext<TourTables>, 'tables' | 'locations' | 'files' | 'changes' | 'jobs'>;

/** @throws 404 if the location has no tour; `noAccess` (403) without access to a deck or to the location of the tour */
export async function startNodeCreation(
  context: Context,
  author: { readonly caller: { readonly uid: string }; readonly requestId: string },
  location: string,
  stations: readonly PicturedStation[],
  accessibleLocations: readonly string[],
): Promise<{ readonly job: string; readonly change: string }> {
  const { uid, name, site, location: tourLocation } = await tourAt(context, location);
  const tour: TourRef = { uid, name, site, location: tourLocation };
  const places = await listAccessibleDescendants(context, tour, accessibleLocations);
  const plannedNodes = await planTourNodes(context.tables, tour, places, stations);
  if (!places.includes(tourLocation) && plannedNodes.some(({ deck }) => deck === null)) throw noAccess();
  const change = randomUUID();
  const payload = { tour, places, stations, change, author: author.caller.uid, requestId: author.requestId };
  const job = await context.jobs.start<MakeNodesPayload>(makeNodesJob, payload, author.caller.uid);
  await context.jobs.notifyRunners();
  return { job, change };
}

/**
 * Creates the pictures of the viewpoints one by one and records them in the cursor, then creates all viewpoints in one
 * change. The tiles exist before the change, so that no later job modifies its rows and prevents an undo.
 */
export async function runMakeNodes(context: Context, run: JobRun<MakeNodesPayload>): Promise<JobOutcome> {
  const { tour, places, stations } = run.payload;
  const plannedNodes = await planTourNodes(context.tables, tour, places, stations);
  const newStations = new Set(plannedNodes.flatMap(({ station, existing }) => (existing ? [] : [station])));
  let { made } = (run.cursor as Cursor | undefined) ?? { made: [] };
  const doneStations = new Set(made.map(({ station }) => station));
  const openStations = stations.filter(({ station }) => newStations.has(station) && !doneStations.has(station));
  const total = made.length + openStations.length;
  for (const station of openStations) {
    run.signal.throwIfAborted();
    const node = { station: station.station, uid: randomUUID() };
    const files = station.panorama === null ? null : await makeFiles(context, tour, station, station.panorama, run);
    const next = [...made, { ...node, files }];
    await removeOnFailure(context.files, listFiles(files), () =>
      run.progress({ done: next.length, total, cursor: { made: next } satisfies Cursor }),
    );
    made = next;
  }
  const createdUids = await createNodes(context, run.payload, made);
  for (const { uid, files } of made)
    if (!createdUids.has(uid)) for (const file of listFiles(files)) await context.files.remove(file);
  return { result: createdUids.size === 0 ? 'WARNING' : 'SUCCESS' };
}

const listFiles = (files: MadeNode['files']): readonly string[] =>
  files === null ? [] : [files.panorama, files.ranges, files.thumbnail, files.folder].filter((file) => file !== null);

/** Copies the pictures of a station to the location of the tour, and creates tiles and a thumbnail. */
async function makeFiles(
  { files }: Context,
  { location }: TourRef,
  station: PicturedStation,
  source: string,
  run: Pick<JobRun<unknown>, 'signal'>,
): Promise<NonNullable<MadeNode['files']>> {
  const audience = { kind: 'location', location } as const;
  const storedIds: string[] = [];
  const put = async (name: string, mediaType: string, content: Uint8Array): Promise<string> => {
    const { id } = await files.put({ name, mediaType, audience }, content);
    storedIds.push(id);
    return id;
  };
  try {
    const picture = await buffer(await files.read(source));
    const panorama = await put(`${station.name}.jpg`, 'image/jpeg', picture);
    const ranges = await put(`${station.name} ranges.png`, 'image/png', await buffer(await files.read(station.ranges)));
    const levelOrientation = { heading: station.heading, pitch: 0, roll: 0 };
    const thumbnail = await put(
      `${station.name}.jpg`,
      'image/jpeg',
      await createThumbnail(picture, levelOrientation, { pan: station.heading, tilt: 0 }),
    );
    const tiles = await createTiles(
      files,
      station.name,
      { ...levelOrientation, location, panorama_file: panorama, range_file: ranges, range_source: null },
      { signal: run.signal, progress: () => Promise.resolve() },
    );
    return { ...tiles, panorama, thumbnail };
  } catch (error) {
    for (const file of storedIds) await files.remove(file);
    throw error;
  }
}

/** Creates the viewpoints that do not exist yet, and returns their uids. */
async function createNodes(
  { changes, tables: database, locations }: Context,
  { tour, places, stations, change, author, requestId }: MakeNodesPayload,
  madeNodes: readonly MadeNode[],
): Promise<ReadonlySet<string>> {
  const createdUids = new Set<string>();
  if (madeNodes.length === 0) return createdUids;
  const nodeByStation = new Map(madeNodes.map((node) => [node.station, node]));
  const plannedStations = stations.filter(({ station }) => nodeByStation.has(station));
  const tourDescendants = new Set(await locations.descendants(tour.location));
  const deckRows = await database
    .selectFrom('deck')
    .select(['uid', 'location'])
    .where('site', '=', tour.site)
    .execute();
  const deckLocations = new Map(deckRows.map(({ uid, location }) => [uid, location]));
  const description = { uid: change, action: 'tour.nodesMade', subject: tour.uid, name: tour.name };
  await changes.apply(
    { caller: { uid: author }, requestId },
    { ...description, location: tour.location },
    async ({ tables, lockAndRecord }) => {
      createdUids.clear();
      const uids = madeNodes.map(({ uid }) => uid);
      await lockAndRecord('tour', 'uid', [tour.uid]);
      await lockAndRecord('code', 'entity', uids);
      await lockAndRecord('node', 'uid', uids);
      if (!(await tables.selectFrom('tour').select('uid').where('uid', '=', tour.uid).executeTakeFirst())) return;
      // A killed attempt may have created some nodes.
      const existingNodes = await tables.selectFrom('node').select('uid').where(matchesAny('uid', uids)).execute();
      for (const { uid } of existingNodes) createdUids.add(uid);
      const planByStation = new Map(
        (await planTourNodes(tables, tour, places, plannedStations)).map((plan) => [plan.station, plan] as const),
      );
      const lastNode = await tables
        .selectFrom('node')
        .select(({ fn }) => fn.max('position').as('position'))
        .where('tour', '=', tour.uid)
        .executeTakeFirst();
      let position = lastNode?.position ?? -1;
      const rows = plannedStations.flatMap(
        ({ station, name, position: [x, y, z], heading: stationHeading, capturedAt }) => {
          const { code, deck, existing } = planByStation.get(station)!;
          if (existing) return [];
          const { uid, files } = nodeByStation.get(station)!;
          const heading = normalizePan(stationHeading);
          const deckLocation = deck === null ? undefined : deckLocations.get(deck.uid);
          return {
            uid,
            site: tour.site,
            code,
            tour: tour.uid,
            position: ++position,
            name,
            deck: deck?.uid ?? null,
            location: deckLocation !== undefined && tourDescendants.has(deckLocation) ? deckLocation : tour.location,
            x,
            y,
            z,
            heading,
            view_pan: heading,
            view_tilt: 0,
            posed_at: capturedAt,
            captured_at: files && capturedAt,
            panorama_file: files?.panorama ?? null,
            range_file: files?.ranges ?? null,
            thumbnail_file: files?.thumbnail ?? null,
            pyramid_file: files?.folder ?? null,
            pyramid: files && JSON.stringify(files.pyramid),
          };
        },
      );
      await insertCodes(
        tables,
        rows.map(({ uid, code }) => ({ site: tour.site, kind: 'NODE', code, entity: uid })),
      );
      for (let start = 0; start < rows.length; start += rowsPerInsert)
        await tables
          .insertInto('node')
          .values(rows.slice(start, start + rowsPerInsert))
          .execute();
      for (const { uid } of rows) createdUids.add(uid);
    },
  );
  return createdUids;
}
const rowsPerInsert = 1000;
