import { isDeepStrictEqual } from 'node:util';
import { invalidRequest } from '#core/server';
import { isSimplePolygon } from '../../common/polygon.ts';
import type { NavigationArea, PicturesSaved } from '../../contract/index.ts';
import { changePictures, type PictureAuthor, type PictureContext } from './picture-changes.ts';

export interface AreasInput {
  readonly location: string;
  readonly version: number;
  readonly areas: readonly NavigationArea[];
}

/**
 * Replaces the areas of a navigation image. Those that the caller does not see stay in the row: of locations without
 * access, and of deleted ones, so that they are back when the deletion is undone.
 *
 * @throws `invalidRequest` (400) if an outline crosses itself, or if a location is elsewhere or has two areas;
 *   `changedMeanwhile` (409) with the present pictures
 */
export async function saveAreas(
  context: PictureContext,
  author: PictureAuthor,
  { areas, ...target }: AreasInput,
): Promise<PicturesSaved> {
  for (const [index, { polygon }] of areas.entries())
    if (!isSimplePolygon(polygon))
      throw invalidRequest('The outline of an area crosses itself.', [
        { pointer: `/areas/${index}/polygon`, message: 'core.validation.format' },
      ]);
  const uids = areas.map(({ location }) => location);
  if (new Set(uids).size < uids.length) throw invalidRequest('A location has two areas.');
  const below = await context.locations.descendants(target.location);
  const accessible = new Set(await context.locations.accessible(author.caller));
  return changePictures(context, author, target, (row) => {
    // A location that was moved away keeps its area until an admin removes it.
    const allowed = new Set([
      ...below,
      ...row.areas.map(({ location }) => location).filter((uid) => accessible.has(uid)),
    ]);
    const outside = uids.findIndex((uid) => !allowed.has(uid));
    if (outside >= 0)
      throw invalidRequest(`The location ${uids[outside]} is not below ${target.location}.`, [
        { pointer: `/areas/${outside}/location`, message: 'core.validation.format' },
      ]);
    const hidden = row.areas.filter(({ location }) => !accessible.has(location));
    const visible = row.areas.filter(({ location }) => accessible.has(location));
    if (isDeepStrictEqual(visible, areas)) return { action: 'locations.areasSaved', fields: {} };
    return { action: 'locations.areasSaved', fields: { areas: [...areas, ...hidden] } };
  });
}
