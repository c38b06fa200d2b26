import type pg from 'pg';
import type { ArchivedTable } from './archive-names.ts';

export interface CatalogColumn {
  readonly name: string;
  /** The name of an SQL type, such as `timestamp with time zone`. */
  readonly type: string;
}

export interface CatalogTable {
  readonly schema: string;
  readonly name: string;
  /** Without generated columns. */
  readonly columns: readonly CatalogColumn[];
}

export interface ForeignKey extends Pick<ArchivedTable, 'schema' | 'name'> {
  readonly constraint: string;
  readonly definition: string;
}

/** The product's schemas; `public` contains extensions only. */
const ownSchemas = "nspname not like 'pg\\_%' and nspname not in ('information_schema', 'public')";

/**
 * Lists all tables except the migration table, which the migrations of a restore create. Names of types are qualified
 * unless they are in `pg_catalog` or `public`.
 */
export async function listTables(client: pg.PoolClient): Promise<readonly CatalogTable[]> {
  await client.query('set local search_path to pg_catalog, public');
  const { rows } = await client.query<{ schema: string; name: string; columns: CatalogColumn[] | null }>(`
    select n.nspname as schema, c.relname as name,
      (select json_agg(json_build_object(
           'name', a.attname, 'type', format_type(a.atttypid, a.atttypmod)) order by a.attnum)
       from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and ${ownSchemas} and not (n.nspname = 'core' and c.relname = 'migration')
    order by 1, 2`);
  return rows.map(({ schema, name, columns }) => ({ schema, name, columns: columns ?? [] }));
}

export async function listForeignKeys(client: pg.PoolClient): Promise<readonly ForeignKey[]> {
  const { rows } = await client.query<ForeignKey>(`
    select n.nspname as schema, c.relname as name, k.conname as constraint, pg_get_constraintdef(k.oid) as definition
    from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
    where k.contype = 'f' and ${ownSchemas} order by 1, 2, 3`);
  return rows;
}

/** Lists the sequences that were used at least once. */
export async function listSequences(
  client: pg.PoolClient,
): Promise<readonly { readonly schema: string; readonly name: string; readonly last: string }[]> {
  const { rows } = await client.query<{ schema: string; name: string; last: string }>(`
    select schemaname as schema, sequencename as name, last_value::text as last
    from pg_sequences join pg_namespace on nspname = schemaname
    where last_value is not null and ${ownSchemas} order by 1, 2`);
  return rows;
}

/** Whether the product's schemas contain any table. */
export async function hasTables(client: pg.PoolClient): Promise<boolean> {
  const { rows } = await client.query(
    "select 1 from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.relkind in ('r', 'p', 'v', 'm') " +
      `and ${ownSchemas} limit 1`,
  );
  return rows.length > 0;
}
