import type { BodyOf } from '#core';
import { invalidRequest, type CallAuthor } from '#core/server';
import type { DeckWall, saveDeckWalls } from '../../contract/api/tour-content.ts';
import { tourRefusal } from '../../contract/errors.ts';
import type { ContentContext } from './content-context.ts';
import { applyDeckChange, type DeckTarget } from './deck-changes.ts';

// Adding 0 turns -0 into 0.
const roundMetres = (value: number): number => Math.round(value * 1000) / 1000 + 0;

/** Rounds to millimetres, and removes points that equal the previous point. */
const roundWall = ({ number, points }: DeckWall): DeckWall => ({
  number,
  points: points
    .map(([east, north]) => [roundMetres(east), roundMetres(north)] as const)
    .filter(
      ([east, north], index, roundedPoints) =>
        roundedPoints[index - 1]?.[0] !== east || roundedPoints[index - 1]?.[1] !== north,
    ),
});

/**
 * Replaces the walls of a deck.
 *
 * @throws `invalidRequest` (400) for equal numbers or a wall without length; `changedMeanwhile` (409) with the current
 *   deck
 */
export async function saveWalls(
  context: ContentContext,
  author: CallAuthor,
  target: DeckTarget,
  { version, walls: input }: BodyOf<typeof saveDeckWalls>,
): Promise<{ readonly change: string | null }> {
  const walls = input.map(roundWall).toSorted((a, b) => a.number - b.number);
  for (const [index, { number, points }] of walls.entries()) {
    const pointer = `/walls/${input.findIndex((wall) => wall.number === number)}`;
    const fieldErrors = [{ pointer, message: 'core.validation.format' }];
    if (walls[index - 1]?.number === number)
      throw invalidRequest(tourRefusal('tour.refused.wallTwice', { number }), fieldErrors);
    if (points.length < 2) throw invalidRequest(tourRefusal('tour.refused.wallWithoutLength', { number }), fieldErrors);
  }
  return applyDeckChange(context, author, target, version, 'tour.wallsSaved', () => ({ walls: JSON.stringify(walls) }));
}
