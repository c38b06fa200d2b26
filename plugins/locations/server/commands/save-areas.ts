import { isDeepStrictEqual } from 'node:util';
import { isSimplePolygon, validationMessages } from '#core';
import { invalidRequest, type CallAuthor } from '#core/server';
import { locationsRefusal } from '../../contract/errors.ts';
import type { NavigationArea, PicturesSaved } from '../../contract/index.ts';
import { changePictures, type PictureContext } from './picture-changes.ts';

export interface AreasInput {
  readonly location: string;
  readonly version: number;
  readonly areas: readonly NavigationArea[];
}

const outlineRefusals = {
  crossing: (name: string) => locationsRefusal('locations.refused.outlineCrossing', { name }),
  double: (name: string) => locationsRefusal('locations.refused.outlineDouble', { name }),
  elsewhere: (name: string) => locationsRefusal('locations.refused.outlineElsewhere', { name }),
} as const;

/**
 * Replaces the areas of a navigation image. Those that the caller does not see stay in the row: of locations without
 * access, and of deleted ones, so that they are back when the deletion is undone.
 *
 * @throws `invalidRequest` (400) if an outline crosses itself, or if a location is elsewhere or has two areas;
 *   `changedMeanwhile` (409) with the current pictures
 */
export async function saveAreas(
  context: PictureContext,
  author: CallAuthor,
  { areas, ...target }: AreasInput,
): Promise<PicturesSaved> {
  const uids = areas.map(({ location }) => location);
  const below = await context.locations.descendants(target.location);
  const accessibleUids = new Set(await context.locations.accessible(author.caller));
  const names = new Map(await Promise.all(uids.map(async (uid) => [uid, await context.locations.find(uid)] as const)));
  /** The name of a location that the caller does not see is not sent. */
  const refuse = (reason: keyof typeof outlineRefusals, index: number): never => {
    const uid = uids[index]!;
    const name = (accessibleUids.has(uid) ? names.get(uid)?.name : undefined) ?? uid;
    throw invalidRequest(outlineRefusals[reason](name), [
      {
        pointer: `/areas/${index}/${reason === 'crossing' ? 'polygon' : 'location'}`,
        message: validationMessages.format,
      },
    ]);
  };
  const crossing = areas.findIndex(({ polygon }) => !isSimplePolygon(polygon));
  if (crossing >= 0) refuse('crossing', crossing);
  const double = uids.findIndex((uid, index) => uids.indexOf(uid) < index);
  if (double >= 0) refuse('double', double);
  return changePictures(context, author, target, 'locations.areasSaved', (row) => {
    // A location that was moved away keeps its area until an admin removes it.
    const allowedUids = new Set([
      ...below,
      ...row.areas.map(({ location }) => location).filter((uid) => accessibleUids.has(uid)),
    ]);
    const outsideIndex = uids.findIndex((uid) => !allowedUids.has(uid));
    if (outsideIndex >= 0) refuse('elsewhere', outsideIndex);
    const hiddenAreas = row.areas.filter(({ location }) => !accessibleUids.has(location));
    const visible = row.areas.filter(({ location }) => accessibleUids.has(location));
    return isDeepStrictEqual(visible, areas) ? {} : { areas: [...areas, ...hiddenAreas] };
  });
}
