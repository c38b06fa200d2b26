import { sql, type Kysely } from 'kysely';
import type { LocationRow, QueryOf } from '#core';
import type { Caller, ServerContext } from '#core/server';
import { maxEstimationRows } from '#plugins/expense';
import type { ExpenseEstimation, listEstimations } from '../../contract/api.ts';
import type { ExpenseTables } from '../tables.ts';

const emptyEstimation = { fixedCost: null, perDiem: null, tripDays: null, tourHours: null, version: 0 } as const;

/** The estimations of these sites, by uid. Sites without one are left out. */
async function loadEstimations(
  tables: Kysely<ExpenseTables>,
  sites: readonly string[],
): Promise<ReadonlyMap<string, ExpenseEstimation>> {
  const { rows } = await sql<ExpenseEstimation>`
    select location, fixed_cost::float8 as "fixedCost", per_diem::float8 as "perDiem", trip_days::float8 as "tripDays",
      tour_hours::float8 as "tourHours", row_version as version
    from expense.estimation where location = any(${[...sites]}::text[])`.execute(tables);
  return new Map(rows.map((row) => [row.location, row]));
}

/** Reads the estimation of a site. It is empty if the site has none. */
export async function findEstimation(tables: Kysely<ExpenseTables>, site: string): Promise<ExpenseEstimation> {
  return (await loadEstimations(tables, [site])).get(site) ?? { location: site, ...emptyEstimation };
}

/** Lists the estimations of accessible sites, sorted by the names of the sites, with a constant number of queries. */
export async function listSiteEstimations(
  { tables, locations }: Pick<ServerContext<ExpenseTables>, 'tables' | 'locations'>,
  caller: Caller,
  { text = '', state, offset = 0, limit = maxEstimationRows }: QueryOf<typeof listEstimations>,
): Promise<{ readonly total: number; readonly offset: number; readonly rows: ExpenseEstimation[] }> {
  const accessibleUids = new Set(await locations.accessible(caller));
  const searchText = text.trim().toLowerCase();
  const matches = ({ uid, name, label }: LocationRow): boolean =>
    [uid, name, label].some((siteText) => siteText.toLowerCase().includes(searchText));
  const sites = (await locations.all())
    .filter((location) => location.parent === null && accessibleUids.has(location.uid) && matches(location))
    .toSorted((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }))
    .map(({ uid }) => uid);
  const slicePage = (uids: readonly string[]): readonly string[] => uids.slice(offset, offset + limit);
  // A filter by state needs the estimations of all sites, else those of the page are enough.
  const estimationBySite = await loadEstimations(tables, state === undefined ? slicePage(sites) : sites);
  const selectedSites =
    state === undefined ? sites : sites.filter((uid) => estimationBySite.has(uid) === (state === 'COMPLETE'));
  return {
    total: selectedSites.length,
    offset,
    rows: slicePage(selectedSites).map(
      (location) => estimationBySite.get(location) ?? { location, ...emptyEstimation },
    ),
  };
}
