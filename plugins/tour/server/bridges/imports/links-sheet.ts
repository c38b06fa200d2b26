import { sql, type RawBuilder } from 'kysely';
import {
  finding,
  importedRows,
  unionAll,
  type ApplyContext,
  type CheckContext,
  type ImportSheet,
} from '#plugins/imports';
import { linkKinds } from '../../../contract/values/content-values.ts';
import type { TourTables } from '../../tables.ts';
import { selectAllRowsIf, createCodeReference, findRowsInUse, hasCorrections } from './sheet-parts.ts';
import { selectViewpointsAfterImport, viewpoints } from './viewpoint-rows.ts';

const sheetId = 'links';
const kindLabels = {
  WALK: { en: 'Walk', fr: 'Passage' },
  STAIR: { en: 'Stair', fr: 'Escalier' },
  LADDER: { en: 'Ladder', fr: 'Échelle' },
} as const;

/** Selects the rows whose reverse link is also in the files, with `reverse_number` and `reverse_kind` of that row. */
const findReverseLinks = (context: CheckContext): RawBuilder<unknown> => sql`
  select row.id, row.number, row.state, row.values, row.before, reverse.number as reverse_number,
    reverse.values ->> 'kind' as reverse_kind
  from (${context.rows(sheetId)}) as row
  join (${importedRows(context, sheetId)}) as reverse
    on reverse.key = lower(row.values ->> 'to') || chr(31) || lower(row.values ->> 'from')`;

/** Selects the removed rows whose link is kept, because the files contain its reverse. */
const selectKeptRows = (context: CheckContext): RawBuilder<unknown> => sql`
  select id from (${findReverseLinks(context)}) as row where state = 'REMOVED'`;

const checkLinks: ImportSheet['check'] = (context) => {
  const { rows } = context;
  return unionAll(
    sql`
      select ${finding('to', 'tour.refused.selfLink')} from (${rows(sheetId)}) as row
      where number is not null and lower(values ->> 'from') = lower(values ->> 'to')`,
    sql`
      select * from (
        with viewpoint as materialized (${selectViewpointsAfterImport(context)})
        select ${finding('to', 'tour.refused.linkBetweenTours')} from (${rows(sheetId)}) as row
        where number is not null and exists (
          select from viewpoint as a join viewpoint as b on b.code = lower(values ->> 'to')
          where a.code = lower(values ->> 'from') and a.tour <> b.tour)
      ) as found`,
    sql`
      select ${finding('kind', 'tour.refused.otherKindBack', { row: sql`reverse_number` })}
      from (${findReverseLinks(context)}) as row
      where state in ('ADDED', 'CHANGED') and number > reverse_number
        and coalesce(values ->> 'kind', before ->> 'kind') <> reverse_kind
        and reverse_kind = any(${[...linkKinds]}::text[])`,
    findRowsInUse(
      context,
      sheetId,
      selectKeptRows(context),
      finding('to', 'tour.refused.linkBack', { name: sql`before ->> 'to'` }, 'WARNING'),
    ),
  );
};

const viewpointReference = {
  table: 'node',
  sheet: 'viewpoints',
  entity: { en: 'viewpoints', fr: 'points de vue' },
} as const;

/** The links between viewpoints. A row links in both directions, as in the admin screen. */
export const linksSheet: ImportSheet = {
  id: sheetId,
  name: 'Links',
  journalTable: 'link',
  required: false,
  removable: true,
  columns: [
    createCodeReference(
      { id: 'from', header: { en: 'From Viewpoint', fr: 'Du point de vue' }, required: true, key: true },
      viewpointReference,
    ),
    createCodeReference(
      {
        id: 'to',
        header: { en: 'To Viewpoint', fr: 'Au point de vue' },
        required: true,
        key: true,
        note: {
          en: 'A row links both directions. Exports list each of them.',
          fr: 'Une ligne relie dans les deux sens. Les exports contiennent chacun d’eux.',
        },
      },
      viewpointReference,
    ),
    {
      id: 'kind',
      header: { en: 'Kind', fr: 'Type' },
      type: 'ENUM',
      values: linkKinds.map((value) => ({ value, label: kindLabels[value] })),
      default: 'WALK',
    },
  ],
  current: ({ site, locations }) => sql`
    select jsonb_build_object('from', a.code, 'to', b.code, 'kind', link.kind) as values
    from tour.link join tour.node as a on a.uid = link.from_node join tour.node as b on b.uid = link.to_node
    where a.site = ${site} and a.location = any(${[...locations]}::text[])
      and b.location = any(${[...locations]}::text[])`,
  check: checkLinks,
  selectRowsToRecheck: (context) => sql`
    ${selectAllRowsIf(context, sheetId, hasCorrections(context, viewpoints.sheet, ['tour']))}
    union all
    select id from (${context.rows(sheetId)}) as row where key in (
      select lower(values ->> 'to') || chr(31) || lower(values ->> 'from')
      from (
        select values from (${context.corrected(sheetId)}) as version
        union all select before from (${context.corrected(sheetId)}) as version
      ) as version)`,
};

/** Writes links after the viewpoints. The links of removed viewpoints are deleted with them. */
export async function writeLinks(context: ApplyContext<TourTables>): Promise<void> {
  const {
    scope: { site },
    rows,
    recordedTransaction: { tables, lockAndRecord },
  } = context;
  const { rows: links } = await sql<{ a: string; b: string; kind: string; state: string; has_reverse: boolean }>`
    select a.uid as a, b.uid as b, coalesce(values ->> 'kind', before ->> 'kind') as kind, state,
      row.id in (select id from (${findReverseLinks(context)}) as link) as has_reverse
    from (${rows(sheetId)}) as row
    join tour.node as a on a.site = ${site} and lower(a.code) = lower(values ->> 'from')
    join tour.node as b on b.site = ${site} and lower(b.code) = lower(values ->> 'to')
    where state in ('ADDED', 'CHANGED', 'REMOVED')`.execute(tables);
  const linksToRemove = links.filter(({ state, has_reverse }) => state === 'REMOVED' && !has_reverse);
  const linksToWrite = links
    .filter(({ state }) => state !== 'REMOVED')
    .flatMap(({ a, b, kind, has_reverse }) => [{ a, b, kind }, ...(has_reverse ? [] : [{ a: b, b: a, kind }])]);
  await lockAndRecord('link', 'from_node', [
    ...new Set([...linksToRemove.flatMap(({ a, b }) => [a, b]), ...linksToWrite.map(({ a }) => a)]),
  ]);
  await sql`
    delete from tour.link using unnest(${linksToRemove.map(({ a }) => a)}::text[], ${linksToRemove.map(({ b }) => b)}::text[]) as removed (a, b)
    where (from_node, to_node) in ((a, b), (b, a))`.execute(tables);
  await sql`
    insert into tour.link (from_node, to_node, kind, pan, tilt, distance)
    select *, 0, 0, 0 from unnest(${linksToWrite.map(({ a }) => a)}::text[], ${linksToWrite.map(({ b }) => b)}::text[],
      ${linksToWrite.map(({ kind }) => kind)}::text[])
    on conflict (from_node, to_node) do update set kind = excluded.kind`.execute(tables);
}
