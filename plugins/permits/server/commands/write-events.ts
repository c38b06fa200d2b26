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

/** Columns that say nothing by themselves. */
const silentColumns: ReadonlySet<string> = new Set(['uid', 'row_version', 'source', 'stage_changed_at']);
const rowsPerInsert = 10_000;

/** The data of an event of a permit. The database adds the data of the permit, if the permit still exists. */
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
 * Adds one event to the history of each permit that a change concerns, also if it takes another one back. Events are
 * never changed.
 */
export async function writeEvents(
  transaction: Transaction<PermitsTables>,
  changed: Rows,
  former: Rows,
  change: WrittenChange,
): Promise<void> {
  // A change has the current rows and, of deleted ones, those that were.
  const { rows: present } = await sql<{ uid: string }>`
    select uid from permits.permit where uid = any(${(changed.permit ?? []).map(({ uid }) => String(uid))}::text[])`.execute(
    transaction,
  );
  const events = listEvents(changed, former, new Set(present.map(({ uid }) => uid)));
  for (let start = 0; start < events.length; start += rowsPerInsert)
    await sql`
      insert into permits.permit_event (permit, number, site, location, sequence, at, actor, source, action, from_stage,
        to_stage, unusual, details, change)
      select given.permit, coalesce(permit.number, given.number), coalesce(permit.site, given.site),
        coalesce(permit.location, given.location),
        1 + coalesce((select max(sequence) from permits.permit_event as last where last.permit = given.permit), 0),
        ${change.at}::timestamptz, ${change.author}::text,
        ${change.undoes === null ? sql`coalesce(permit.source, given.source)` : sql`'UNDO'`},
        given.action, given."from", given."to", given.unusual, given.details, ${change.uid}::text
      from jsonb_to_recordset(${JSON.stringify(events.slice(start, start + rowsPerInsert))}::jsonb)
        as given (permit text, action text, number text, site text, location text, source text, "from" text, "to" text,
          unusual boolean, details jsonb)
      left join permits.permit on permit.uid = given.permit`.execute(transaction);
}

function listEvents(changed: Rows, former: Rows, present: ReadonlySet<string>): readonly NewEvent[] {
  const parts = countParts(changed, former);
  const before = new Map((former.permit ?? []).map((row): [unknown, Row] => [row.uid, row]));
  const events = (changed.permit ?? []).map((row): NewEvent => {
    const permit = String(row.uid);
    const own = parts.get(permit) ?? {};
    parts.delete(permit);
    return describePermit(row, before.get(permit), present.has(permit), own);
  });
  return [
    ...events,
    ...[...parts].map(([permit, details]): NewEvent => ({ permit, action: 'CHANGED', unusual: false, details })),
  ].filter(({ action, details }) => action !== 'CHANGED' || Object.keys(details).length > 0);
}

function describePermit(row: Row, before: Row | undefined, isPresent: boolean, parts: Row): NewEvent {
  const { uid, number, site, location, source, stage } = row;
  const common = { permit: String(uid), number, site, location, source, unusual: false };
  if (!isPresent) return { ...common, action: 'DELETED', from: stage, details: parts };
  if (!before) return { ...common, action: 'CREATED', to: stage, details: parts };
  const columns = Object.keys(row).filter(
    (column) => !silentColumns.has(column) && !isDeepStrictEqual(row[column], before[column]),
  );
  const details = {
    ...Object.fromEntries(columns.map((column) => [column, [before[column] ?? null, row[column] ?? null]])),
    ...parts,
  };
  if (before['stage'] === stage) return { ...common, action: 'CHANGED', details };
  return {
    ...common,
    action: 'STAGE_CHANGED',
    from: before['stage'],
    to: stage,
    unusual: !isUsualStageChange(before['stage'] as PermitStage, stage as PermitStage),
    details,
  };
}

/** The number of changed parts of each permit by table, including parts of deleted permits. */
function countParts(changed: Rows, former: Rows): Map<string, Record<string, number>> {
  const counts = new Map<string, Record<string, number>>();
  for (const table of partTables)
    for (const permits of groupByUid([...(changed[table] ?? []), ...(former[table] ?? [])]).values())
      for (const permit of permits) {
        const own = counts.get(permit) ?? {};
        own[table] = (own[table] ?? 0) + 1;
        counts.set(permit, own);
      }
  return counts;
}

/** The permits that each row has or had. */
function groupByUid(rows: readonly Row[]): ReadonlyMap<string, ReadonlySet<string>> {
  const permits = new Map<string, Set<string>>();
  for (const { uid, permit } of rows) {
    const own = permits.get(String(uid)) ?? new Set();
    permits.set(String(uid), own.add(String(permit)));
  }
  return permits;
}
