import { sql, type RawBuilder } from 'kysely';
import type { ApplyContext, ImportScope, ImportSheet } from '#plugins/imports';
import type { SiteContents } from '#plugins/tour';
import { partTables } from '../../commands/write-events.ts';
import type { PermitsTables } from '../../tables.ts';
import { checkEachPermit, findMissingRoles } from './check-permits.ts';
import { permitsSheetId } from './part-sheet.ts';
import { assigneesSheetId } from './people-sheets.ts';
import { createPermitColumns } from './permit-columns.ts';
import {
  analyzeIfLarge,
  selectValuesOfCorrectedRows,
  deriveNewUid,
  selectLocations,
  toInstantText,
} from './sheet-sql.ts';

const createCurrentPermitsQuery =
  (contents: SiteContents) =>
  ({ site, locations }: ImportScope): RawBuilder<unknown> =>
    sql`
    select jsonb_build_object(
      'number', permit.number, 'name', permit.name, 'description', permit.description, 'type', permit.type,
      'stage', permit.stage, 'validFrom', ${toInstantText(sql`permit.valid_from`)},
      'validTo', ${toInstantText(sql`permit.valid_to`)}, 'location', permit.location, 'tour', tour.code,
      'node', node.code, 'map', permit.map, 'level', permit.level, 'x', permit.map_x, 'y', permit.map_y,
      'elevation', permit.elevation, 'workRadius', permit.work_radius, 'hacZone', permit.hac_zone,
      'h2sZone', permit.h2s_zone, 'system', permit.system, 'tags', nullif(permit.tags, '[]'::jsonb),
      'workOrder', permit.work_order, 'suspensionReason', permit.suspension_reason, 'outcome', permit.outcome) as values
    from permits.permit
    left join (${contents.select('TOUR', site)}) as tour on tour.uid = permit.tour
    left join (${contents.select('NODE', site)}) as node on node.uid = permit.node
    where permit.site = ${site} and permit.location = any(${[...locations]}::text[])`;

export const createPermitsSheet = (contents: SiteContents): ImportSheet => ({
  id: permitsSheetId,
  name: 'Permits',
  journalTable: 'permit',
  removable: true,
  columns: createPermitColumns(contents),
  current: createCurrentPermitsQuery(contents),
  checkEach: checkEachPermit(contents),
  check: findMissingRoles,
  selectRowsToRecheck: (context) => sql`
    select id from (${context.rows(permitsSheetId)}) as row
    where key in (${selectValuesOfCorrectedRows(context, assigneesSheetId, 'permit')})`,
});

interface StagedPermit {
  readonly id: string;
  readonly uid: string;
  readonly state: 'ADDED' | 'CHANGED' | 'REMOVED';
}

/** Number of rows that one statement can update in a few seconds. */
const rowsPerUpdate = 10_000;

/**
 * Adds, updates and deletes permits. Call it before their assignees, isolations and other parts are written (see
 * `partTables`). The parts of deleted permits are deleted with them.
 */
export async function writePermits(context: ApplyContext<PermitsTables>, contents: SiteContents): Promise<void> {
  const { scope, rows, recordedTransaction } = context;
  const { tables, lockAndRecord } = recordedTransaction;
  const { rows: writtenPermits } = await sql<StagedPermit>`
    select staged.id::text as id, staged.state, coalesce(permit.uid, ${deriveNewUid('staged')}) as uid
    from (${rows(permitsSheetId)}) as staged
    left join permits.permit on permit.site = ${scope.site} and lower(permit.number) = staged.key
      and staged.before is not null
    where staged.state in ('ADDED', 'CHANGED', 'REMOVED') order by staged.number`.execute(tables);
  const selectByState = (state: StagedPermit['state']) => writtenPermits.filter((row) => row.state === state);
  const removedUids = selectByState('REMOVED').map(({ uid }) => uid);
  await lockAndRecord(
    'permit',
    'uid',
    writtenPermits.map(({ uid }) => uid),
  );
  for (const table of partTables) await lockAndRecord(table, 'permit', removedUids);
  await lockAndRecord('cross_reference', 'other', removedUids);
  if (removedUids.length > 0)
    await sql`delete from permits.permit where uid = any(${removedUids}::text[])`.execute(tables);
  const addedPermits = selectByState('ADDED');
  if (addedPermits.length > 0)
    await sql`
      insert into permits.permit (${sql.join(importedColumns.map((column) => sql.ref(column)))}, uid, site, stage_changed_at, source)
      select ${sql.join(importedColumns.map((column) => sql.ref(column)))}, uid, ${scope.site}, now(), ${toSourceSql(context)}
      from (${selectPermitRows(context, contents, addedPermits)}) as row`.execute(tables);
  await analyzeIfLarge(tables, 'permit', addedPermits.length);
  const changedPermits = selectByState('CHANGED');
  for (let start = 0; start < changedPermits.length; start += rowsPerUpdate)
    await sql`
      update permits.permit as target set
        stage_changed_at = case when target.stage = row.stage then target.stage_changed_at else now() end,
        row_version = target.row_version + 1,
        ${sql.join(importedColumns.map((column) => sql`${sql.ref(column)} = row.${sql.ref(column)}`))}
      from (${selectPermitRows(context, contents, changedPermits.slice(start, start + rowsPerUpdate))}) as row
      where target.uid = row.uid and (${listColumns('target')}) is distinct from (${listColumns('row')})`.execute(
      tables,
    );
}

const toSourceSql = ({ origin }: Pick<ApplyContext<PermitsTables>, 'origin'>): RawBuilder<unknown> =>
  sql`${origin === 'CALL' ? 'API' : 'IMPORT'}::text`;

/** Table columns that an import sets. */
const importedColumns = [
  'number',
  'name',
  'description',
  'type',
  'stage',
  'outcome',
  'suspension_reason',
  'valid_from',
  'valid_to',
  'location',
  'tour',
  'node',
  'map',
  'level',
  'map_x',
  'map_y',
  'elevation',
  'work_radius',
  'hac_zone',
  'h2s_zone',
  'system',
  'tags',
  'work_order',
] as const satisfies readonly (keyof PermitsTables['permit'])[];

const listColumns = (table: 'target' | 'row'): RawBuilder<unknown> =>
  sql.join(importedColumns.map((column) => sql`${sql.ref(`${table}.${column}`)}`));

/** Converts staged rows to table rows. Tag codes typed in another case are replaced by the site's own. */
const selectPermitRows = (
  { scope, rows }: ApplyContext<PermitsTables>,
  contents: SiteContents,
  stagedPermits: readonly StagedPermit[],
): RawBuilder<unknown> => sql`
  with row as materialized (
    select staged.id, target.uid, coalesce(staged.before, '{}') || staged.values as values
    from unnest(${stagedPermits.map(({ id }) => id)}::bigint[], ${stagedPermits.map(({ uid }) => uid)}::text[]) as target (id, uid)
    join (${rows(permitsSheetId)}) as staged on staged.id = target.id
  ),
  tag as materialized (
    select min(code) as code, lower(code) as key from (${contents.select('TAG', scope.site)}) as site_tag group by lower(code)
  ),
  tagged as materialized (
    select row.id, jsonb_agg(coalesce(tag.code, item) order by position) as tags
    from row cross join lateral jsonb_array_elements_text(
      coalesce(nullif(values -> 'tags', 'null'), '[]')) with ordinality as tag_item (item, position)
    left join tag on tag.key = lower(item)
    group by row.id
  )
  select row.uid, values ->> 'number' as number, values ->> 'name' as name,
    coalesce(values ->> 'description', '') as description, values ->> 'type' as type, values ->> 'stage' as stage,
    case when values ->> 'stage' = 'CLOSED' then values ->> 'outcome' end as outcome,
    case when values ->> 'stage' = 'SUSPENDED' then values ->> 'suspensionReason' end as suspension_reason,
    (values ->> 'validFrom')::timestamptz as valid_from, (values ->> 'validTo')::timestamptz as valid_to,
    site_location.uid as location, tour.uid as tour, node.uid as node, values ->> 'map' as map, values ->> 'level' as level,
    (values ->> 'x')::float8 as map_x, (values ->> 'y')::float8 as map_y, (values ->> 'elevation')::float8 as elevation,
    (values ->> 'workRadius')::float8 as work_radius, values ->> 'hacZone' as hac_zone,
    values ->> 'h2sZone' as h2s_zone, values ->> 'system' as system, coalesce(tagged.tags, '[]') as tags,
    values ->> 'workOrder' as work_order
  from row
  left join tagged on tagged.id = row.id
  join (${selectLocations(scope)}) as site_location on site_location.key = lower(values ->> 'location')
  left join (select uid, lower(code) as key from (${contents.select('TOUR', scope.site)}) as site_tour) as tour
    on tour.key = lower(values ->> 'tour')
  left join (select uid, lower(code) as key from (${contents.select('NODE', scope.site)}) as site_node) as node
    on node.key = lower(values ->> 'node')`;

/** Stores the source of the latest change (API or import) in each permit that a row of any sheet adds or changes. */
export async function writeChangeSources(
  context: ApplyContext<PermitsTables>,
  sheets: readonly ImportSheet[],
): Promise<void> {
  const { scope, rows, recordedTransaction } = context;
  const keyQueries = sheets.map(
    ({ id }) => sql`
      select lower(coalesce(before, '{}') || values ->> ${id === permitsSheetId ? 'number' : 'permit'}) as key
      from (${rows(id)}) as row where state in ('ADDED', 'CHANGED', 'REMOVED')`,
  );
  await sql`
    update permits.permit set source = ${toSourceSql(context)}
    where site = ${scope.site} and source <> ${toSourceSql(context)} and lower(number) in (${sql.join(keyQueries, sql` union `)})`.execute(
    recordedTransaction.tables,
  );
}
