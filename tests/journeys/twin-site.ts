import path from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { btree_gin } from '@electric-sql/pglite/contrib/btree_gin';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';

const originalSite = 'HB';

/**
 * Copies the demo's site and tour within a data folder that no server is using. The copy has the same codes and images.
 * Its uids have the prefix `T-`.
 */
export async function addTwinSite(dataFolder: string): Promise<void> {
  const database = await PGlite.create({
    dataDir: path.join(dataFolder, 'database'),
    extensions: { btree_gin, pg_trgm },
  });
  try {
    await database.transaction(async (transaction) => {
      for (const { table, uidColumns, where, ...changes } of tables) {
        const { rows } = await transaction.query<{ readonly column_name: string }>(
          'select column_name from information_schema.columns where table_schema = $1 and table_name = $2',
          table.split('.'),
        );
        const values: Readonly<Record<string, string>> = {
          ...Object.fromEntries(uidColumns.map((column) => [column, `'T-' || ${column}`])),
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
  readonly uidColumns: readonly string[];
  readonly where: string;
  readonly values?: Readonly<Record<string, string>>;
}

const siteCondition = `site = '${originalSite}'`;
const nodesQuery = `(select uid from tour.node where ${siteCondition})`;
const tables: readonly CopiedTable[] = [
  {
    table: 'core.location',
    uidColumns: ['uid', 'parent', 'root'],
    where: `root = '${originalSite}'`,
    values: { position: 'position + 1000', name: `name || ' twin'` },
  },
  { table: 'core.site', uidColumns: ['location'], where: `location = '${originalSite}'` },
  { table: 'tour.code', uidColumns: ['site', 'entity'], where: siteCondition },
  { table: 'tour.tour', uidColumns: ['uid', 'site', 'location', 'start_node'], where: siteCondition },
  { table: 'tour.deck', uidColumns: ['uid', 'site', 'location'], where: siteCondition },
  { table: 'tour.node', uidColumns: ['uid', 'site', 'tour', 'deck', 'location'], where: siteCondition },
  { table: 'tour.link', uidColumns: ['from_node', 'to_node'], where: `from_node in ${nodesQuery}` },
  { table: 'tour.tag', uidColumns: ['uid', 'site', 'location', 'line'], where: `${siteCondition} and type = 'LINE'` },
  { table: 'tour.tag', uidColumns: ['uid', 'site', 'location', 'line'], where: `${siteCondition} and type = 'TAG'` },
  { table: 'tour.tag_view', uidColumns: ['tag', 'node'], where: `node in ${nodesQuery}` },
];
