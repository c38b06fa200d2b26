import type pg from 'pg';
import type { Logger } from 'pino';
import { formatQualifiedName } from '../backup/archive-names.ts';
import { listTables, type CatalogTable } from '../backup/catalog.ts';
import type { BackupContext } from '../backup/backup.ts';
import { migrationLock, toPluginSchema } from '../database/migrate.ts';
import { StoredFiles } from '../files/stored-files.ts';
import { ConfigurationError } from '../kernel/configuration-error.ts';
import { findUnusedData } from './unused-data.ts';

/** The data of a plugin that `dropPluginData` removes. */
export interface PluginData {
  readonly plugin: string;
  readonly tables: number;
  readonly rows: number;
  readonly files: number;
  /** The total size of the files. */
  readonly bytes: number;
}

/** Tables of core that refer to files without owning them. */
const tablesWithoutOwnFiles = new Set(['core.file', 'core.file_part', 'core.audit_log']);

/**
 * Removes the tables and jobs of a plugin that the product does not have, and the files that only this plugin uses.
 * Returns the removed data, or undefined if `confirm` returned false.
 *
 * @throws ConfigurationError if the product has the plugin, the plugin has no data, or other tables refer to its tables
 */
export async function dropPluginData(
  plugin: string,
  { database, blobs, migrationSources, log }: BackupContext & { readonly log: Logger },
  confirm: (data: PluginData) => Promise<boolean>,
): Promise<PluginData | undefined> {
  if (migrationSources.some(({ id }) => id === plugin))
    throw new ConfigurationError(
      `This product has "${plugin}": its data are in use. Take the plugin out of the profile ("${plugin}": false), ` +
        'build the product, and drop the data with that build.',
    );
  const unusedPlugins = (await findUnusedData(database, migrationSources)).map((data) => data.plugin);
  if (!unusedPlugins.includes(plugin))
    throw new ConfigurationError(
      `The database holds no data of "${plugin}". ` +
        (unusedPlugins.length === 0
          ? 'It holds no unused data at all.'
          : `Plugins with unused data: ${unusedPlugins.join(', ')}.`),
    );
  const data = await database.withClient((client) =>
    runInTransaction(client, 'rollback', () => measureData(client, plugin)),
  );
  if (!(await confirm(data.summary))) return undefined;
  const { summary } = await database.withClient((client) =>
    runInTransaction(client, 'commit', async () => {
      const currentData = await measureData(client, plugin);
      await removeData(client, plugin, currentData.files);
      return currentData;
    }),
  );
  await new StoredFiles(database, blobs, log).cleanUp(database.kind === 'embedded');
  return summary;
}

async function runInTransaction<T>(
  client: pg.PoolClient,
  end: 'commit' | 'rollback',
  work: () => Promise<T>,
): Promise<T> {
  await client.query('begin');
  try {
    await client.query('set local statement_timeout = 0');
    // A server that starts during the transaction waits for this lock.
    await client.query('select pg_advisory_xact_lock($1)', [migrationLock]);
    const result = await work();
    await client.query(end);
    return result;
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

async function measureData(
  client: pg.PoolClient,
  plugin: string,
): Promise<{ readonly summary: PluginData; readonly files: readonly string[] }> {
  const schema = toPluginSchema(plugin);
  await assertNotReferenced(client, plugin, schema);
  const tables = await listTables(client);
  const ownTables = tables.filter((table) => table.schema === schema);
  let rows = 0;
  for (const table of ownTables) {
    const countResult = await client.query<{ count: string }>(
      `select count(*)::text as count from ${formatQualifiedName(table)}`,
    );
    rows += Number(countResult.rows[0]?.count ?? 0);
  }
  const files = await listOwnFiles(client, plugin, tables);
  const sizeResult = await client.query<{ bytes: string }>(
    'select coalesce(sum(bytes), 0)::text as bytes from core.file where id = any($1)',
    [files],
  );
  const bytes = Number(sizeResult.rows[0]?.bytes ?? 0);
  return { summary: { plugin, tables: ownTables.length, rows, files: files.length, bytes }, files };
}

async function assertNotReferenced(client: pg.PoolClient, plugin: string, schema: string): Promise<void> {
  const { rows } = await client.query<{ schema: string }>(
    `select distinct referring.relnamespace::regnamespace::text as schema
    from pg_constraint key join pg_class referring on referring.oid = key.conrelid
      join pg_class referred on referred.oid = key.confrelid
    where key.contype = 'f' and referred.relnamespace::regnamespace::text = $1
      and referring.relnamespace <> referred.relnamespace order by 1`,
    [schema],
  );
  if (rows.length > 0)
    throw new ConfigurationError(
      `Tables of ${rows.map((row) => `"${row.schema.replaceAll('_', '-')}"`).join(', ')} refer to those of ` +
        `"${plugin}". Drop their data first.`,
    );
}

/** Lists the ids of stored files to which only the plugin's rows and jobs refer. */
async function listOwnFiles(
  client: pg.PoolClient,
  plugin: string,
  tables: readonly CatalogTable[],
): Promise<readonly string[]> {
  const schema = toPluginSchema(plugin);
  const jobCondition = 'starts_with(kind, $2)';
  const ownIds = new Set<string>();
  const candidates = (await client.query<{ id: string }>("select id from core.file where state = 'stored'")).rows.map(
    ({ id }) => id,
  );
  const findReferencedIds = async (
    table: CatalogTable,
    ids: readonly string[],
    condition?: string,
  ): Promise<readonly string[]> =>
    (
      await client.query<{ id: string }>(
        `select distinct match[1] as id from ${formatQualifiedName(table)} line,
          regexp_matches(line::text, '(?<![0-9a-f])[0-9a-f]{32}(?![0-9a-f])', 'g') match
        where match[1] = any($1) ${condition === undefined ? '' : `and ${condition}`}`,
        condition === undefined ? [ids] : [ids, `${plugin}.`],
      )
    ).rows.map(({ id }) => id);
  const jobs = tables.find(({ schema: tableSchema, name }) => tableSchema === 'core' && name === 'job');
  for (const table of tables.filter((ownTable) => ownTable.schema === schema))
    for (const id of await findReferencedIds(table, candidates)) ownIds.add(id);
  if (jobs) for (const id of await findReferencedIds(jobs, candidates, jobCondition)) ownIds.add(id);

  for (const table of tables) {
    if (ownIds.size === 0) break;
    if (table.schema === schema || tablesWithoutOwnFiles.has(`${table.schema}.${table.name}`)) continue;
    for (const id of await findReferencedIds(table, [...ownIds], table === jobs ? `not ${jobCondition}` : undefined))
      ownIds.delete(id);
  }
  return [...ownIds].sort();
}

async function removeData(client: pg.PoolClient, plugin: string, files: readonly string[]): Promise<void> {
  await client.query("update core.file set state = 'removed' where id = any($1)", [files]);
  await client.query('delete from core.job where starts_with(kind, $1)', [`${plugin}.`]);
  await client.query(`drop schema if exists "${toPluginSchema(plugin)}" cascade`);
  await client.query('delete from core.migration where owner = $1', [plugin]);
  await client.query(
    'insert into core.audit_log (at, actor, action, subject, details) values (now(), null, $1, $2, $3)',
    ['core.pluginDataDropped', plugin, JSON.stringify({ files: files.length })],
  );
}
