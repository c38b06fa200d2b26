import type { Selectable } from 'kysely';
import type { FileStore } from '#core/server';
import type { Deck } from '#plugins/tour';
import type { PlacedPlan } from '../../contract/api/tour-content.ts';
import type { TourTables } from '../tables.ts';

type DeckRow = Selectable<TourTables['deck']>;

/** Returns the plan of a deck. Null without an image. */
export function toPlacedPlan(row: DeckRow, files: FileStore): PlacedPlan | null {
  const { plan_file, plan_width: width, plan_height: height, plan_points } = row;
  if (plan_file === null || width === null || height === null) return null;
  return {
    address: files.url(plan_file),
    width,
    height,
    placement: toPlacement(row),
    points: [...plan_points],
  };
}

/** Returns the plan of a deck for visitors. Null until it is placed. */
export function toDeckPlan(row: DeckRow, files: FileStore): Deck['plan'] {
  const plan = toPlacedPlan(row, files);
  if (!plan?.placement) return null;
  const { address, width, height, placement } = plan;
  return { address, width, height, ...placement };
}

function toPlacement({
  plan_x: x,
  plan_y: y,
  plan_scale: scale,
  plan_heading: heading,
}: DeckRow): PlacedPlan['placement'] {
  return x === null || y === null || scale === null || heading === null ? null : { centre: [x, y], scale, heading };
}
