import { atLocation, type Caller } from '#core/server';
import type { NumberedTag } from '../../contract/api.ts';
import { isViewSettled } from './compute-tag-views.ts';
import { toSearchKey } from './search-key.ts';
import { toursAtEach, type TourContext } from './tour-at.ts';

/**
 * Finds the tags and lines with a current or former number and a tour, ordered by site. Without such a number, finds
 * current numbers with the same letters and digits in any case.
 */
export async function findTagsByNumber(
  context: TourContext,
  caller: Caller,
  { number, site }: { readonly number: string; readonly site?: string },
): Promise<NumberedTag[]> {
  const { tables, locations } = context;
  const tagQuery = tables
    .selectFrom('tag')
    .select(['uid', 'code', 'description', 'location', 'site'])
    .$if(site !== undefined, (query) => query.where('site', '=', site ?? ''))
    .orderBy('site')
    .orderBy('code');
  const tagsOfNumber = await tagQuery
    .where('uid', 'in', ({ selectFrom }) =>
      selectFrom('code').select('entity').where('kind', '=', 'TAG').where('code', '=', number),
    )
    .execute();
  const key = toSearchKey(number);
  const tags =
    tagsOfNumber.length > 0 || key === '' ? tagsOfNumber : await tagQuery.where('search_key', 'like', key).execute();
  if (tags.length === 0) return [];
  const accessibleLocations = await locations.accessible(caller);
  const views = await tables
    .selectFrom('tag_view')
    .innerJoin('node', 'node.uid', 'tag_view.node')
    .distinctOn('tag_view.tag')
    .select(['tag_view.tag', 'node.tour', 'node.location'])
    .where(
      'tag_view.tag',
      'in',
      tags.map(({ uid }) => uid),
    )
    .where(isViewSettled)
    .where('node.panorama_file', 'is not', null)
    .where(atLocation('node.location', accessibleLocations))
    .orderBy('tag_view.tag')
    .orderBy('tag_view.distance')
    .orderBy('node.uid')
    .execute();
  const viewByTag = new Map(views.map((view) => [view.tag, view]));
  const unseenTags = await locations.filterAccessible(
    caller,
    tags.filter(({ uid }) => !viewByTag.has(uid)),
  );
  const toursAtTag = await toursAtEach(
    context,
    unseenTags.map(({ location }) => location),
  );
  const tourByTag = new Map([
    ...views.map(({ tag, tour }) => [tag, tour] as const),
    ...unseenTags.flatMap(({ uid, location }) => {
      const tour = toursAtTag.get(location)?.[0];
      return tour === undefined ? [] : [[uid, tour] as const];
    }),
  ]);
  if (tourByTag.size === 0) return [];
  const tours = new Map(
    (
      await tables
        .selectFrom('tour')
        .select(['uid', 'name', 'location'])
        .where('uid', 'in', [...new Set(tourByTag.values())])
        .execute()
    ).map((tour) => [tour.uid, tour]),
  );
  const numberedTags = await Promise.all(
    tags.map(async ({ uid, code, description, location, site: siteUid }): Promise<NumberedTag | undefined> => {
      const tour = tours.get(tourByTag.get(uid) ?? '');
      if (!tour) return undefined;
      // Without access to the location of the tour, the location of the node or the tag opens the tour.
      const isTourAccessible = await locations.canAccess(caller, tour.location);
      return {
        uid,
        number: code,
        description,
        site: { uid: siteUid, name: (await locations.find(siteUid))?.name ?? siteUid },
        tour: {
          name: tour.name,
          location: isTourAccessible ? tour.location : (viewByTag.get(uid)?.location ?? location),
        },
      };
    }),
  );
  return numberedTags.filter((tag) => tag !== undefined);
}
