import { sql, type RawBuilder } from 'kysely';
import type { ApplyContext, CheckContext } from '#plugins/imports';
import type { CodeKind } from '#plugins/tour';
import { deleteCodes, renameCodes, reserveCodes } from '../../queries/codes.ts';
import type { TourTables } from '../../tables.ts';

/** A sheet whose rows are entities of a table. */
export interface EntitySheet {
  readonly sheet: string;
  readonly table: 'tour' | 'deck' | 'node' | 'tag';
  readonly kind: CodeKind;
  /** The column with the code. */
  readonly column: string;
  /** Selects the `id` of the rows that a replacing import would remove, but that are in use and therefore kept. */
  readonly selectRowsInUse: (context: CheckContext) => RawBuilder<unknown>;
}

/** The rows of a sheet that an import adds, changes or removes, with the uids of their entities. */
export interface EntityRows {
  readonly uids: readonly string[];
  readonly added: readonly CodedEntity[];
  readonly renamed: readonly CodedEntity[];
  readonly removed: readonly string[];
  /** The rows to be added or changed: a query with `id, number, uid, state, before, values`. */
  readonly toWrite: RawBuilder<unknown>;
  /** `toWrite` split into queries of at most `rowsPerChunk` rows, so that each statement takes only a few seconds. */
  readonly toWriteInChunks: readonly RawBuilder<unknown>[];
}

const rowsPerChunk = 10_000;

interface CodedEntity {
  readonly code: string;
  readonly entity: string;
}

interface FoundRow {
  readonly id: string;
  readonly uid: string;
  readonly state: 'ADDED' | 'CHANGED' | 'REMOVED';
  readonly code: string;
  readonly former_code: string | null;
}

/** Joins staged rows with their existing entities. */
export const joinEntities = (
  { scope, rows }: CheckContext,
  { sheet, table, column }: EntitySheet,
): RawBuilder<unknown> => sql`
  select staged.id, staged.state, staged.number, staged.key, entity.*
  from (${rows(sheet)}) as staged
  join ${sql.id('tour', table)} as entity on entity.site = ${scope.site} and entity.code = staged.before ->> ${column}`;

/** Finds the rows that an import adds, changes or removes. Called before anything is written. */
export async function loadEntityRows(context: ApplyContext<TourTables>, entity: EntitySheet): Promise<EntityRows> {
  const { scope, rows, recordedTransaction } = context;
  const { sheet, table, column } = entity;
  // The uid of a new entity is derived from the id of its staged row, so that it is known before the insert.
  const { rows: foundRows } = await sql<FoundRow>`
    select staged.id::text as id, staged.state, coalesce(staged.values, staged.before) ->> ${column} as code,
      staged.before ->> ${column} as former_code,
      coalesce(entity.uid, md5('imports.staged_row ' || staged.id)::uuid::text) as uid
    from (${rows(sheet)}) as staged
    left join ${sql.id('tour', table)} as entity
      on entity.site = ${scope.site} and entity.code = staged.before ->> ${column}
    where staged.state in ('ADDED', 'CHANGED')
      or staged.state = 'REMOVED' and staged.id not in (${entity.selectRowsInUse(context)})
    order by staged.number`.execute(recordedTransaction.tables);
  const rowsToWrite = foundRows.filter(({ state }) => state !== 'REMOVED');
  const selectRowsToWrite = (chunk: readonly FoundRow[]): RawBuilder<unknown> => sql`
    select staged.id, staged.number, target.uid, staged.state, staged.before,
      coalesce(staged.before, '{}') || staged.values as values
    from unnest(${chunk.map(({ id }) => id)}::bigint[], ${chunk.map(({ uid }) => uid)}::text[]) as target (id, uid)
    join (${rows(sheet)}) as staged on staged.id = target.id`;
  const listCodedEntities = (state: FoundRow['state']): CodedEntity[] =>
    foundRows.flatMap((row) =>
      row.state === state && row.code !== row.former_code ? [{ code: row.code, entity: row.uid }] : [],
    );
  return {
    uids: foundRows.map(({ uid }) => uid),
    added: listCodedEntities('ADDED'),
    renamed: listCodedEntities('CHANGED'),
    removed: foundRows.flatMap(({ state, uid }) => (state === 'REMOVED' ? [uid] : [])),
    toWrite: selectRowsToWrite(rowsToWrite),
    toWriteInChunks: Array.from({ length: Math.ceil(rowsToWrite.length / rowsPerChunk) }, (_, index) =>
      selectRowsToWrite(rowsToWrite.slice(index * rowsPerChunk, (index + 1) * rowsPerChunk)),
    ),
  };
}

/** Locks the rows of a table and their codes, and records how they change. */
export async function recordEntities(
  { recordedTransaction: { lockAndRecord } }: ApplyContext<TourTables>,
  { table }: EntitySheet,
  { uids }: EntityRows,
): Promise<void> {
  await lockAndRecord('code', 'entity', uids);
  await lockAndRecord(table, 'uid', uids);
}

/** Deletes the removed rows with their codes. */
export async function deleteEntities(
  { recordedTransaction: { tables } }: ApplyContext<TourTables>,
  { table, kind }: EntitySheet,
  { removed }: EntityRows,
): Promise<void> {
  if (removed.length === 0) return;
  await sql`delete from ${sql.id('tour', table)} where uid = any(${[...removed]}::text[])`.execute(tables);
  await deleteCodes(tables, kind, removed);
}

/** Reserves the codes of new rows in `tour.code`, and renames codes whose case has changed. */
export async function registerCodes(
  { scope, recordedTransaction: { tables } }: ApplyContext<TourTables>,
  { kind }: EntitySheet,
  { added, renamed }: EntityRows,
): Promise<void> {
  await reserveCodes(tables, scope.site ?? '', kind, added);
  await renameCodes(tables, scope.site ?? '', kind, renamed);
}

/** Selects the uids of the entities that a replacing import removes. */
export const selectRemovedUids = (context: CheckContext, entity: EntitySheet): RawBuilder<unknown> => sql`
  select uid from (${joinEntities(context, entity)}) as row
  where state = 'REMOVED' and id not in (${entity.selectRowsInUse(context)})`;
