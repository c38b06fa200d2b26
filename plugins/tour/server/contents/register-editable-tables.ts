import { sql, type Transaction } from 'kysely';
import { matchesAny, type ServerContext } from '#core/server';
import type { TourTables } from '../tables.ts';
import { restoreCodes } from '../queries/codes.ts';
import { dropStaleRanges } from '../queries/drop-ranges.ts';
import { restoreImportedViews } from '../queries/write-imported-views.ts';
import { levelPanoramas } from './level-panoramas.ts';
import { findMovedSubjects, settleTagViews } from './settle-tag-views.ts';

const readUids = (rows: readonly Readonly<Record<string, unknown>>[], column: string): readonly string[] =>
  rows.flatMap((row) => (typeof row[column] === 'string' ? [row[column]] : []));

/** Registers the tables that admins edit, so that changes are recorded and can be undone. */
export function registerEditableTables({
  changes,
  files,
  jobs,
}: Pick<ServerContext<TourTables>, 'changes' | 'files' | 'jobs'>): void {
  const entity = { key: ['uid'], name: 'name', location: 'location', version: 'row_version' } as const;
  const codedEntity = { ...entity, name: 'code' } as const;
  const direction = ['pan', 'tilt', 'distance'] as const;
  changes.register({
    tables: {
      code: {
        key: ['site', 'kind', 'code'],
        name: 'code',
        belongsTo: { column: 'entity', tables: ['tour', 'deck', 'node', 'tag', 'document'] },
      },
      tour: { ...entity, derived: ['version'] },
      deck: entity,
      node: entity,
      link: { key: ['from_node', 'to_node'], derived: direction },
      alignment: { key: ['node'] },
      capture: { key: ['uid'] },
      incoming: { key: ['uid'] },
      tag: codedEntity,
      pipe: { key: ['line'] },
      tag_view: { key: ['node', 'tag'], derived: [...direction, 'visible'] },
      document: codedEntity,
      document_revision: { key: ['document', 'revision'], name: 'revision', version: 'row_version' },
      document_link: { key: ['tag', 'document'] },
    },
    // Tag views can be computed again from positions.
    disposable: ['visited_node', 'tag_view', 'range_run'],
    // Lets the job that computes or checks views start at once.
    announce: async ({ tag = [], node = [] }) => {
      if (tag.length > 0 || node.length > 0) await jobs.notifyRunners();
    },
    settle: async (transaction, changedRows, formerRows) => {
      const { tour = [], deck = [], node = [], link = [], tag_view: view = [], tag = [], pipe = [] } = changedRows;
      const { document = [], document_revision: revision = [], code = [] } = changedRows;
      await restoreCodes(transaction, readUids(code, 'entity'));
      await dropStaleRanges(transaction, readUids(node, 'uid'));
      await levelPanoramas({ jobs }, transaction, node, formerRows.node ?? []);
      await settleTagViews(
        { jobs },
        transaction,
        findMovedSubjects({ tag, node }, { tag: formerRows.tag ?? [], node: formerRows.node ?? [] }),
      );
      await restoreImportedViews(transaction, [...new Set(readUids(view, 'tag'))]);
      // A change of only the line data also increments the version of the line.
      const tags = new Set(readUids(tag, 'uid'));
      const lines = readUids(pipe, 'line').filter((line) => !tags.has(line));
      if (lines.length > 0)
        await transaction
          .updateTable('tag')
          .set({ row_version: sql<number>`row_version + 1` })
          .where(matchesAny('uid', lines))
          .execute();
      const nodes = [
        ...readUids(node, 'uid'),
        ...readUids(link, 'from_node'),
        ...readUids(link, 'to_node'),
        ...readUids(view, 'node'),
        ...(await listNodesOfDecks(transaction, readUids(deck, 'uid'))),
      ];
      await settleDirections(transaction, [...new Set(nodes)]);
      await files.moveTo(
        await listFileLocations(transaction, readUids(node, 'uid'), [
          ...readUids(document, 'uid'),
          // The file of a restored revision is at the former location if the document was moved.
          ...readUids(revision, 'document'),
        ]),
        transaction,
      );
      const sites = [...readUids(tour, 'site'), ...readUids(deck, 'site'), ...readUids(node, 'site')];
      await sql`
        update tour.tour set version = version + 1
        where site = any(${[...new Set(sites)]}::text[])
          or uid in (select tour from tour.node where uid = any(${nodes}::text[]))`.execute(transaction);
    },
  });
}

/** Lists the files of these nodes and documents with the location of the node or document. */
async function listFileLocations(
  transaction: Transaction<TourTables>,
  nodes: readonly string[],
  documents: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (nodes.length === 0 && documents.length === 0) return new Map();
  const { rows } = await sql<{ file: string; location: string }>`
    select file, node.location from tour.node
    cross join lateral (
      values (node.panorama_file), (node.range_file), (node.thumbnail_file), (node.pyramid_file)
      union all select unnest(array[panorama_file, range_file, pyramid_file]) from tour.capture where capture.node = node.uid
      union all select panorama_file from tour.incoming where incoming.node = node.uid
    ) as used (file)
    where node.uid = any(${[...nodes]}::text[]) and file is not null
    union all
    select file, document.location from tour.document_revision join tour.document on document.uid = document_revision.document
    where document.uid = any(${[...documents]}::text[])`.execute(transaction);
  return new Map(rows.map(({ file, location }) => [file, location]));
}

async function listNodesOfDecks(
  transaction: Transaction<TourTables>,
  decks: readonly string[],
): Promise<readonly string[]> {
  if (decks.length === 0) return [];
  const rows = await transaction.selectFrom('node').select('uid').where(matchesAny('deck', decks)).execute();
  return rows.map(({ uid }) => uid);
}

/** Assumed height of a camera above a floor that is not its deck, such as a platform, metres. */
const eyeHeightMetres = 1.7;
/** A camera whose height above its deck is in this range stands on the deck, metres. */
const cameraHeightMetres = { min: 0.3, max: 2.5 } as const;

/** Computes directions and distances of the links of these nodes from their positions. */
async function settleDirections(transaction: Transaction<TourTables>, nodes: readonly string[]): Promise<void> {
  if (nodes.length === 0) return;
  // Pan is clockwise from north. A link points to the foot of the other node. Its distance is the distance between the cameras.
  await sql`
    update tour.link set
      pan = ${computePan(sql`b.x - a.x`, sql`b.y - a.y`)},
      tilt = degrees(atan2(
        case when b.z - deck.elevation between ${cameraHeightMetres.min}::float8 and ${cameraHeightMetres.max}::float8
          then deck.elevation else b.z - ${eyeHeightMetres}::float8 end - a.z,
        sqrt((b.x - a.x) ^ 2 + (b.y - a.y) ^ 2))),
      distance = sqrt((b.x - a.x) ^ 2 + (b.y - a.y) ^ 2 + (b.z - a.z) ^ 2)
    from tour.node a, tour.node b left join tour.deck on deck.uid = b.deck
    where link.from_node = a.uid and link.to_node = b.uid
      and (link.from_node = any(${[...nodes]}::text[]) or link.to_node = any(${[...nodes]}::text[]))`.execute(
    transaction,
  );
}

/** Computes the pan of a vector to the east and north, degrees in [0, 360). */
const computePan = (east: ReturnType<typeof sql>, north: ReturnType<typeof sql>) =>
  sql`degrees(atan2(${east}, ${north})) + case when atan2(${east}, ${north}) < 0 then 360 else 0 end`;
