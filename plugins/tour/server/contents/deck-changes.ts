import type { Selectable, Updateable } from 'kysely';
import type { BodyOf, LocalizedRefusal } from '#core';
import { conflict, invalidRequest, noAccess, notFound, type CallAuthor } from '#core/server';
import { fitPlan, type PlanFitProblem } from '../../common/fit-plan.ts';
import type { updateDeck, createDeck, placeDeckPlan } from '../../contract/api/tour-content.ts';
import { tourRefusal } from '../../contract/errors.ts';
import { deleteCodes, reserveCodes } from '../queries/codes.ts';
import type { TourTables } from '../tables.ts';
import {
  assertVersion,
  createOnce,
  findEntity,
  getSite,
  toContentDeck,
  type ContentContext,
} from './content-context.ts';

type Changed = Promise<{ readonly change: string | null }>;
type DeckFields = Partial<Updateable<TourTables['deck']>>;

export interface DeckTarget {
  readonly location: string;
  readonly deck: string;
}

/** @throws `invalidRequest` (400) if the location is no level; `conflict` (409) if it has a deck, or the code is taken */
export async function addDeck(
  context: ContentContext,
  author: CallAuthor,
  location: string,
  { uid, code, name, elevation, floor }: BodyOf<typeof createDeck>,
): Changed {
  const row = { uid, code, name, location, elevation, floor };
  const site = await getSite(context, location);
  if ((await context.locations.find(location))?.locationType !== 'LOC_LEVEL')
    throw invalidRequest(tourRefusal('tour.refused.noLevel'));
  return createOnce(
    context,
    author,
    { table: 'deck', rows: [row] },
    () =>
      context.changes.apply(
        author,
        { action: 'tour.deckCreated', subject: uid, name, location },
        async ({ tables, lockAndRecord }) => {
          await lockAndRecord('code', 'entity', [uid]);
          await lockAndRecord('deck', 'uid', [uid]);
          await reserveCodes(tables, site, 'DECK', [{ code, entity: uid }]);
          await tables
            .insertInto('deck')
            .values({ ...row, site })
            .execute();
        },
      ),
    (constraint) => (constraint === 'deck_location_key' ? conflict(tourRefusal('tour.refused.deckExists')) : undefined),
  );
}

/** @throws `notFound` (404); `changedMeanwhile` (409) with the current deck */
export const saveDeck = (
  context: ContentContext,
  author: CallAuthor,
  target: DeckTarget,
  { version, name, elevation, floor }: BodyOf<typeof updateDeck>,
): Changed => applyDeckChange(context, author, target, version, 'tour.deckChanged', () => ({ name, elevation, floor }));

/** @throws `notFound` (404); `changedMeanwhile` (409) with the current deck */
export const removePlan = (context: ContentContext, author: CallAuthor, target: DeckTarget, version: number): Changed =>
  applyDeckChange(context, author, target, version, 'tour.planRemoved', () => ({
    plan_file: null,
    plan_width: null,
    plan_height: null,
    ...emptyPlacement,
  }));

const placementRefusals: Readonly<Record<PlanFitProblem, LocalizedRefusal>> = {
  fewPoints: tourRefusal('tour.refused.placementFewPoints'),
  samePlace: tourRefusal('tour.refused.placementSamePlace'),
  sameCoordinates: tourRefusal('tour.refused.placementSameCoordinates'),
  mirrored: tourRefusal('tour.refused.placementMirrored'),
  contradictory: tourRefusal('tour.refused.placementContradictory'),
  scale: tourRefusal('tour.refused.placementScale'),
};

const emptyPlacement = { plan_x: null, plan_y: null, plan_scale: null, plan_heading: null, plan_points: '[]' };

/**
 * @throws `invalidRequest` (400) if the points determine no placement; `notFound` (404) without a plan;
 *   `changedMeanwhile` (409) with the current deck
 */
export const placePlan = (
  context: ContentContext,
  author: CallAuthor,
  target: DeckTarget,
  { version, ...input }: BodyOf<typeof placeDeckPlan>,
): Changed =>
  applyDeckChange(context, author, target, version, 'tour.planPlaced', ({ plan_width: width, plan_height: height }) => {
    if (width === null || height === null) throw notFound('A plan of this deck');
    const points = 'points' in input ? input.points : [];
    const fitResult = 'points' in input ? fitPlan({ width, height }, input.points) : undefined;
    const problem = fitResult?.fit?.mirrored === true ? 'mirrored' : fitResult?.problem;
    if (problem !== undefined)
      throw invalidRequest(placementRefusals[problem], [{ pointer: '/points', message: 'core.validation.format' }]);
    const { centre, scale, heading } = 'points' in input ? fitResult!.fit! : input;
    return {
      plan_x: centre[0],
      plan_y: centre[1],
      plan_scale: scale,
      plan_heading: heading,
      plan_points: JSON.stringify(points),
    };
  });

/** Updates a deck with the columns that `computeColumns` returns for its current row. */
export async function applyDeckChange(
  context: ContentContext,
  author: CallAuthor,
  { location, deck: uid }: DeckTarget,
  version: number,
  action: string,
  computeColumns: (row: Selectable<TourTables['deck']>) => DeckFields,
): Changed {
  const deck = await findEntity(context, 'deck', location, uid);
  return context.changes.apply(
    author,
    { action, subject: uid, name: deck.name, location: deck.location },
    async ({ tables, lockAndRecord }) => {
      await lockAndRecord('deck', 'uid', [uid]);
      const row = await tables.selectFrom('deck').selectAll().where('uid', '=', uid).executeTakeFirst();
      if (!row) throw notFound('This deck');
      assertVersion(toContentDeck(row, context), version);
      await tables.updateTable('deck').set(computeColumns(row)).where('uid', '=', uid).execute();
    },
  );
}

/**
 * Deletes a deck, but not its nodes.
 *
 * @throws `notFound` (404); `noAccess` (403) without access to one of its nodes; `changedMeanwhile` (409) with the
 *   current deck
 */
export async function removeDeck(
  context: ContentContext,
  author: CallAuthor,
  { location, deck: uid }: DeckTarget,
  version: number,
): Changed {
  const deck = await findEntity(context, 'deck', location, uid);
  const accessibleLocations = new Set(await context.locations.accessible(author.caller));
  return context.changes.apply(
    author,
    { action: 'tour.deckDeleted', subject: uid, name: deck.name, location: deck.location },
    async ({ tables, lockAndRecord }) => {
      await lockAndRecord('deck', 'uid', [uid]);
      await lockAndRecord('node', 'deck', [uid]);
      await lockAndRecord('code', 'entity', [uid]);
      const row = await tables.selectFrom('deck').selectAll().where('uid', '=', uid).executeTakeFirst();
      if (!row) throw notFound('This deck');
      assertVersion(toContentDeck(row, context), version);
      const nodeLocations = await tables
        .selectFrom('node')
        .select('location')
        .distinct()
        .where('deck', '=', uid)
        .execute();
      if (nodeLocations.some((node) => !accessibleLocations.has(node.location))) throw noAccess();
      await tables.deleteFrom('deck').where('uid', '=', uid).execute();
      await deleteCodes(tables, 'DECK', [uid]);
    },
  );
}
