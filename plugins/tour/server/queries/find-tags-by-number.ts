import { atLocation, type Caller } from '#core/server';
import type { NumberedTag } from '../../contract/api.ts';
import { toursAtEach, type TourContext } from './tour-at.ts';

/** Finds the tags and lines with a current or former number and a tour, ordered by site. */
export async function findTagsByNumber(
  context: TourContext,
  caller: Caller,
  { number, site }: { readonly number: string; readonly site?: string },
): Promise<NumberedTag[]> {
  const { tables, locations } = context;
  const tags = await tables
    .selectFrom('code')
    .innerJoin('tag', 'tag.uid', 'code.entity')
    .select(['tag.uid', 'tag.code', 'tag.description', 'tag.location', 'tag.site'])
    .where('code.kind', '=', 'TAG')
    .where('code.code', '=', number)
    .$if(site !== undefined, (query) => query.where('code.site', '=', site ?? ''))
    .orderBy('tag.site')
    .execute();
  if (tags.length === 0) return [];
  const accessible = await locations.accessible(caller);
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
    .where(atLocation('node.location', accessible))
    .orderBy('tag_view.tag')
    .orderBy('tag_view.distance')
    .execute();
  const viewOfTag = new Map(views.map((view) => [view.tag, view]));
  const unseen = await locations.filterAccessible(
    caller,
    tags.filter(({ uid }) => !viewOfTag.has(uid)),
  );
  const toursAtTag = await toursAtEach(
    context,
    unseen.map(({ location }) => location),
  );
  const tourOfTag = new Map([
    ...views.map(({ tag, tour }) => [tag, tour] as const),
    ...unseen.flatMap(({ uid, location }) => {
      const tour = toursAtTag.get(location)?.[0];
      return tour === undefined ? [] : [[uid, tour] as const];
    }),
  ]);
  if (tourOfTag.size === 0) return [];
  const tours = new Map(
    (
      await tables
        .selectFrom('tour')
        .select(['uid', 'name', 'location'])
        .where('uid', 'in', [...new Set(tourOfTag.values())])
        .execute()
    ).map((tour) => [tour.uid, tour]),
  );
  const found = await Promise.all(
    tags.map(async ({ uid, code, description, location, site: at }): Promise<NumberedTag | undefined> => {
      const tour = tours.get(tourOfTag.get(uid) ?? '');
      if (!tour) return undefined;
      // Without access to the tour's own location, the tour is opened by the location of the node or the tag.
      const isTourAccessible = await locations.canAccess(caller, tour.location);
      return {
        uid,
        number: code,
        description,
        site: { uid: at, name: (await locations.find(at))?.name ?? at },
        tour: {
          name: tour.name,
          location: isTourAccessible ? tour.location : (viewOfTag.get(uid)?.location ?? location),
        },
      };
    }),
  );
  return found.filter((tag) => tag !== undefined);
}
