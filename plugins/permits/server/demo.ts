import type { Insertable } from 'kysely';
import type { DemoLocation, DemoPlant } from '#core';
import type { SeedDemo } from '#core/server';
import type { TourDemo } from '#plugins/tour';
import { assigneeRoles, permitStages, permitTypes, type PermitStage, type ZoneKind } from '../contract/index.ts';
import type { PermitsTables } from './tables.ts';

type Row<Table extends keyof PermitsTables> = Insertable<PermitsTables[Table]>;
type PermitsDemoPlant = DemoPlant & Partial<Pick<TourDemo, 'tags'>>;

const hourMs = 3_600_000;
const jobExamples = [
  ['Replace a gasket', 'LIFTING'],
  ['Weld a pipe support', 'WORK_AT_HEIGHT'],
  ['Inspect inside the vessel', 'CONFINED_SPACE'],
  ['Erect a scaffold', 'SCAFFOLDING'],
  ['Calibrate transmitters', 'LIVE_ELECTRICAL'],
  ['Overhaul an isolation valve', 'ENERGY_ISOLATION'],
] as const;
const nameByRole = {
  JOB_PERFORMER: 'Ines Moreau',
  PERFORMING_AUTHORITY: 'Tom Ekeland',
  AREA_AUTHORITY: 'Ragnhild Dahl',
} as const;

/** Zones of each level. `margin` is the distance from the edges of the picture in percent. */
const levelZones: readonly (readonly [kind: ZoneKind, zone: string, margin: number])[] = [
  ['HAC', 'ZONE-2', 10],
  ['HAC', 'ZONE-1', 30],
  ['H2S', 'YELLOW', 5],
  ['H2S', 'AMBER', 35],
];

/** Seeds one permit of each stage and the zones at each level of the demo. Skips sites that have permits. */
const seedDemo: SeedDemo<PermitsTables, PermitsDemoPlant> = async ({ tables }, { locations, tags = [] }) => {
  const levels = locations.filter(({ locationType }) => locationType === 'LOC_LEVEL');
  const seededSites = await tables.selectFrom('permit').select('site').distinct().execute();
  const emptyLevels = levels.filter(({ root }) => !seededSites.some(({ site }) => site === root));
  if (emptyLevels.length === 0) return;
  // Whole hours, which workbooks show without rounding.
  const now = Math.floor(Date.now() / hourMs) * hourMs;
  const permits = emptyLevels.flatMap((level, levelIndex) =>
    permitStages.map((stage, stageIndex) => {
      const tag = tags.filter(({ location }) => location === level.uid)[stageIndex]?.tag;
      return buildPermit(
        level,
        stage,
        levelIndex * permitStages.length + stageIndex,
        now,
        tag === undefined ? [] : [tag],
      );
    }),
  );
  await tables.insertInto('permit').values(permits).execute();
  await tables
    .insertInto('assignee')
    .values(
      permits.flatMap(({ uid }) =>
        assigneeRoles.map((role): Row<'assignee'> => ({
          uid: crypto.randomUUID(),
          permit: uid,
          role,
          name: nameByRole[role],
          email: null,
          company: 'Halvorsen Energy',
          capacity: null,
          signed_at: null,
        })),
      ),
    )
    .execute();
  await tables
    .insertInto('high_risk_activity')
    .values(
      permits.map(({ uid }, index): Row<'high_risk_activity'> => ({
        uid: crypto.randomUUID(),
        permit: uid,
        activity: jobExamples[index % jobExamples.length]![1],
        controls: null,
      })),
    )
    .execute();
  await tables
    .insertInto('site_visit')
    .values(permits.map(({ uid, stage }) => buildVisit(uid, stage, now)))
    .execute();
  await tables.insertInto('zone').values(emptyLevels.flatMap(buildZones)).execute();
};
export default seedDemo;

function buildPermit(
  level: DemoLocation,
  stage: PermitStage,
  index: number,
  now: number,
  tags: readonly string[],
): Row<'permit'> {
  const start = now - (stage === 'LIVE' || stage === 'SUSPENDED' ? 4 : stage === 'CLOSED' ? 48 : -12) * hourMs;
  return {
    uid: crypto.randomUUID(),
    site: level.root,
    number: `${level.root}-PTW-${1001 + index}`,
    name: jobExamples[index % jobExamples.length]![0],
    description: '',
    type: permitTypes[index % permitTypes.length]!,
    stage,
    stage_changed_at: new Date(start),
    outcome: stage === 'CLOSED' ? 'COMPLETE' : null,
    suspension_reason: stage === 'SUSPENDED' ? 'END_OF_SHIFT' : null,
    valid_from: new Date(start),
    valid_to: new Date(start + 24 * hourMs),
    location: level.uid,
    tour: null,
    node: null,
    map: level.uid,
    level: null,
    map_x: 15 + (index % 6) * 14,
    map_y: 20 + (index % 4) * 18,
    elevation: null,
    work_radius: 5,
    hac_zone: null,
    h2s_zone: null,
    system: null,
    tags: JSON.stringify(tags),
    work_order: `WO-${70_000 + index}`,
    source: 'IMPORT',
  };
}

function buildVisit(permit: string, stage: PermitStage, now: number): Row<'site_visit'> {
  const isDone = stage === 'CLOSED';
  return {
    uid: crypto.randomUUID(),
    permit,
    purpose: 'DURING_WORK',
    number: 1,
    role: 'AREA_AUTHORITY',
    status: isDone ? 'DONE' : 'PENDING',
    due_at: null,
    done_at: isDone ? new Date(now - 30 * hourMs) : null,
    visitor: isDone ? nameByRole.AREA_AUTHORITY : null,
    mode: 'PHYSICAL',
    na_reason: null,
    notes: null,
  };
}

const buildZones = ({ uid, root, name }: DemoLocation): readonly Row<'zone'>[] =>
  levelZones.map(([kind, zone, margin]) => ({
    uid: crypto.randomUUID(),
    site: root,
    kind,
    code: `${uid}-${kind}-${zone}`,
    zone,
    name,
    location: uid,
    map: uid,
    level: null,
    points: JSON.stringify([
      [margin, margin],
      [100 - margin, margin],
      [100 - margin, 100 - margin],
      [margin, 100 - margin],
    ]),
    elevation_from: null,
    elevation_to: null,
    valid_from: null,
    valid_to: null,
    source_document: null,
    revision: null,
    active: true,
  }));
