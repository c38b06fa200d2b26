import { sql } from 'kysely';
import { parseOutline, type ApplyContext } from '#plugins/imports';
import type { ZoneKind } from '../../../contract/index.ts';
import type { PermitsTables } from '../../tables.ts';
import { zonesSheetId } from './check-zones.ts';
import { deriveNewUid, selectLocations } from './sheet-sql.ts';

interface StagedZone {
  readonly uid: string;
  readonly state: 'ADDED' | 'CHANGED' | 'REMOVED';
  readonly values: Readonly<Record<string, unknown>>;
}

/** Adds, changes and removes the zones of one kind. */
export async function writeZones(
  { scope, rows, recordedTransaction }: ApplyContext<PermitsTables>,
  kind: ZoneKind,
): Promise<void> {
  const { tables, lockAndRecord } = recordedTransaction;
  const { rows: stagedZones } = await sql<StagedZone>`
    select coalesce(zone.uid, ${deriveNewUid('staged')}) as uid, staged.state,
      coalesce(staged.before, '{}') || staged.values as values
    from (${rows(zonesSheetId)}) as staged
    left join permits.zone on zone.site = ${scope.site} and zone.kind = ${kind} and lower(zone.code) = staged.key
      and staged.before is not null
    where staged.state in ('ADDED', 'CHANGED', 'REMOVED')`.execute(tables);
  await lockAndRecord(
    'zone',
    'uid',
    stagedZones.map(({ uid }) => uid),
  );
  const removedUids = stagedZones.filter(({ state }) => state === 'REMOVED').map(({ uid }) => uid);
  await sql`delete from permits.zone where uid = any(${removedUids}::text[])`.execute(tables);
  const zonesToWrite = stagedZones
    .filter(({ state }) => state !== 'REMOVED')
    .map(({ uid, values }) => ({ uid, values, points: parseOutline(String(values['points'])) ?? [] }));
  await sql`
    insert into permits.zone (uid, site, kind, code, zone, name, location, map, level, points, elevation_from,
      elevation_to, valid_from, valid_to, source_document, revision, active)
    select written.uid, ${scope.site}, ${kind}, values ->> 'code', values ->> 'zone', values ->> 'name', place.uid,
      values ->> 'map', values ->> 'level', points, (values ->> 'elevationFrom')::float8,
      (values ->> 'elevationTo')::float8, (values ->> 'validFrom')::timestamptz, (values ->> 'validTo')::timestamptz,
      values ->> 'sourceDocument', values ->> 'revision', coalesce((values ->> 'active')::boolean, true)
    from jsonb_to_recordset(${JSON.stringify(zonesToWrite)}::jsonb) as written (uid text, values jsonb, points jsonb)
    join (${selectLocations(scope)}) as place on place.key = lower(values ->> 'location')
    on conflict (uid) do update set code = excluded.code, zone = excluded.zone, name = excluded.name,
      location = excluded.location, map = excluded.map, level = excluded.level, points = excluded.points,
      elevation_from = excluded.elevation_from, elevation_to = excluded.elevation_to,
      valid_from = excluded.valid_from, valid_to = excluded.valid_to, source_document = excluded.source_document,
      revision = excluded.revision, active = excluded.active`.execute(tables);
}
