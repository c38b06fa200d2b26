import { isDeepStrictEqual } from 'node:util';
import { sql, type Transaction } from 'kysely';
import type { ChangedRows, WrittenChange } from '#core/server';
import { isUsualStageChange } from '../../common/stages.ts';
import type { PermitStage } from '../../contract/index.ts';
import type { PermitsTables } from '../tables.ts';

type Row = Readonly<Record<string, unknown>>;
type Rows = ChangedRows<PermitsTables>;

/** The tables whose rows belong to a permit. */
export const partTables = [
  'assignee',
  'high_risk_activity',
  'site_visit',
  'document',
  'cross_reference',
  'isolation',
] as const;
export type PartTable = (typeof partTables)[number];

/** Columns whose changes are not recorded. */
const ignoredColumns: ReadonlySet<string> = new Set(['uid', 'row_version', 'source', 'stage_changed_at']);
const rowsPerInsert = 2000;

/** The values of a new event. If the permit still exists, its stored values take precedence. */
interface NewEvent {
  readonly permit: string;
  readonly action: PermitsTables['permit_event']['action'];
  readonly number?: unknown;
  readonly site?: unknown;
  readonly location?: unknown;
  readonly source?: unknown;
  readonly from?: unknown;
  readonly to?: unknown;
  readonly unusual: boolean;
  readonly details: Row;
}

/**
 * Adds one event to the history of each permit that a change or an undo affects. Existing events are never updated.
 */
export async function writeEvents(
  transaction: Transaction<PermitsTables>,
  changedRows: Rows,
  formerRows: Rows,
  change: WrittenChange,
): Promise<void> {
  const partCountsByPermit = countParts(changedRows, formerRows);
  const formerByUid = new Map((formerRows.permit ?? []).map((row): [unknown, Row] => [row.uid, row]));
  const permits = changedRows.permit ?? [];
  for (let start = 0; start < permits.length; start += rowsPerInsert) {
    const rows = permits.slice(start, start + rowsPerInsert);
    // `changedRows` also contains the former rows of deleted permits.
    const existingUids = await findExisting(transaction, rows);
    const events = rows.map((row): NewEvent => {
      const permit = String(row.uid);
      const partCounts = partCountsByPermit.get(permit) ?? {};
      partCountsByPermit.delete(permit);
      return buildPermitEvent(row, formerByUid.get(permit), existingUids.has(permit), partCounts);
    });
    await insertEvents(transaction, events, change);
  }
  const otherPermits = [...partCountsByPermit];
  for (let start = 0; start < otherPermits.length; start += rowsPerInsert)
    await insertEvents(
      transaction,
      otherPermits
        .slice(start, start + rowsPerInsert)
        .map(([permit, details]) => ({ permit, action: 'CHANGED', unusual: false, details })),
      change,
    );
}

async function findExisting(transaction: Transaction<PermitsTables>, permits: readonly Row[]): Promise<Set<string>> {
  const { rows } = await sql<{ uid: string }>`
    select uid from permits.permit where uid = any(${permits.map(({ uid }) => String(uid))}::text[])`.execute(
    transaction,
  );
  return new Set(rows.map(({ uid }) => uid));
}

/** Inserts those events that say more than that a permit was changed. */
async function insertEvents(
  transaction: Transaction<PermitsTables>,
  newEvents: readonly NewEvent[],
  change: WrittenChange,
): Promise<void> {
  const events = newEvents.filter(({ action, details }) => action !== 'CHANGED' || Object.keys(details).length > 0);
  if (events.length > 0)
    await sql`
      insert into permits.permit_event (permit, number, site, location, sequence, at, actor, source, action, from_stage,
        to_stage, unusual, details, change)
      select event.permit, coalesce(permit.number, event.number), coalesce(permit.site, event.site),
        coalesce(permit.location, event.location),
        1 + coalesce((select max(sequence) from permits.permit_event as last where last.permit = event.permit), 0),
        ${change.at}::timestamptz, ${change.author}::text,
        ${change.undoes === null ? sql`coalesce(permit.source, event.source)` : sql`'UNDO'`},
        event.action, event."from", event."to", event.unusual, event.details, ${change.uid}::text
      from jsonb_to_recordset(${JSON.stringify(events)}::jsonb)
        as event (permit text, action text, number text, site text, location text, source text, "from" text, "to" text,
          unusual boolean, details jsonb)
      left join permits.permit on permit.uid = event.permit`.execute(transaction);
}

function buildPermitEvent(row: Row, formerRow: Row | undefined, exists: boolean, partCounts: Row): NewEvent {
  const { uid, number, site, location, source, stage } = row;
  const common = { permit: String(uid), number, site, location, source, unusual: false };
  if (!exists) return { ...common, action: 'DELETED', from: stage, details: partCounts };
  if (!formerRow) return { ...common, action: 'CREATED', to: stage, details: partCounts };
  const columns = Object.keys(row).filter(
    (column) => !ignoredColumns.has(column) && !isDeepStrictEqual(row[column], formerRow[column]),
  );
  const details = {
    ...Object.fromEntries(columns.map((column) => [column, [formerRow[column] ?? null, row[column] ?? null]])),
    ...partCounts,
  };
  if (formerRow['stage'] === stage) return { ...common, action: 'CHANGED', details };
  return {
    ...common,
    action: 'STAGE_CHANGED',
    from: formerRow['stage'],
    to: stage,
    unusual: !isUsualStageChange(formerRow['stage'] as PermitStage, stage as PermitStage),
    details,
  };
}

/** The number of changed parts of each permit by table, including parts of deleted permits. */
function countParts(changedRows: Rows, formerRows: Rows): Map<string, Record<string, number>> {
  const counts = new Map<string, Record<string, number>>();
  for (const table of partTables)
    for (const permits of groupPermitsByPart([...(changedRows[table] ?? []), ...(formerRows[table] ?? [])]).values())
      for (const permit of permits) {
        const countByTable = counts.get(permit) ?? {};
        countByTable[table] = (countByTable[table] ?? 0) + 1;
        counts.set(permit, countByTable);
      }
  return counts;
}

/** Lists the current and former permits of each part, by uid of the part. */
function groupPermitsByPart(rows: readonly Row[]): ReadonlyMap<string, ReadonlySet<string>> {
  const permits = new Map<string, Set<string>>();
  for (const { uid, permit } of rows) {
    const partPermits = permits.get(String(uid)) ?? new Set();
    permits.set(String(uid), partPermits.add(String(permit)));
  }
  return permits;
}
