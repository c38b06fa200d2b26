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
 * Replaces the areas of a navigation image. Keeps areas of locations that the caller cannot access. Keeps areas of
 * deleted locations, too, so that they are shown again when the deletion is undone.
 *
 * @throws `invalidRequest` (400) if an outline crosses itself, or if a location is not below the location of the image
 *   or has two areas; `versionConflict` (409) with the current pictures
 */
export async function saveAreas(
  context: PictureContext,
  author: CallAuthor,
  { areas, ...target }: AreasInput,
): Promise<PicturesSaved> {
  const uids = areas.map(({ location }) => location);
  const descendantUids = await context.locations.descendants(target.location);
  const accessibleUids = new Set(await context.locations.accessible(author.caller));
  const locationByUid = new Map(
    await Promise.all(uids.map(async (uid) => [uid, await context.locations.find(uid)] as const)),
  );
  /** Names the location of an area, or gives its uid if the caller cannot access it. */
  const refuse = (reason: keyof typeof outlineRefusals, index: number): never => {
    const uid = uids[index]!;
    const name = (accessibleUids.has(uid) ? locationByUid.get(uid)?.name : undefined) ?? uid;
    throw invalidRequest(outlineRefusals[reason](name), [
      {
        pointer: `/areas/${index}/${reason === 'crossing' ? 'polygon' : 'location'}`,
        message: validationMessages.format,
      },
    ]);
  };
  const crossingIndex = areas.findIndex(({ polygon }) => !isSimplePolygon(polygon));
  if (crossingIndex >= 0) refuse('crossing', crossingIndex);
  const duplicateIndex = uids.findIndex((uid, index) => uids.indexOf(uid) < index);
  if (duplicateIndex >= 0) refuse('double', duplicateIndex);
  return changePictures(context, author, target, 'locations.areasSaved', (row) => {
    // A location that was moved away keeps its area until an admin removes it.
    const allowedUids = new Set([
      ...descendantUids,
      ...row.areas.map(({ location }) => location).filter((uid) => accessibleUids.has(uid)),
    ]);
    const outsideIndex = uids.findIndex((uid) => !allowedUids.has(uid));
    if (outsideIndex >= 0) refuse('elsewhere', outsideIndex);
    const hiddenAreas = row.areas.filter(({ location }) => !accessibleUids.has(location));
    const visibleAreas = row.areas.filter(({ location }) => accessibleUids.has(location));
    return isDeepStrictEqual(visibleAreas, areas) ? {} : { areas: [...areas, ...hiddenAreas] };
  });
}
