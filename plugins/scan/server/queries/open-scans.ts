import { sql, type Selectable } from 'kysely';
import { dayAt } from '#core';
import {
  atLocation,
  prepareReply,
  TtlCache,
  type Caller,
  type FileStore,
  type PreparedReply,
  type ServerContext,
} from '#core/server';
import { Tours } from '#plugins/tour';
import type { ScanStation, Scans } from '../../contract/api.ts';
import { findLinkedNodes } from './find-linked-nodes.ts';
import type { ScanTables } from '../tables.ts';
import { findTokenAndUnblockedLocations } from './scan-token.ts';

export type ScanContext = Pick<ServerContext<ScanTables>, 'tables' | 'locations' | 'sites' | 'files' | 'service'>;

const maxReplies = 20;
const lifetimeMs = 600_000;

/** Caches the replies to `openScans` for each state of the token, the stations and the nodes of their tours. */
export class ScanReplyCache {
  readonly #context: ScanContext;
  readonly #tokenRequired: boolean;
  readonly #replies = new TtlCache<PreparedReply>({ clock: Date, lifetime: lifetimeMs, capacity: maxReplies });

  constructor(context: ScanContext, tokenRequired: boolean) {
    this.#context = context;
    this.#tokenRequired = tokenRequired;
  }

  /** Returns the stations of the tour at a location that the caller can access; none without a valid token. */
  async open(caller: Caller, location: string): Promise<PreparedReply | Scans> {
    const { locations, sites } = this.#context;
    const accessibleLocations = await locations.accessibleDescendants(caller, await findUnit(this.#context, location));
    const { token, unblocked } = await findTokenAndUnblockedLocations(
      this.#context,
      location,
      accessibleLocations,
      this.#tokenRequired,
    );
    if (unblocked.length === 0) return { token, stations: [] };
    const { timeZone } = await sites.recordAt(location);
    const version = await computeVersion(this.#context, unblocked);
    const key = JSON.stringify([version, token, timeZone]);
    return this.#replies.get(key, async () => {
      const stations = await findStations(this.#context, unblocked, timeZone);
      // The reply may contain changes that were made during the read, so it is not cached for this version.
      if ((await computeVersion(this.#context, unblocked)) !== version) this.#replies.drop(key);
      return prepareReply({ token, stations } satisfies Scans);
    });
  }
}

/**
 * Computes a version of the stations at these locations and of the nodes that they can be linked to. It hashes `xmin`,
 * the last transaction that wrote a row, because hashing the whole row is far slower.
 */
async function computeVersion({ tables, service }: ScanContext, locations: readonly string[]): Promise<string> {
  const { hash, stationLocations } = await tables
    .selectFrom('station')
    .select([
      sql<string | null>`md5(string_agg(uid || xmin::text, ',' order by uid collate "C"))`.as('hash'),
      sql<readonly string[] | null>`array_agg(distinct location collate "C")`.as('stationLocations'),
    ])
    .where(atLocation('location', locations))
    .executeTakeFirstOrThrow();
  return JSON.stringify([hash, await service(Tours).nodesVersion(stationLocations ?? [])]);
}

async function findStations(
  context: ScanContext,
  locations: readonly string[],
  timeZone: string,
): Promise<ScanStation[]> {
  const stations = await context.tables
    .selectFrom('station')
    .selectAll()
    .where(atLocation('location', locations))
    .orderBy('name')
    .orderBy('uid')
    .execute();
  const nodes = await findLinkedNodes(context, stations);
  return stations.map((station) => toStation(station, nodes.get(station.uid)?.uid ?? null, timeZone, context.files));
}

/**
 * Returns the topmost unit above a location, or the location itself. A location without a tour shows the tour of its
 * nearest ancestor that has one, whose stations may lie outside of the location.
 */
async function findUnit({ locations }: Pick<ServerContext, 'locations'>, location: string): Promise<string> {
  const path = await Promise.all((await locations.ancestors(location)).map((uid) => locations.find(uid)));
  return path.findLast((row) => row?.locationType === 'PLATFORM_UNIT')?.uid ?? location;
}

function toStation(
  row: Selectable<ScanTables['station']>,
  node: string | null,
  timeZone: string,
  files: FileStore,
): ScanStation {
  const id = row.tiles_file;
  return {
    uid: row.uid,
    name: row.name,
    node,
    linkMode: row.link,
    location: row.location,
    position: [row.x, row.y, row.z],
    heading: row.heading,
    capturedAt: row.captured_at.toISOString(),
    day: dayAt(row.captured_at, timeZone),
    picture:
      id === null || row.pyramid === null
        ? null
        : { id, address: files.url(id), ...row.pyramid, levels: [...row.pyramid.levels] },
    ranges: id === null || row.ranges === null ? null : { id, address: files.url(id), ...row.ranges, sigma: row.sigma },
  };
}
