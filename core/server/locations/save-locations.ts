import { sql } from 'kysely';
import { defaultSiteRecord, type SiteRecord } from '#core';
import { coreRefusal } from '#core/api';
import type { LocationContents } from '../access/location-contents.ts';
import { assertSiteRecord } from '../access/site-record.ts';
import { fromSiteRecord } from '../access/site-tables.ts';
import type { Clock } from '../kernel/clock.ts';
import { conflict } from '../kernel/server-error.ts';
import type { LocationInput, LocationWriter } from './location-writer.ts';
import { loadTree, StoredTree, type StoredLocation } from './location-tree.ts';

interface SaveOptions {
  readonly contents: LocationContents;
  readonly clock: Clock;
  /** IANA time zone of the deployment, for new sites without a record. */
  readonly timeZone: string;
}

/** See `LocationWriter.save`. */
export async function saveLocations(
  { contents, clock, timeZone }: SaveOptions,
  ...[{ tables, lockAndRecord }, { saved, removed }]: Parameters<LocationWriter['save']>
): Promise<void> {
  const tree = await loadTree(tables);
  const rows = toStoredLocations(tree, saved);
  assertTree(tree, rows, removed);
  const [inUse] = await contents.listLocationsWithContents(removed, tables);
  if (inUse !== undefined)
    throw conflict(coreRefusal('core.refused.locationInUse', { name: tree.find(inUse)?.name ?? inUse }));
  const sites = new Map(
    saved.flatMap(({ uid, locationType, site }): [string, SiteRecord][] => {
      if (site) return [[uid, site]];
      return locationType === 'PRIMARY_LOCATION' && !tree.find(uid) ? [[uid, defaultSiteRecord(timeZone)]] : [];
    }),
  );
  for (const site of sites.values()) assertSiteRecord(site);
  await lockAndRecord('location', 'uid', [...removed, ...rows.map(({ uid }) => uid)]);
  await lockAndRecord('site', 'location', [...removed, ...sites.keys()]);
  await lockAndRecord('role_location', 'location', removed);
  await sql`delete from core.location where uid = any(${[...removed]}::text[])`.execute(tables);
  await sql`
    insert into core.location (uid, label, name, parent, root, location_type, position)
    select uid, label, name, parent, root, "locationType", position
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as input (
      uid text, label text, name text, parent text, root text, "locationType" text, position float8)
    on conflict (uid) do update set label = excluded.label, name = excluded.name, parent = excluded.parent,
      location_type = excluded.location_type, position = excluded.position`.execute(tables);
  const records = [...sites].map(([location, site]) => ({ location, ...fromSiteRecord(site) }));
  await sql`
    insert into core.site (location, time_zone, crs, origin_east, origin_north, origin_up, rotation, unit,
      vertical_datum, updated_at)
    select location, time_zone, crs, origin_east, origin_north, origin_up, rotation, unit, vertical_datum,
      ${new Date(clock.now())}::timestamptz
    from jsonb_populate_recordset(null::core.site, ${JSON.stringify(records)}::jsonb) as input
    on conflict (location) do update set time_zone = excluded.time_zone, crs = excluded.crs,
      origin_east = excluded.origin_east, origin_north = excluded.origin_north, origin_up = excluded.origin_up,
      rotation = excluded.rotation, unit = excluded.unit, vertical_datum = excluded.vertical_datum,
      updated_at = excluded.updated_at`.execute(tables);
}

/** Converts inputs to rows with roots and positions, and with the codes of parents as they are spelled in the tree. */
function toStoredLocations(tree: StoredTree, inputs: readonly LocationInput[]): readonly StoredLocation[] {
  const spellings = new Map(
    [...tree.rows.keys(), ...inputs.map(({ uid }) => uid)].map((uid) => [uid.toLowerCase(), uid]),
  );
  const parents = new Map<string, string | null>([...tree.rows.values()].map(({ uid, parent }) => [uid, parent]));
  let position = tree.lastPosition;
  const rows = inputs.map(({ site: _site, ...input }) => {
    const currentLocation = tree.find(input.uid);
    const parent = input.parent === null ? null : (spellings.get(input.parent.toLowerCase()) ?? input.parent);
    parents.set(input.uid, parent);
    return {
      ...input,
      parent,
      position: input.position ?? currentLocation?.position ?? (position += 1),
      version: currentLocation?.version ?? 1,
    };
  });
  const findRoot = (uid: string): string => {
    const visitedUids = new Set<string>();
    let root = uid;
    for (let parent = parents.get(root); parent && !visitedUids.has(root); parent = parents.get(root)) {
      visitedUids.add(root);
      root = parent;
    }
    return root;
  };
  return rows.map((row) => ({ ...row, root: findRoot(row.uid) }));
}

function assertTree(tree: StoredTree, rows: readonly StoredLocation[], removedUids: readonly string[]): void {
  const removedSet = new Set(removedUids);
  const keptTree = new StoredTree([...tree.rows.values()].filter(({ uid }) => !removedSet.has(uid)));
  const changedTree = keptTree.with(rows);
  for (const row of rows) {
    const currentLocation = tree.find(row.uid);
    if (!currentLocation && tree.hasCode(row.uid))
      throw conflict(coreRefusal('core.refused.locationCode', { uid: row.uid }));
    const isMoved =
      !currentLocation || currentLocation.parent !== row.parent || currentLocation.locationType !== row.locationType;
    const misplacement = isMoved ? changedTree.findMisplacement(row) : undefined;
    if (misplacement) throw conflict(misplacement);
    if (currentLocation && isMoved && currentLocation.root !== row.root)
      throw conflict(coreRefusal('core.refused.locationOtherSite'));
  }
  for (const uid of removedUids)
    if (changedTree.children(uid).length > 0)
      throw conflict(coreRefusal('core.refused.locationInUse', { name: tree.find(uid)?.name ?? uid }));
}
