import { selectRecordedPlugins, type MigrationOwner } from '../database/migrate.ts';
import type { PoolDatabase } from '../database/pool-database.ts';

/** The data of a plugin that the product does not have. */
export interface UnusedData {
  readonly plugin: string;
  readonly tables: number;
  /** The size of tables and indexes, without files. */
  readonly bytes: number;
}

/** Finds the data of removed plugins in a migrated database. */
export async function findUnusedData(
  database: PoolDatabase,
  migrationSources: readonly MigrationOwner[],
): Promise<readonly UnusedData[]> {
  return database.query<UnusedData>(
    `select plugin, count(table_name.oid)::int as tables,
      coalesce(sum(pg_total_relation_size(table_name.oid)), 0)::bigint as bytes
    from (${selectRecordedPlugins}) recorded
    left join pg_namespace space on space.nspname = recorded.schema
    left join pg_class table_name on table_name.relnamespace = space.oid and table_name.relkind = 'r'
    where plugin <> all($1) group by plugin order by plugin`,
    [migrationSources.map(({ id }) => id)],
  );
}

/** One sentence for the operator who starts or migrates a product. */
export function describeUnusedData({ plugin, tables, bytes }: UnusedData): string {
  return (
    `The database holds data of "${plugin}", which this product does not have (tables: ${tables}, ` +
    `${(bytes / 1024 / 1024).toFixed(1)} MiB). They are unchanged and part of every backup. To remove them: ` +
    `walkdown drop ${plugin}.`
  );
}
