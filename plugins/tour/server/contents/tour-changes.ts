import type { BodyOf } from '#core';
import { conflict, invalidRequest, noAccess, notFound, type CallAuthor } from '#core/server';
import type { updateTour, createTour } from '../../contract/api/tour-content.ts';
import { tourRefusal } from '../../contract/errors.ts';
import { deleteCodes, reserveCodes } from '../queries/codes.ts';
import {
  assertVersion,
  createOnce,
  findEntity,
  getSite,
  toContentTour,
  type ContentContext,
} from './content-context.ts';

type Changed = Promise<{ readonly change: string | null }>;

export interface TourTarget {
  readonly location: string;
  readonly tour: string;
}

/** @throws `conflict` (409) if the location has a tour, or the code is taken */
export async function addTour(
  context: ContentContext,
  author: CallAuthor,
  location: string,
  { uid, code, name }: BodyOf<typeof createTour>,
): Changed {
  const row = { uid, code, name, location };
  const site = await getSite(context, location);
  return createOnce(
    context,
    author,
    { table: 'tour', rows: [row] },
    () =>
      context.changes.apply(
        author,
        { action: 'tour.tourCreated', subject: uid, name, location },
        async ({ tables, lockAndRecord }) => {
          await lockAndRecord('code', 'entity', [uid]);
          await lockAndRecord('tour', 'uid', [uid]);
          await reserveCodes(tables, site, 'TOUR', [{ code, entity: uid }]);
          await tables
            .insertInto('tour')
            .values({ ...row, site, start_node: null })
            .execute();
        },
      ),
    (constraint) => (constraint === 'tour_location_key' ? conflict(tourRefusal('tour.refused.tourExists')) : undefined),
  );
}

/** @throws `notFound` (404); `noAccess` (403) for a tour above the location without access to it */
async function findAccessibleTour(
  context: ContentContext,
  { caller }: CallAuthor,
  { location, tour: uid }: TourTarget,
) {
  const tour = await findEntity(context, 'tour', location, uid);
  if (!(await context.locations.canAccess(caller, tour.location))) throw noAccess();
  return tour;
}

/** @throws `invalidRequest` (400) for a first node of another tour; `changedMeanwhile` (409) with the current tour */
export async function saveTour(
  context: ContentContext,
  author: CallAuthor,
  { location, tour: uid }: TourTarget,
  { version, name, startNode }: BodyOf<typeof updateTour>,
): Changed {
  const tour = await findAccessibleTour(context, author, { location, tour: uid });
  return context.changes.apply(
    author,
    { action: 'tour.tourChanged', subject: uid, name, location: tour.location },
    async ({ tables, lockAndRecord }) => {
      await lockAndRecord('tour', 'uid', [uid]);
      const row = await tables.selectFrom('tour').selectAll().where('uid', '=', uid).executeTakeFirst();
      if (!row) throw notFound('This tour');
      assertVersion(toContentTour(row), version);
      const isNodeOfTour =
        startNode === null ||
        (await tables
          .selectFrom('node')
          .select('uid')
          .where('uid', '=', startNode)
          .where('tour', '=', uid)
          .executeTakeFirst()) !== undefined;
      if (!isNodeOfTour)
        throw invalidRequest('The first node belongs to another tour.', [
          { pointer: '/startNode', message: 'core.validation.format' },
        ]);
      await tables.updateTable('tour').set({ name, start_node: startNode }).where('uid', '=', uid).execute();
    },
  );
}

/** @throws `conflict` (409) while the tour has nodes; `changedMeanwhile` (409) with the current tour */
export async function removeTour(
  context: ContentContext,
  author: CallAuthor,
  { location, tour: uid }: TourTarget,
  version: number,
): Changed {
  const tour = await findAccessibleTour(context, author, { location, tour: uid });
  return context.changes.apply(
    author,
    { action: 'tour.tourDeleted', subject: uid, name: tour.name, location: tour.location },
    async ({ tables, lockAndRecord }) => {
      await lockAndRecord('tour', 'uid', [uid]);
      await lockAndRecord('code', 'entity', [uid]);
      const row = await tables.selectFrom('tour').selectAll().where('uid', '=', uid).executeTakeFirst();
      if (!row) throw notFound('This tour');
      assertVersion(toContentTour(row), version);
      const node = await tables.selectFrom('node').select('uid').where('tour', '=', uid).limit(1).executeTakeFirst();
      if (node) throw conflict(tourRefusal('tour.refused.tourHasPlaces', { name: row.name }));
      await tables.deleteFrom('tour').where('uid', '=', uid).execute();
      await deleteCodes(tables, 'TOUR', [uid]);
    },
  );
}
