import type { SettingsOf } from '#core';
import { conflict, invalidRequest, noAccess, notFound, type Caller, type ServerContext } from '#core/server';
import type { Selectable } from 'kysely';
import type { ImportPhase, ImportScope } from '#plugins/imports';
import { importsRefusal } from '../contract/errors.ts';
import type manifest from '../plugin.ts';
import type { AnyKind, KindRegistry } from './kinds/kind-registry.ts';
import type { StagedImport } from './queries/sheet-rows.ts';
import type { ImportsTables } from './tables.ts';

export type ImportContext = ServerContext<ImportsTables, SettingsOf<typeof manifest>> & {
  readonly kinds: KindRegistry;
};

/** Name of the file guard of uploaded and prepared workbooks. */
export const fileGuard = 'imports.file';

export type Batch = Selectable<ImportsTables['batch']>;

/**
 * Finds an import that the caller may see.
 *
 * @throws `notFound` (404); `noAccess` (403) without access to its site or kind
 */
export async function getBatch(context: ImportContext, caller: Caller, uid: string): Promise<Batch> {
  const batch = await context.tables.selectFrom('batch').selectAll().where('uid', '=', uid).executeTakeFirst();
  if (!batch) throw notFound('This import');
  context.kinds.get(batch.kind, caller);
  if (!(await canAccessPlace(context, caller, batch))) throw noAccess();
  return batch;
}

/** @throws `conflict` (409) */
export function assertPhase(batch: Pick<Batch, 'phase'>, phases: readonly ImportPhase[]): void {
  if (!phases.includes(batch.phase)) throw conflict(importsRefusal('imports.refused.wrongPhase'));
}

/** The site or the locations of an import, as the table `batch` stores them. */
export type ImportPlace = Pick<Batch, 'site' | 'locations' | 'all_locations'>;

/** Whether somebody may see an import. Deleted locations are ignored. */
async function canAccessPlace(
  { locations }: Pick<ImportContext, 'locations'>,
  caller: Caller,
  place: ImportPlace,
): Promise<boolean> {
  if (place.site !== null) return locations.canAccess(caller, place.site);
  if (place.all_locations) return caller.access.locations === 'ALL';
  for (const uid of place.locations)
    if ((await locations.find(uid)) && !(await locations.canAccess(caller, uid))) return false;
  return true;
}

/**
 * The place of a new import or export.
 *
 * @throws `invalidRequest` (400) without the site that the kind needs; `noAccess` (403)
 */
export async function findPlace(
  { locations }: Pick<ImportContext, 'locations'>,
  caller: Caller,
  { scope }: Pick<AnyKind, 'scope'>,
  site: string | undefined,
): Promise<ImportPlace> {
  const grantedLocations = caller.access.locations;
  if (scope === 'LOCATIONS')
    return {
      site: null,
      locations: grantedLocations === 'ALL' ? [] : grantedLocations,
      all_locations: grantedLocations === 'ALL',
    };
  if (scope === 'NONE') return { site: null, locations: [], all_locations: false };
  if (site === undefined) throw invalidRequest(importsRefusal('imports.refused.siteNeeded'));
  if (!(await locations.canAccess(caller, site))) throw noAccess();
  if ((await locations.findSite(site)) !== site) throw invalidRequest(importsRefusal('imports.refused.siteNeeded'));
  return { site, locations: [...(await locations.accessibleDescendants(caller, site))], all_locations: false };
}

/** Must not be called in a transaction. */
export async function readScope(
  { sites, locations }: Pick<ImportContext, 'sites' | 'locations'>,
  { site, locations: placeLocations, all_locations: hasAllLocations }: ImportPlace,
): Promise<ImportScope> {
  if (site === null) {
    const locationUids = hasAllLocations
      ? (await locations.all()).map(({ uid }) => uid)
      : (await Promise.all(placeLocations.map((uid) => locations.descendants(uid)))).flat();
    return { site, locations: [...new Set(locationUids)], timeZone: 'UTC', all: hasAllLocations };
  }
  const siteLocations = new Set(await locations.descendants(site));
  const { timeZone, frame } = await sites.recordAt(site);
  return { site, locations: placeLocations.filter((uid) => siteLocations.has(uid)), timeZone, unit: frame.unit };
}

export async function toStagedImport(
  context: Pick<ImportContext, 'sites' | 'locations'>,
  batch: Pick<Batch, 'uid' | 'mode' | 'author' | 'api'> & ImportPlace,
  kind: AnyKind,
): Promise<StagedImport> {
  return {
    batch: batch.uid,
    kind,
    scope: await readScope(context, batch),
    mode: batch.mode,
    author: batch.author,
    api: batch.api,
  };
}
