import type { ExampleSheet, ExampleSheets } from '#core/server';

const mandatoryField = 'core.validation.mandatoryField';
const permit = 'HB-PTW-1001';
const permits = { sheet: 'permits', column: 'number' } as const;

const createZones = (zones: {
  readonly mild: string;
  readonly severe: string;
  readonly present: string;
}): ExampleSheet => ({
  row: {
    code: 'EX-{n}',
    zone: zones.mild,
    name: 'Example {n}',
    location: 'HB-M10',
    map: 'EX-MAP-{n}',
    level: null,
    points: '10,10; 20,10; 20,20',
    elevationFrom: null,
    elevationTo: null,
    validFrom: null,
    validTo: null,
    sourceDocument: null,
    revision: null,
    active: true,
  },
  faults: [
    { row: { points: '10,10; 20' }, column: 'points', message: 'imports.refused.points' },
    {
      row: { points: '10,10; 120,10; 20,20' },
      column: 'points',
      message: 'imports.refused.range',
      messageValues: { min: 0, max: 100 },
    },
    { row: { points: '10,10; 20,20; 20,10; 10,20' }, column: 'points', message: 'imports.refused.polygon' },
    { row: { elevationFrom: 8, elevationTo: 2 }, column: 'elevationTo', message: 'permits.refused.elevationOrder' },
    {
      row: { validFrom: '2030-01-02 06:00', validTo: '2030-01-01 06:00' },
      column: 'validTo',
      message: 'permits.refused.validityOrder',
    },
    {
      row: { map: 'HB-M10-L1', zone: zones.severe, points: '45,45; 55,45; 55,55; 45,55' },
      column: 'points',
      message: 'permits.refused.zoneOverlap',
      messageValues: { code: zones.present, zone: zones.present.replace(/^.*-(?:HAC|H2S)-/, '') },
      severity: 'WARNING',
    },
  ],
});

/** Permits to work and zones. */
export const permitExamples: ExampleSheets = {
  'permits.permits': {
    permits: {
      row: {
        number: 'EX-PTW-{n}',
        name: 'Example {n}',
        description: null,
        type: 'General',
        stage: 'ISSUE',
        validFrom: '2099-01-01 06:00',
        validTo: '2099-01-01 18:00',
        location: 'HB-M10',
        tour: null,
        node: null,
        map: null,
        level: null,
        x: null,
        y: null,
        elevation: null,
        workRadius: 5,
        hacZone: null,
        h2sZone: null,
        system: null,
        tags: null,
        workOrder: 'WO-1',
        suspensionReason: null,
        outcome: null,
      },
      accompanyingCells: {
        x: { y: 10 },
        y: { x: 10 },
        suspensionReason: { stage: 'SUSPENDED' },
        outcome: { stage: 'CLOSED' },
      },
      faults: [
        { row: { validTo: '2098-12-31 18:00' }, column: 'validTo', message: 'permits.refused.validityOrder' },
        {
          row: { validTo: '2099-02-01 18:00' },
          column: 'validTo',
          message: 'permits.refused.tooLong',
          messageValues: { days: 14 },
          severity: 'WARNING',
        },
        {
          row: { validFrom: '2020-01-01 06:00', validTo: '2020-01-01 18:00' },
          column: 'validFrom',
          message: 'permits.refused.validityPast',
          severity: 'WARNING',
        },
        {
          row: { number: permit, stage: 'ACCEPT', location: 'HB-M10-L1' },
          column: 'stage',
          message: 'permits.refused.stageJump',
          messageValues: { from: 'APPROVE_AND_AUTHORISE', to: 'ACCEPT' },
          severity: 'WARNING',
        },
        { row: { stage: 'SUSPENDED' }, column: 'suspensionReason', message: mandatoryField },
        {
          row: { suspensionReason: 'END_OF_SHIFT' },
          column: 'suspensionReason',
          message: 'permits.refused.onlySuspended',
          severity: 'WARNING',
        },
        { row: { stage: 'CLOSED' }, column: 'outcome', message: mandatoryField },
        { row: { outcome: 'COMPLETE' }, column: 'outcome', message: 'permits.refused.onlyClosed', severity: 'WARNING' },
        { row: { x: 10 }, column: 'y', message: mandatoryField },
        {
          row: { tags: 'NOT-THERE' },
          column: 'tags',
          message: 'permits.refused.unknownTag',
          messageValues: { value: 'NOT-THERE' },
          severity: 'WARNING',
        },
        {
          row: { map: 'HB-M10-L1', x: 50, y: 50, hacZone: 'ZONE-0' },
          column: 'hacZone',
          message: 'permits.refused.zoneDiffers',
          messageValues: { file: 'ZONE-0', map: 'ZONE-1' },
          severity: 'WARNING',
        },
        {
          row: { map: 'HB-M10-L1', x: 50, y: 50, h2sZone: 'RED' },
          column: 'h2sZone',
          message: 'permits.refused.zoneDiffers',
          messageValues: { file: 'RED', map: 'AMBER' },
          severity: 'WARNING',
        },
        {
          row: { stage: 'LIVE' },
          column: 'stage',
          message: 'permits.refused.roleMissing',
          messageValues: { roles: 'JOB_PERFORMER, PERFORMING_AUTHORITY, AREA_AUTHORITY' },
          severity: 'WARNING',
        },
      ],
    },
    assignees: {
      row: {
        permit,
        role: 'JOB_PERFORMER',
        name: 'Example {n}',
        email: null,
        company: 'Halvorsen Energy',
        capacity: null,
        signedAt: null,
      },
      faults: [],
    },
    highRiskActivities: { row: { permit: permits, activity: 'LIFTING' }, faults: [] },
    siteVisits: {
      row: { permit, purpose: 'DURING_WORK', number: '{n}', role: 'AREA_AUTHORITY', status: 'PENDING' },
      faults: [
        { row: { status: 'DONE', doneAt: null }, column: 'doneAt', message: mandatoryField },
        { row: { status: 'NA', naReason: null }, column: 'naReason', message: mandatoryField },
      ],
    },
    documents: {
      row: { permit, title: 'Example {n}', type: 'OTHER', url: null, document: null, revision: null },
      faults: [
        {
          row: { url: 'plan.pdf' },
          column: 'url',
          message: 'permits.refused.fileMissing',
          messageValues: { file: 'plan.pdf' },
        },
        { row: { url: 'http://walkdown.example/plan.pdf' }, column: 'url', message: 'permits.refused.httpsOnly' },
      ],
    },
    crossReferences: {
      row: { permit: permits, other: { ...permits, firstIndex: 1 }, kind: 'SAME_JOB' },
      faults: [{ row: { permit, other: permit }, column: 'other', message: 'permits.refused.selfReference' }],
    },
    isolations: {
      row: { permit, certificate: 'EX-{n}', tag: null, method: 'VALVE', state: 'PLANNED' },
      faults: [],
    },
  },
  'permits.hac': {
    zones: createZones({ mild: 'ZONE-2', severe: 'ZONE-0', present: 'HB-M10-L1-HAC-ZONE-1' }),
  },
  'permits.h2s': {
    zones: createZones({ mild: 'YELLOW', severe: 'RED', present: 'HB-M10-L1-H2S-AMBER' }),
  },
};
