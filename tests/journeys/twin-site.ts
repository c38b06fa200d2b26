import path from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';

const original = 'HB';

/**
 * Copies the demo's site and tour in a data folder that no server uses: same codes, uids with the prefix `T-`, shared
 * images.
 */
export async function addTwinSite(data: string): Promise<void> {
  const database = await PGlite.create({ dataDir: path.join(data, 'database'), extensions: { pg_trgm } });
  try {
    await database.transaction(async (transaction) => {
      for (const { table, uids, where, ...changes } of tables) {
        const { rows } = await transaction.query<{ readonly column_name: string }>(
          'select column_name from information_schema.columns where table_schema = $1 and table_name = $2',
          table.split('.'),
        );
        const values: Readonly<Record<string, string>> = {
          ...Object.fromEntries(uids.map((column) => [column, `'T-' || ${column}`])),
          ...changes.values,
        };
        const columns = rows.map(({ column_name: name }) => name);
        await transaction.exec(
          `insert into ${table} (${columns.join(', ')})
           select ${columns.map((column) => values[column] ?? column).join(', ')} from ${table} where ${where}`,
        );
      }
    });
  } finally {
    await database.close();
  }
}

interface CopiedTable {
  readonly table: string;
  /** Columns with the uid of an entity or a location. */
  readonly uids: readonly string[];
  readonly where: string;
  readonly values?: Readonly<Record<string, string>>;
}

const ofSite = `site = '${original}'`;
const nodesOfSite = `(select uid from tour.node where ${ofSite})`;
const tables: readonly CopiedTable[] = [
  {
    table: 'core.location',
    uids: ['uid', 'parent', 'root'],
    where: `root = '${original}'`,
    values: { position: 'position + 1000', name: `name || ' twin'` },
  },
  { table: 'core.site', uids: ['location'], where: `location = '${original}'` },
  { table: 'tour.code', uids: ['site', 'entity'], where: ofSite },
  { table: 'tour.tour', uids: ['uid', 'site', 'location', 'start_node'], where: ofSite },
  { table: 'tour.deck', uids: ['uid', 'site', 'location'], where: ofSite },
  { table: 'tour.node', uids: ['uid', 'site', 'tour', 'deck', 'location'], where: ofSite },
  { table: 'tour.link', uids: ['from_node', 'to_node'], where: `from_node in ${nodesOfSite}` },
  { table: 'tour.tag', uids: ['uid', 'site', 'location', 'line'], where: `${ofSite} and type = 'LINE'` },
  { table: 'tour.tag', uids: ['uid', 'site', 'location', 'line'], where: `${ofSite} and type = 'TAG'` },
  { table: 'tour.tag_view', uids: ['tag', 'node'], where: `node in ${nodesOfSite}` },
];
