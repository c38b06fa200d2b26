import type { Selectable } from 'kysely';
import { validationMessages } from '#core';
import {
  versionConflict,
  conflict,
  invalidRequest,
  isUniqueViolation,
  noAccess,
  notFound,
  type CallAuthor,
  type ServerContext,
} from '#core/server';
import type { ContentDeck, ContentNode, ContentTour } from '../../contract/api/tour-content.ts';
import { tourRefusal } from '../../contract/errors.ts';
import { toPlacedPlan } from '../queries/deck-plans.ts';
import type { TourTables } from '../tables.ts';

export type ContentContext = Pick<ServerContext<TourTables>, 'tables' | 'locations' | 'files' | 'changes' | 'jobs'>;

type Row<Name extends 'tour' | 'deck' | 'node'> = Selectable<TourTables[Name]>;

export const toContentTour = ({ start_node: startNode, row_version, ...row }: Row<'tour'>): ContentTour => ({
  uid: row.uid,
  code: row.code,
  name: row.name,
  location: row.location,
  startNode,
  version: row_version,
});

export const toContentDeck = (row: Row<'deck'>, { files }: Pick<ContentContext, 'files'>): ContentDeck => ({
  uid: row.uid,
  code: row.code,
  name: row.name,
  location: row.location,
  elevation: row.elevation,
  floor: row.floor,
  plan: toPlacedPlan(row, files),
  walls: [...row.walls],
  version: row.row_version,
});

export const toContentNode = (row: Row<'node'>, { files }: Pick<ContentContext, 'files'>): ContentNode => ({
  uid: row.uid,
  code: row.code,
  name: row.name,
  tour: row.tour,
  deck: row.deck,
  location: row.location,
  position: [row.x, row.y, row.z],
  heading: row.heading,
  posedTilt: row.posed_tilt,
  thumbnail: row.thumbnail_file === null ? null : files.url(row.thumbnail_file),
  hasPanorama: row.panorama_file !== null,
  version: row.row_version,
});

/**
 * Finds a tag or a document at or below a location.
 *
 * @throws `notFound` (404)
 */
export async function findTagOrDocument<Name extends 'tag' | 'document'>(
  { tables, locations }: Pick<ContentContext, 'tables' | 'locations'>,
  table: Name,
  location: string,
  uid: string,
): Promise<{ readonly uid: string; readonly site: string; readonly code: string; readonly location: string }> {
  const row = await tables
    .selectFrom<'tag' | 'document'>(table)
    .select(['uid', 'site', 'code', 'location'])
    .where('uid', '=', uid)
    .executeTakeFirst();
  if (!row || !(await locations.descendants(location)).includes(row.location))
    throw notFound(table === 'tag' ? 'This tag' : 'This document');
  return row;
}

/** @throws `invalidRequest` (400) for a location of another site; `noAccess` (403) without access to it */
export async function assertLocation(
  { locations }: Pick<ContentContext, 'locations'>,
  { caller }: CallAuthor,
  site: string,
  location: string,
): Promise<void> {
  if ((await locations.findSite(location)) !== site)
    throw invalidRequest(tourRefusal('tour.refused.otherSite'), [
      { pointer: '/location', message: validationMessages.choice },
    ]);
  if (!(await locations.canAccess(caller, location))) throw noAccess();
}

/**
 * Finds a deck at or below a location, or a tour at, below or above it. A tour may be above, because its nodes are at
 * the locations of decks.
 *
 * @throws `notFound` (404)
 */
export async function findEntity<Name extends 'deck' | 'tour'>(
  { tables, locations }: Pick<ContentContext, 'tables' | 'locations'>,
  table: Name,
  location: string,
  uid: string,
): Promise<{ readonly uid: string; readonly site: string; readonly name: string; readonly location: string }> {
  const row = await tables
    .selectFrom<'deck' | 'tour'>(table)
    .select(['uid', 'site', 'name', 'location'])
    .where('uid', '=', uid)
    .executeTakeFirst();
  const locationUids = table === 'deck' ? await locations.descendants(location) : await locations.related(location);
  if (!row || !locationUids.includes(row.location)) throw notFound(table === 'deck' ? 'This deck' : 'This tour');
  return row;
}

/**
 * Returns the location with which a change of nodes is recorded: that of their tour or, without access to it, the
 * requested location.
 */
export const findChangeLocation = async (
  { locations }: Pick<ContentContext, 'locations'>,
  { caller }: CallAuthor,
  tour: { readonly location: string },
  location: string,
): Promise<string> => ((await locations.canAccess(caller, tour.location)) ? tour.location : location);

/** @throws `changedMeanwhile` (409) with the current value */
export function assertVersion<Value extends { readonly name: string; readonly version: number }>(
  current: Value,
  version: number,
): void {
  if (current.version !== version)
    throw versionConflict(tourRefusal('tour.refused.contentChanged', { name: current.name }), current);
}

/** @throws `notFound` (404) */
export async function getSite({ locations }: Pick<ContentContext, 'locations'>, location: string): Promise<string> {
  const site = await locations.findSite(location);
  if (site === undefined) throw notFound('This location');
  return site;
}

/** Rows that a request creates, with their codes. */
interface NewRows {
  readonly table: 'deck' | 'tour' | 'node' | 'tag' | 'document';
  readonly rows: readonly { readonly uid: string; readonly code: string }[];
}

/**
 * Creates rows. If the same person repeats a request, returns the change that created the rows.
 *
 * @throws the error of `createConflict` for a constraint; else `conflict` (409) if a uid is in use
 */
export async function createOnce(
  { changes }: Pick<ContentContext, 'changes'>,
  { caller }: CallAuthor,
  { table, rows }: NewRows,
  create: () => Promise<{ readonly change: string | null }>,
  createConflict: (constraint: string | undefined) => Error | undefined = () => undefined,
): Promise<{ readonly change: string | null }> {
  try {
    return await create();
  } catch (cause) {
    if (!isUniqueViolation(cause)) throw cause;
    const creation = await changes.findCreation(table, rows);
    if (creation?.author === caller.uid) return { change: creation.change };
    const { constraint } = cause as { readonly constraint?: string };
    const specificConflict = createConflict(constraint);
    if (specificConflict) throw specificConflict;
    throw conflict('A uid of the request is in use.');
  }
}
