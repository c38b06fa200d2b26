import { toPanTilt, vectorLength, type Point3 } from '#core';
import { atLocation, isOutage, type Caller } from '#core/server';
import { computeVisibleFraction, minVisibleFraction, rankView, tagReachMetres } from '../../common/tag-views.ts';
import { maxPreviewedViews, type ContentTagView, type TagViewsPreview } from '../../contract/api/tag-content.ts';
import { findEarlierRanges, toNodeRanges } from '../queries/node-ranges.ts';
import { readRangePicture } from '../queries/range-picture.ts';
import { findTagOrDocument, type ContentContext } from './content-context.ts';

/** Maximum number of range images that a preview reads. Each takes a tenth of a second. */
const maxReadImages = 10;

/**
 * Finds the viewpoints that would see a tag at a position, by the same rules as the change and its job.
 *
 * @throws `notFound` (404)
 */
export async function previewViews(
  context: ContentContext,
  caller: Caller,
  { location, tag: uid }: { readonly location: string; readonly tag: string },
  { east, north, up }: { readonly east: number; readonly north: number; readonly up: number },
): Promise<TagViewsPreview> {
  const { site } = await findTagOrDocument(context, 'tag', location, uid);
  const { kind } = await context.tables
    .selectFrom('tag')
    .select('kind')
    .where('uid', '=', uid)
    .executeTakeFirstOrThrow();
  const nodesInReach = await context.tables
    .selectFrom('node')
    .select(['uid', 'code', 'name', 'location', 'x', 'y', 'z', 'heading', 'range_file'])
    .where('site', '=', site)
    .where(({ between }) => between('x', east - tagReachMetres, east + tagReachMetres))
    .where(({ between }) => between('y', north - tagReachMetres, north + tagReachMetres))
    .where(({ between }) => between('z', up - tagReachMetres, up + tagReachMetres))
    .where(atLocation('location', await context.locations.accessible(caller)))
    .orderBy('code')
    .orderBy('uid')
    .execute();
  const rangesByNode = await findEarlierRanges(
    context,
    nodesInReach.map((node) => node.uid),
  );
  const candidates = nodesInReach
    .map((node) => {
      const ray: Point3 = [east - node.x, north - node.y, up - node.z];
      const ranges = toNodeRanges(node) ?? rangesByNode.get(node.uid);
      return { node, ray, ranges, ...toPanTilt(ray), distance: vectorLength(ray) };
    })
    .filter(({ distance }) => distance <= tagReachMetres)
    .toSorted((a, b) => rankView(a) - rankView(b));
  const viewsToRead = new Set(candidates.filter(({ ranges }) => ranges).slice(0, maxReadImages));
  const views: ContentTagView[] = [];
  let hiddenCount = 0;
  for (const view of candidates) {
    const { node, ray, ranges, pan, tilt, distance } = view;
    const visible = ranges && viewsToRead.has(view) ? await readVisibleFraction(context, ray, kind, ranges) : null;
    if (visible !== null && visible < minVisibleFraction) hiddenCount += 1;
    else if (views.length < maxPreviewedViews)
      views.push({
        node: node.uid,
        code: node.code,
        name: node.name,
        location: node.location,
        pan,
        tilt,
        distance,
        visible,
        hasDepth: ranges !== undefined,
      });
  }
  return { views, hidden: hiddenCount };
}

/** Returns null (unknown, counts as visible) if the range image is unreadable. */
async function readVisibleFraction(
  { files }: Pick<ContentContext, 'files'>,
  ray: Point3,
  kind: string,
  { file, heading }: { readonly file: string; readonly heading: number },
): Promise<number | null> {
  try {
    const ranges = await readRangePicture(files, file, heading);
    return computeVisibleFraction(ray, kind, (pan, tilt) => ranges.at(pan, tilt));
  } catch (error) {
    if (isOutage(error)) throw error;
    return null;
  }
}
