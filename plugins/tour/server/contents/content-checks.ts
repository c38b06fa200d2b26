import { sql } from 'kysely';
import { atLocation, toFindings, type ServerContext } from '#core/server';
import { contentAdmin, panoramasAdmin, tagsAdmin } from '../../contract/index.ts';
import type { TourTables } from '../tables.ts';
import { hasCourse } from './read-tags.ts';

type CheckContext = Pick<ServerContext<TourTables>, 'tables' | 'locations' | 'registerCheck'>;

const lacksPositionAndViews = sql<boolean>`x is null and not exists (select from tour.tag_view where tag_view.tag = tag.uid)`;

/** Registers the content checks of decks, tours, viewpoints, links, tags and lines. */
export function registerContentChecks(context: CheckContext): void {
  context.registerCheck({
    id: 'unitWithoutTour',
    severity: 'WARNING',
    fix: { route: contentAdmin },
    find: (locationUids) => findUnitsWithoutTour(context, locationUids),
  });
  context.registerCheck({
    id: 'tourWithoutView',
    severity: 'ERROR',
    fix: { route: panoramasAdmin },
    find: (locations) => sql`
      select location, uid as subject, name from tour.tour
      where ${atLocation('location', locations)} and not exists (
        select from tour.node where node.tour = tour.uid and node.panorama_file is not null)`,
  });
  context.registerCheck({
    id: 'deckWithoutPlan',
    severity: 'WARNING',
    fix: { route: contentAdmin },
    find: (locations) => sql`
      select location, uid as subject, name from tour.deck
      where ${atLocation('location', locations)} and (plan_file is null or plan_x is null)`,
  });
  context.registerCheck({
    id: 'viewpointWithoutPicture',
    severity: 'WARNING',
    fix: { route: panoramasAdmin },
    find: (locations) => sql`
      select location, uid as subject, name from tour.node
      where ${atLocation('location', locations)} and panorama_file is null`,
  });
  context.registerCheck({
    id: 'viewpointWithoutLink',
    severity: 'ERROR',
    fix: { route: contentAdmin },
    find: (locations) => sql`
      select location, uid as subject, name from tour.node
      where ${atLocation('location', locations)} and not exists (select from tour.link where to_node = node.uid)
        and exists (select from tour.node as other where other.tour = node.tour and other.uid <> node.uid)`,
  });
  context.registerCheck({
    id: 'tagWithoutPlace',
    severity: 'WARNING',
    fix: { route: tagsAdmin, parameter: 'search' },
    find: (locations) => sql`
      select location, code as subject, code as name from tour.tag
      where ${atLocation('location', locations)} and type = 'TAG' and ${lacksPositionAndViews}`,
  });
  context.registerCheck({
    id: 'lineWithoutView',
    severity: 'WARNING',
    fix: { route: tagsAdmin, parameter: 'search' },
    find: (locations) => sql`
      select location, code as subject, code as name from tour.tag
      where ${atLocation('location', locations)} and type = 'LINE' and ${lacksPositionAndViews} and not ${hasCourse}`,
  });
  context.registerCheck({
    id: 'equalTags',
    severity: 'WARNING',
    fix: { route: tagsAdmin, parameter: 'search' },
    find: (locations) => sql`
      select location, code as subject, code as name from tour.tag
      where ${atLocation('location', locations)} and exists (
        select from tour.tag as other
        where other.site = tag.site and other.search_key = tag.search_key collate "C" and other.uid <> tag.uid)`,
  });
}

/** Finds units without a tour at the unit, its ancestors or its descendants. */
async function findUnitsWithoutTour({ tables, locations }: CheckContext, locationUids: readonly string[]) {
  const tours = await tables.selectFrom('tour').select('location').execute();
  const tourLocations = new Set(tours.map(({ location }) => location));
  const checkedUids = new Set(locationUids);
  const units = (await locations.all()).filter(
    ({ uid, locationType }) => locationType === 'PLATFORM_UNIT' && checkedUids.has(uid),
  );
  const unitsWithoutTour = await Promise.all(
    units.map(async ({ uid, name }) =>
      (await locations.related(uid)).some((relatedUid) => tourLocations.has(relatedUid))
        ? []
        : [{ location: uid, subject: uid, name }],
    ),
  );
  return toFindings(unitsWithoutTour.flat());
}
