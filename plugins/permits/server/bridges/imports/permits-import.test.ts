import { randomInt, randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { LocationRow, LocationType } from '#core';
import { undoChange } from '#core/api';
import { enabledPlugin, Jobs, LocationStore } from '#core/server';
import {
  buildBridge,
  describeOnDatabases,
  QueryCounter,
  soakCount,
  startTestServer,
  type TestServer,
} from '#core/testing/server';
import {
  updateImportRow,
  createImport,
  createWorkbook,
  getImport,
  listImportKinds,
  listImportProblems,
  listImportRows,
  pushImport,
  undoImport,
} from '#plugins/imports/api';
import { checkFully, imports, importsManifest, readStagedRows } from '#plugins/imports/testing/server';
import {
  buildDocumentRow,
  buildNodeRow,
  buildTagRow,
  buildTourRow,
  insertTourRows,
  tour,
  tourManifest,
} from '#plugins/tour/testing/server';
import { deriveZone } from '../../../common/zones.ts';
import manifest from '../../../plugin.ts';
import seedDemo from '../../demo.ts';
import permits from '../../index.ts';
import type { PermitsTables } from '../../tables.ts';
import permitsImports from '../imports.ts';
import english from '../../../contract/messages/en.json' with { type: 'json' };

const runs = soakCount(3, 150);
const seed = Number(process.env['SEED'] ?? randomInt(2 ** 31));
const timeout = soakCount(60_000, 60 * 60_000);

const buildLocation = (uid: string, parent: string | null, locationType: LocationType, root = 'site'): LocationRow => ({
  uid,
  parent,
  root,
  locationType,
  name: uid,
  label: '',
});
const siteRows = [
  buildLocation('site', null, 'PRIMARY_LOCATION'),
  buildLocation('unit', 'site', 'PLATFORM_UNIT'),
  buildLocation('lower', 'unit', 'LOC_LEVEL'),
  buildLocation('far', null, 'PRIMARY_LOCATION', 'far'),
];
type Row = Readonly<Record<string, string | number | boolean | null | readonly string[]>>;
type Sheets = Readonly<Record<string, readonly Row[]>>;

const hourMs = 3_600_000;
const now = Math.floor(Date.now() / hourMs) * hourMs;
const inHours = (hours: number): string => new Date(now + hours * hourMs).toISOString();
const buildPermit = (number: string, changes: Row = {}): Row => ({
  number,
  name: `Job ${number}`,
  type: 'general_permit',
  stage: 'ISSUE',
  validFrom: inHours(1),
  validTo: inHours(25),
  location: 'lower',
  ...changes,
});
const buildAssignees = (
  permit: string,
  roles: readonly string[] = ['JOB_PERFORMER', 'PERFORMING_AUTHORITY', 'AREA_AUTHORITY'],
) => roles.map((role): Row => ({ permit, role, name: 'Ines Moreau' }));
const buildZone = (code: string, zone: string, points: string, changes: Row = {}): Row => ({
  code,
  zone,
  location: 'lower',
  map: 'unit',
  points,
  ...changes,
});
const allSheets: Sheets = {
  permits: [
    buildPermit('P-1', {
      description: 'First line\nsecond line',
      type: 'Hot Work',
      stage: 'LIVE',
      validFrom: new Date(now - 1000).toISOString(),
      location: 'LOWER',
      tour: 't1',
      node: 'n1',
      map: 'unit',
      level: 'lower',
      x: 10.1234,
      y: 20,
      elevation: 3.25,
      workRadius: 11,
      hacZone: 'ZONE-2',
      h2sZone: 'YELLOW',
      system: 'S-1',
      tags: ['v-1'],
      workOrder: 'WO 1',
    }),
    buildPermit('P-2', { stage: 'SUSPENDED', suspensionReason: 'WAITING_PARTS' }),
    buildPermit('P-3', { stage: 'CLOSED', outcome: 'COMPLETE' }),
  ],
  assignees: [
    ...buildAssignees('p-1'),
    {
      permit: 'P-2',
      role: 'AREA_AUTHORITY',
      name: 'Åse Øy',
      email: 'a@b.example',
      company: 'Co',
      capacity: 'DELEGATE',
      signedAt: inHours(0),
    },
  ],
  highRiskActivities: [{ permit: 'P-1', activity: 'LIFTING', controls: 'Barrier' }],
  siteVisits: [
    { permit: 'P-1', role: 'AREA_AUTHORITY', status: 'DONE', doneAt: inHours(0), visitor: 'Åse Øy' },
    { permit: 'P-1', role: 'AREA_AUTHORITY', status: 'PENDING', purpose: 'CLOSE_OUT', number: 2, mode: 'VIRTUAL' },
    { permit: 'P-2', role: 'JOB_PERFORMER', status: 'NA', naReason: 'Office work' },
  ],
  documents: [
    {
      permit: 'P-1',
      title: 'Risk assessment',
      type: 'RISK_ASSESSMENT',
      url: 'https://files.example/ra.pdf',
      revision: 'B',
    },
    { permit: 'P-1', title: 'Data sheet', document: 'doc' },
  ],
  crossReferences: [{ permit: 'P-1', other: 'P-2', kind: 'SAME_JOB' }],
  isolations: [
    { permit: 'P-1', certificate: 'ICC-1', tag: 'V-1', method: 'VALVE', state: 'APPLIED' },
    { permit: 'P-1', certificate: 'ICC-1' },
  ],
};
const sheetIds = Object.keys(allSheets);

describeOnDatabases(`imports of permits (seed ${seed})`, (kind) => {
  let server: TestServer;
  let token: string;
  const tables = () => server.database.of<PermitsTables>('permits');
  beforeAll(async () => {
    server = await startTestServer({
      database: kind,
      plugins: [
        enabledPlugin(importsManifest, { endSessions: false }, imports),
        enabledPlugin(tourManifest, {}, tour),
        enabledPlugin(manifest, {}, permits),
      ],
      bridges: [buildBridge('permits', 'imports', permitsImports)],
    });
    await server.service(LocationStore).upsert(siteRows);
    await insertTourRows(server.database, {
      tours: [buildTourRow('T1'), buildTourRow('T2', { location: 'site' })],
      nodes: [buildNodeRow('N1')],
      tags: [buildTagRow('V-1')],
      documents: [buildDocumentRow('DOC')],
    });
    token = await server.signIn({ flags: ['import', 'permitAccess'] });
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    await sql`truncate permits.permit, permits.zone, imports.batch cascade`.execute(tables());
  });

  const push = async (sheets: Sheets, changes: { mode?: 'REPLACE'; dryRun?: boolean; kind?: string } = {}) => {
    const { status, body } = await server.call(pushImport, {
      token,
      body: {
        uid: randomUUID(),
        kind: changes.kind ?? 'permits.permits',
        site: 'site',
        mode: changes.mode ?? 'UPSERT',
        dryRun: changes.dryRun ?? false,
        sheets: sheets as never,
      },
    });
    expect(status).toBeLessThan(300);
    return body;
  };
  const pushZones = (zones: readonly Row[], zoneKind: 'hac' | 'h2s' = 'h2s', dryRun = false) =>
    push({ zones }, { kind: `permits.${zoneKind}`, dryRun });
  /** Returns the findings of a dry run: row, column and message of each. */
  const check = async (sheets: Sheets, changes: { mode?: 'REPLACE'; kind?: string } = {}) =>
    (await push(sheets, { ...changes, dryRun: true })).findings
      .map(({ sheet, row, column, message, values, severity }) =>
        [sheet, row, column, severity === 'WARNING' ? 'warning' : '', formatText(message, values)].join(' '),
      )
      .toSorted();
  const formatText = (message: string, values: unknown): string =>
    (Object.entries(english).find(([id]) => id === message)?.[1] ?? message).replaceAll(
      /\{(\w+)(?:, number)?\}/g,
      (_, name: string) => String((values as Record<string, unknown>)[name]),
    );
  const undo = async (batch: string, dryRun = false) =>
    (await server.call(undoImport, { token, params: { batch }, body: { dryRun } })).body;
  /** Reads all rows that an import writes, without the columns that an import generates. */
  const readAll = async () => {
    const { rows } = await sql<{ row: string }>`
      select each - 'uid' - 'permit' - 'other' - 'row_version' - 'stage_changed_at' - 'source' as row from (
        select to_jsonb(permit) as each from permits.permit
        union all select to_jsonb(assignee) from permits.assignee
        union all select to_jsonb(high_risk_activity) from permits.high_risk_activity
        union all select to_jsonb(site_visit) from permits.site_visit
        union all select to_jsonb(document) from permits.document
        union all select to_jsonb(cross_reference) from permits.cross_reference
        union all select to_jsonb(isolation) from permits.isolation
      ) as each`.execute(tables());
    return rows.map(({ row }) => JSON.stringify(row)).toSorted();
  };
  const readEvents = async (number: string) => {
    const { rows } = await sql<{ event: string; details: Record<string, unknown> }>`
      select concat_ws(' ', sequence, source, action, from_stage, to_stage, case when unusual then 'unusual' end) as event,
        details
      from permits.permit_event where number = ${number} order by id`.execute(tables());
    return rows;
  };
  const countStates = ({ import: { sheets } }: Awaited<ReturnType<typeof push>>) =>
    sheets.map(({ added, changed, unchanged, removed }) => [added, changed, unchanged, removed].join(' '));

  /** Uploads an unchanged export of the current rows, and returns its preview. */
  const reimport = async (id: string) => {
    const { body: file } = await server.call(createWorkbook, {
      token,
      params: { kind: id },
      body: { site: 'site', language: 'fr', rows: true },
    });
    const headers = { authorization: `Bearer ${token}` };
    const content = await (await fetch(`${await server.url()}${file.address}`, { headers })).arrayBuffer();
    const { body: batch } = await server.call(createImport, {
      token,
      body: { uid: randomUUID(), kind: id, site: 'site', mode: 'REPLACE' },
    });
    const form = new FormData();
    form.append('files', new Blob([content]), file.name);
    const url = `${await server.url()}/api/imports/${batch.uid}/files`;
    const reply = await fetch(url, { method: 'POST', headers, body: form });
    await server.service(Jobs).waitForCompletion(((await reply.json()) as { job: string }).job);
    const { body } = await server.call(getImport, { token, params: { batch: batch.uid } });
    return { name: file.name, body };
  };

  it('[DAT-05] [DAT-09] [IMP-01:permits] write every sheet in one change, with the codes of the site, and are undone', async () => {
    const before = await readAll();
    expect((await push(allSheets, { dryRun: true })).import.phase).toBe('PREVIEW');
    expect(await readAll()).toEqual(before);
    const reply = await push(allSheets);
    expect(reply.findings).toEqual([]);
    expect(countStates(reply)).toEqual(['3 0 0 0', '4 0 0 0', '1 0 0 0', '3 0 0 0', '2 0 0 0', '1 0 0 0', '2 0 0 0']);
    const { rows } = await sql`
      select number, type, location, tour, node, tags, suspension_reason, source, row_version from permits.permit
      where number = 'P-1'`.execute(tables());
    expect(rows).toEqual([
      {
        number: 'P-1',
        type: 'hot_work_permit',
        location: 'lower',
        tour: 'tour-T1',
        node: 'node-N1',
        tags: ['V-1'],
        suspension_reason: null,
        source: 'API',
        row_version: 1,
      },
    ]);
    const writtenRows = await readAll();
    expect(writtenRows).toHaveLength(16);
    expect(await undo(reply.import.uid)).toMatchObject({ kept: 0, blocked: 0, reversed: 16 });
    expect(await readAll()).toEqual(before);
    expect((await readEvents('P-1')).map(({ event }) => event)).toEqual(['1 API CREATED LIVE', '2 UNDO DELETED LIVE']);
  });

  it('[IMP-08:permit] [IMP-07] export a workbook whose import changes nothing, not even the seconds of times', async () => {
    await push(allSheets);
    const { name, body } = await reimport('permits.permits');
    expect(name).toBe('site_PERMIT_IMPORT_FILE.xlsx');
    const rows = sheetIds.map((id) => allSheets[id]!.length);
    expect(body).toMatchObject({
      phase: 'PREVIEW',
      findings: [],
      sheets: rows.map((count) => ({ rows: count, unchanged: count, changed: 0, added: 0, removed: 0, withErrors: 0 })),
    });
    expect(countStates(await push(allSheets, { mode: 'REPLACE' }))).toEqual([
      // Codes are spelled as the site does.
      '0 1 2 0',
      ...['0 3 1 0', '0 0 1 0', '0 0 3 0', '0 1 1 0', '0 0 1 0', '0 0 2 0'],
    ]);
  });

  it('[IMP-06] name each wrong cell of permits, with the messages of the catalogue', async () => {
    expect(
      await check({
        permits: [
          buildPermit('P-1', { validFrom: inHours(5), validTo: inHours(5) }),
          buildPermit('P-2', { validFrom: inHours(-30), validTo: inHours(-1) }),
          buildPermit('P-3', { type: 'critical_permit', validTo: inHours(1 + 7 * 24 + 1) }),
          buildPermit('P-4', { validTo: inHours(1 + 14 * 24) }),
          buildPermit('P-5', { stage: 'ALL', type: 'cold', location: 'nowhere', hacZone: 'ZONE-3' }),
          buildPermit('P-6', { stage: 'SUSPENDED', outcome: 'COMPLETE' }),
          buildPermit('P-7', { stage: 'CLOSED' }),
          buildPermit('P-8', { x: 10, tags: ['V-1', 'V-9'], workRadius: 201, elevation: 1.234 }),
          buildPermit('P-9', { tour: 'T2', node: 'N1' }),
          buildPermit('P-10', { tour: 'T9', node: 'N9', x: 101, y: 1.00001 }),
          buildPermit('p-1'),
          buildPermit('P-11', { validFrom: '2026-13-45T99:99:99.000Z', name: null }),
        ],
      }),
    ).toEqual(
      [
        'permits 2 validTo  Valid To must be after Valid From',
        'permits 3 validFrom warning Validity is in the past',
        'permits 4 validTo warning The validity is longer than the maximum of 7 days for this type',
        'permits 6 stage  imports.refused.enum',
        'permits 6 type  imports.refused.enum',
        'permits 6 location  imports.refused.reference',
        'permits 6 hacZone  imports.refused.enum',
        'permits 7 suspensionReason  core.validation.mandatoryField',
        'permits 7 outcome warning Only a closed permit has an outcome. This one is ignored',
        'permits 8 outcome  core.validation.mandatoryField',
        'permits 9 y  core.validation.mandatoryField',
        'permits 9 tags warning V-9 not found in tags',
        'permits 9 workRadius  core.validation.max',
        'permits 9 elevation  core.validation.decimals',
        'permits 10 node  Viewpoint N1 is not one of tour T2',
        'permits 11 tour  imports.refused.reference',
        'permits 11 node  imports.refused.reference',
        'permits 11 x  core.validation.max',
        'permits 11 y  core.validation.decimals',
        'permits 12 number  imports.refused.duplicateRow',
        'permits 13 validFrom  imports.refused.date',
        'permits 13 name  core.validation.mandatoryField',
      ].toSorted(),
    );
  });

  it('accept French words, and warn of words for a completed step, such as "issued", which are read as the next step', async () => {
    const warn = (row: number, message: string) => `permits ${row} stage warning ${message}`;
    const buildLive = (number: string, changes: Row) =>
      buildPermit(number, { validFrom: new Date(now - 1000).toISOString(), ...changes });
    expect(
      await check({
        permits: [
          buildPermit('P-1', { type: 'Travail à chaud', stage: 'Émis' }),
          buildPermit('P-2', { type: 'permis de feu', stage: 'emis' }),
          buildPermit('P-3', { type: 'Général', stage: 'Brouillon', hacZone: 'zone 1', h2sZone: 'Zone rouge' }),
          buildLive('P-4', { type: 'critique', stage: 'Clôturé', outcome: 'ACHEVE' }),
          buildPermit('P-5', { stage: 'Suspendu', suspensionReason: "Conflit d'operations simultanees" }),
        ],
        assignees: [{ permit: 'P-1', role: 'Autorité de zone', name: 'Ines', capacity: 'Délégué' }],
        highRiskActivities: [{ permit: 'P-1', activity: 'Travaux en hauteur' }],
      }),
    ).toEqual(
      [
        warn(2, english['permits.refused.issuedAwaitsAcceptance']),
        warn(3, english['permits.refused.issuedAwaitsAcceptance']),
        warn(4, english['permits.refused.draftAwaitsApproval']),
      ].toSorted(),
    );
  });

  it('read back each word that screens and exports show, with and without accents', async () => {
    const { body: kinds } = await server.call(listImportKinds, { token });
    const words = kinds.flatMap(({ id, sheets }) =>
      sheets.flatMap(({ id: sheet, columns }) =>
        columns.flatMap((column) => {
          const labels = column.values.flatMap(({ label }) => [label.en, label.fr]);
          const unaccentedLabels = labels.map((word) =>
            word.normalize('NFD').replaceAll(/\p{M}/gu, '').replaceAll('’', "'"),
          );
          return id.startsWith('permits.')
            ? { id, sheet, column: column.id, words: [...labels, ...unaccentedLabels] }
            : [];
        }),
      ),
    );
    const columnsWithWords = words.filter((columnWords) => columnWords.words.length > 0);
    expect(columnsWithWords.length).toBeGreaterThan(15);
    for (const { id, sheet, column, words: columnWords } of columnsWithWords) {
      const rows = columnWords.map((word) => ({ [column]: word }));
      const findings = await check({ [sheet]: rows }, { kind: id });
      expect(findings.filter((finding) => finding.includes('refused.enum'))).toEqual([]);
    }
  });

  it('propose no value for a known stage that is refused for another reason', async () => {
    const permit = buildPermit('P-1', { stage: 'LIVE', validFrom: new Date(now - 1000).toISOString() });
    const { import: batch } = await push({ permits: [permit] }, { dryRun: true });
    const params = { batch: batch.uid };
    const { body } = await server.call(listImportProblems, { token, params, query: {} });
    expect(body.rows).toMatchObject([
      { finding: { message: 'permits.refused.roleMissing' }, value: 'LIVE', proposals: [] },
    ]);
  });

  it('list errors before warnings of earlier rows', async () => {
    const rows = [buildPermit('P-1', { stage: 'LIVE' }), buildPermit('P-2', { type: 'Unknown' })];
    const { import: batch } = await push({ permits: rows }, { dryRun: true });
    const { body } = await server.call(listImportProblems, { token, params: { batch: batch.uid }, query: {} });
    expect(body.rows.map(({ severity, firstRow }) => [severity, firstRow])).toEqual([
      ['ERROR', 3],
      ['WARNING', 2],
    ]);
  });

  it('warn that an end date without a time means the beginning of that day', async () => {
    const permit = buildPermit('P-1', { validFrom: '2126-11-26 08:00', validTo: '2126-11-27' });
    const { findings } = await push({ permits: [permit] }, { dryRun: true });
    expect(findings).toMatchObject([
      {
        column: 'validTo',
        severity: 'WARNING',
        message: 'imports.refused.dayEnds',
        values: { value: '2126-11-27 00:00' },
      },
    ]);
    const { findings: sameDayFindings } = await push(
      { permits: [{ ...permit, validTo: '2126-11-26' }] },
      { dryRun: true },
    );
    expect(sameDayFindings).toMatchObject([
      { column: 'validTo', severity: 'ERROR', message: 'permits.refused.validityOrder' },
      { column: 'validTo', severity: 'WARNING', message: 'imports.refused.dayEnds' },
    ]);
    const { findings: longPermitFindings } = await push(
      { permits: [{ ...permit, validTo: '2127-03-31' }] },
      { dryRun: true },
    );
    expect(longPermitFindings.map(({ message }) => message).toSorted()).toEqual([
      'imports.refused.dayEnds',
      'permits.refused.tooLong',
    ]);
  });

  it('[IMP-06] name each wrong cell of the parts of permits', async () => {
    expect(
      await check({
        permits: [buildPermit('P-1')],
        assignees: [
          ...buildAssignees('P-1', ['JOB_PERFORMER', 'job_performer', 'BOSS']),
          { permit: 'P-9', role: 'AREA_AUTHORITY', name: 'A' },
        ],
        highRiskActivities: [
          { permit: 'P-1', activity: 'LIFTING' },
          { permit: 'p-1', activity: 'Lifting' },
          { permit: 'P-1', activity: 'JUGGLING' },
        ],
        siteVisits: [
          { permit: 'P-1', role: 'AREA_AUTHORITY', status: 'DONE' },
          { permit: 'P-1', role: 'JOB_PERFORMER', status: 'NA' },
          { permit: 'P-1', role: 'PERFORMING_AUTHORITY', status: 'Overdue' },
          { permit: 'P-1', role: 'PERFORMING_AUTHORITY', status: 'PENDING', purpose: 'DURING_WORK' },
        ],
        documents: [
          { permit: 'P-1', title: 'A', url: 'http://files.example/a.pdf' },
          { permit: 'P-1', title: 'B', url: 'javascript:alert(1)' },
          { permit: 'P-1', title: 'C', url: 'c.pdf' },
          { permit: 'P-1', title: 'D', document: 'DOC-9' },
          { permit: 'P-1', title: 'E', url: 'https://a:b@files.example' },
        ],
        crossReferences: [
          { permit: 'P-1', other: 'p-1' },
          { permit: 'P-1', other: 'P-9' },
        ],
        isolations: [
          { permit: 'P-1', certificate: 'I' },
          { permit: 'P-1', certificate: 'i', tag: null, state: 'GONE' },
        ],
      }),
    ).toEqual(
      [
        'assignees 3 name  imports.refused.duplicateRow',
        'assignees 4 role  imports.refused.enum',
        'assignees 5 permit  imports.refused.reference',
        'highRiskActivities 3 activity  imports.refused.duplicateRow',
        'highRiskActivities 4 activity  imports.refused.enum',
        'siteVisits 2 doneAt  core.validation.mandatoryField',
        'siteVisits 3 naReason  core.validation.mandatoryField',
        'siteVisits 4 status warning OVERDUE is imported as PENDING: whether a visit is overdue follows from its due date',
        'siteVisits 5 role  imports.refused.duplicateRow',
        'documents 2 url  Enter an address that begins with https://',
        'documents 3 url  Enter an address that begins with https://',
        'documents 4 url  File c.pdf is not in the upload',
        'documents 5 document  imports.refused.reference',
        'documents 6 url  Enter an address that begins with https://',
        'crossReferences 2 other  A permit cannot refer to itself',
        'crossReferences 3 other  imports.refused.reference',
        'isolations 3 certificate  imports.refused.duplicateRow',
        'isolations 3 state  imports.refused.enum',
      ].toSorted(),
    );
  });

  it('accept stages in an unusual order, and record the person, time and source of each change', async () => {
    await push({
      permits: [buildPermit('S-1'), buildPermit('S-2', { stage: 'ACCEPT' })],
      assignees: buildAssignees('S-1'),
    });
    const jump = { permits: [buildPermit('S-1', { stage: 'SUSPENDED', suspensionReason: 'EMERGENCY' })] };
    expect(await check(jump)).toEqual(['permits 2 stage warning Stage change ISSUE to SUSPENDED is unusual']);
    await push({ permits: [buildPermit('S-1', { stage: 'ACCEPT', name: 'Renamed' })] });
    const reply = await push(jump);
    const { rows } = await sql<{ stage: string; suspension_reason: string }>`
      select stage, suspension_reason from permits.permit where number = 'S-1'`.execute(tables());
    expect(rows).toEqual([{ stage: 'SUSPENDED', suspension_reason: 'EMERGENCY' }]);
    // Leaving the stage takes the reason away, also if the file lacks the column.
    await push({
      permits: [buildPermit('S-1')],
      siteVisits: [{ permit: 'S-1', role: 'AREA_AUTHORITY', status: 'overdue' }],
    });
    expect(await undo(reply.import.uid)).toMatchObject({ kept: 1, reversed: 0 });
    const events = await readEvents('S-1');
    expect(events.map(({ event }) => event)).toEqual([
      '1 API CREATED ISSUE',
      '2 API STAGE_CHANGED ISSUE ACCEPT',
      '3 API STAGE_CHANGED ACCEPT SUSPENDED unusual',
      '4 API STAGE_CHANGED SUSPENDED ISSUE',
    ]);
    expect(events[1]?.details).toEqual({ stage: ['ISSUE', 'ACCEPT'], name: ['Job S-1', 'Renamed'] });
    expect(events[3]?.details).toMatchObject({ suspension_reason: ['EMERGENCY', null], site_visit: 1 });
    const deletionError = await sql`delete from permits.permit_event`
      .execute(tables())
      .catch((error: unknown) => error);
    expect(String(deletionError)).toContain('only added');
  });

  it('undo unchanged rows, and name the others', async () => {
    const { import: batch } = await push({
      permits: [buildPermit('U-1'), buildPermit('U-2')],
      assignees: buildAssignees('U-1'),
    });
    await push({ permits: [buildPermit('U-2', { name: 'Edited' })] });
    const expected = { reversed: 4, kept: 1, blocked: 0 };
    expect(await undo(batch.uid, true)).toMatchObject(expected);
    expect((await undo(batch.uid)).rows.map(({ table, name, outcome }) => [table, name, outcome])).toEqual([
      ['permit', 'U-2', 'KEPT'],
    ]);
    const { rows } = await sql<{ number: string }>`select number from permits.permit`.execute(tables());
    expect(rows).toEqual([{ number: 'U-2' }]);
  });

  it('report an unknown stage or role alone, without problems that only follow from it', async () => {
    expect(
      await check({
        permits: [
          buildPermit('P-1', {
            stage: 'ENDED',
            suspensionReason: 'WAITING_PARTS',
            outcome: 'COMPLETE',
            validFrom: inHours(-30),
            validTo: inHours(-1),
          }),
          buildPermit('P-2', { stage: 'LIVE', validFrom: inHours(-1) }),
        ],
        assignees: buildAssignees('P-2', ['JOB_PERFORMER', 'AREA_AUTHORITY', 'BOSS']),
      }),
    ).toEqual(['assignees 4 role  imports.refused.enum', 'permits 2 stage  imports.refused.enum']);
  });

  it('warn of a live permit that lacks an assignee of a role after the import', async () => {
    const live = { permits: [buildPermit('L-1', { stage: 'LIVE', validFrom: inHours(-1) })] };
    const describeMissing = (roles: string) => [
      `permits 2 stage warning A live permit needs an assignee of each role. Missing: ${roles}`,
    ];
    expect(await check(live)).toEqual(describeMissing('JOB_PERFORMER, PERFORMING_AUTHORITY, AREA_AUTHORITY'));
    await push({ ...live, assignees: buildAssignees('L-1', ['JOB_PERFORMER', 'AREA_AUTHORITY']) });
    expect(await check(live)).toEqual(describeMissing('PERFORMING_AUTHORITY'));
    expect(await check({ ...live, assignees: buildAssignees('l-1', ['PERFORMING_AUTHORITY']) })).toEqual([]);
    const replacement = { ...live, assignees: buildAssignees('L-1', ['PERFORMING_AUTHORITY']) };
    expect(await check(replacement, { mode: 'REPLACE' })).toEqual(describeMissing('JOB_PERFORMER, AREA_AUTHORITY'));
  });

  it('[DAT-04] remove permits with their parts and references, and keep permits that a row still names', async () => {
    await push(allSheets);
    const remainingSheets = {
      permits: [allSheets['permits']![0]!],
      assignees: buildAssignees('P-1'),
      crossReferences: allSheets['crossReferences']!,
    };
    expect(await check(remainingSheets, { mode: 'REPLACE' })).toEqual([
      'crossReferences 2 other  P-2 not found in permits: this import removes it',
    ]);
    const before = await readAll();
    const { import: batch } = await push({ permits: remainingSheets.permits }, { mode: 'REPLACE' });
    expect(await undo(batch.uid)).toMatchObject({ kept: 0, blocked: 0 });
    expect(await readAll()).toEqual(before);
    await push({ ...remainingSheets, crossReferences: [] }, { mode: 'REPLACE' });
    expect((await readAll()).filter((row) => row.includes('"number":"P-'))).toHaveLength(1);
  });

  it('[DAT-09] [IMP-06] accept zones, and name each wrong cell', async () => {
    const square = '10,10; 40,10; 40,40; 10,40';
    const zones = [
      buildZone('Z-1', 'RED', square, { elevationFrom: 1, elevationTo: 4, sourceDocument: 'HAZ-1', revision: 'A' }),
      buildZone('Z-2', 'AMBER', '40,10; 70,10; 70,40.5; 40,40', { name: 'Beside' }),
      buildZone('Z-3', 'YELLOW', `${square}; 10,10`, { active: false }),
    ];
    const reply = await pushZones(zones);
    expect(reply.findings).toEqual([]);
    expect(countStates(await pushZones(zones.slice(0, 2)))).toEqual(['0 0 2 0']);
    expect(
      await check(
        {
          zones: [
            buildZone('Z-4', 'YELLOW', '30,30; 50,30; 50,50'),
            buildZone('Z-5', 'RED', '30,30; 50,30; 50,50', { level: 'upper', elevationFrom: 5 }),
            buildZone('Z-6', 'RED', '0,0; 50,50; 50,0; 0,50'),
            buildZone('Z-7', 'PINK', '0,0; 50,0', { location: 'far' }),
            buildZone('Z-8', 'RED', '0,0; 101,0; 5,5', { elevationFrom: 3, elevationTo: 2 }),
            buildZone('Z-9', 'GREEN', 'a,b', { validFrom: inHours(2), validTo: inHours(1), map: null }),
          ],
        },
        { kind: 'permits.h2s' },
      ),
    ).toEqual(
      [
        'zones 2 points warning Overlaps Z-1 (RED). Where both are, the more severe zone applies',
        'zones 3 points warning Overlaps Z-2 (AMBER). Where both are, the more severe zone applies',
        'zones 4 points  imports.refused.polygon',
        'zones 5 zone  imports.refused.enum',
        'zones 5 location  imports.refused.reference',
        'zones 5 points  imports.refused.polygon',
        'zones 6 points  imports.refused.range',
        'zones 6 elevationTo  Elevation To must be after Elevation From',
        'zones 7 points  imports.refused.points',
        'zones 7 validTo  Valid To must be after Valid From',
        'zones 7 map  core.validation.mandatoryField',
      ].toSorted(),
    );
    expect(await undo(reply.import.uid)).toMatchObject({ reversed: 3, kept: 0, blocked: 0 });
  });

  it.each(['hac', 'h2s'] as const)(
    '[DAT-05] [DAT-09] [IMP-01:permits] check %s zones in a dry run, add, change and remove them, and are undone',
    async (zoneKind) => {
      const values = zoneKind === 'hac' ? ['ZONE-0', 'ZONE-1', 'ZONE-2'] : ['RED', 'AMBER', 'YELLOW'];
      const zones = values.map((value, index) =>
        buildZone(`Z-${index}`, value, `${index * 30},0; ${index * 30 + 20},0; ${index * 30 + 20},20`),
      );
      const readZones = async () => {
        const zoneRows = await tables().selectFrom('zone').selectAll().orderBy('code').execute();
        return zoneRows.map(({ row_version: _, ...zone }) => zone);
      };
      const dryRun = await pushZones(zones.slice(0, 2), zoneKind, true);
      expect([dryRun.import.phase, countStates(dryRun)]).toEqual(['PREVIEW', ['2 0 0 0']]);
      expect(await readZones()).toEqual([]);
      const addition = await pushZones(zones.slice(0, 2), zoneKind);
      expect(addition.import).toMatchObject({ phase: 'DONE', result: 'SUCCESS' });
      const before = await readZones();
      expect(before).toMatchObject([{ code: 'Z-0', zone: values[0] }, { code: 'Z-1' }]);
      const replacement = await push(
        { zones: [{ ...zones[1]!, name: 'Renamed' }, zones[2]!] },
        { kind: `permits.${zoneKind}`, mode: 'REPLACE' },
      );
      expect(countStates(replacement)).toEqual(['1 1 0 1']);
      expect(await readZones()).toMatchObject([{ code: 'Z-1', name: 'Renamed' }, { code: 'Z-2' }]);
      expect(await undo(replacement.import.uid)).toMatchObject({ reversed: 3, kept: 0, blocked: 0 });
      expect(await readZones()).toEqual(before);
      expect(await undo(addition.import.uid)).toMatchObject({ reversed: 2, kept: 0, blocked: 0 });
      expect(await readZones()).toEqual([]);
    },
  );

  it('warn of a zone that differs from the one that `deriveZone` finds on the map', { timeout }, async () => {
    const corner = fc.tuple(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 20 }));
    const mappedZone = fc.record({
      zone: fc.constantFrom('RED', 'AMBER', 'YELLOW'),
      level: fc.constantFrom(null, 'L1', 'L2'),
      at: corner,
      size: fc.integer({ min: 1, max: 15 }),
      elevationFrom: fc.constantFrom(null, 5),
    });
    const anyPoint = fc.record({
      at: corner,
      level: fc.constantFrom(null, 'L1', 'l2'),
      elevation: fc.constantFrom(null, 4, 5, 6),
      h2sZone: fc.constantFrom('RED', 'AMBER', 'YELLOW', 'GREEN'),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(mappedZone, { minLength: 1, maxLength: 4 }),
        fc.array(anyPoint, { minLength: 5, maxLength: 15 }),
        async (generatedZones, points) => {
          await sql`delete from permits.zone`.execute(tables());
          const zones = generatedZones.map(({ zone, level, at: [x, y], size, elevationFrom }) => ({
            zone,
            map: 'unit',
            level,
            elevationFrom,
            elevationTo: null,
            points: [
              [x, y],
              [x + size, y],
              [x, y + size],
            ] as const,
          }));
          await pushZones(
            zones.map(({ points: corners, zone, ...changes }, index) =>
              buildZone(`Z-${index}`, zone, corners.join('; '), changes),
            ),
          );
          const { findings } = await push(
            {
              permits: points.map(({ at: [x, y], ...changes }, index) =>
                buildPermit(`D-${index}`, { ...changes, x, y, map: 'UNIT' }),
              ),
            },
            { dryRun: true },
          );
          const expected = points.flatMap(({ at: [x, y], level, elevation, h2sZone }, index) => {
            const derivedZone = deriveZone('H2S', { map: 'unit', level, x, y, elevation }, zones);
            return derivedZone === null || derivedZone === h2sZone
              ? []
              : [[index + 2, 'permits.refused.zoneDiffers', { file: h2sZone, map: derivedZone }]];
          });
          expect(findings.map(({ row, message, values }) => [row, message, values])).toEqual(expected);
        },
      ),
      { numRuns: runs, seed },
    );
  });

  it('give the same findings after a correction as a check of all rows', { timeout }, async () => {
    const number = fc.constantFrom('C-1', 'c-1', 'C-2', 'C-3');
    const role = fc.constantFrom('JOB_PERFORMER', 'AREA_AUTHORITY', 'BOSS');
    const cells: Readonly<Record<string, Readonly<Record<string, fc.Arbitrary<string | number | null>>>>> = {
      permits: {
        number,
        stage: fc.constantFrom('LIVE', 'ISSUE', 'CLOSED'),
        name: fc.constantFrom('A', 'B'),
        type: fc.constant('general_permit'),
        location: fc.constantFrom('lower', 'nowhere'),
        validFrom: fc.constant(inHours(0)),
        validTo: fc.constantFrom(inHours(5), inHours(-5)),
      },
      assignees: { permit: number, role, name: fc.constantFrom('A', 'a', 'B') },
      siteVisits: {
        permit: number,
        role,
        status: fc.constantFrom('DONE', 'overdue', 'NA'),
        number: fc.constantFrom(1, null),
      },
      crossReferences: { permit: number, other: number },
      isolations: { permit: number, certificate: fc.constant('I'), tag: fc.constantFrom('V', null) },
    };
    await push({
      permits: [buildPermit('C-1', { stage: 'LIVE' }), buildPermit('C-3')],
      assignees: buildAssignees('C-1'),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom<'UPSERT' | 'REPLACE'>('UPSERT', 'REPLACE'),
        fc.record(
          Object.fromEntries(
            Object.entries(cells).map(([sheet, columns]) => [
              sheet,
              fc.array(fc.record(columns), { minLength: 1, maxLength: 3 }),
            ]),
          ),
        ),
        fc.array(
          fc.oneof(
            ...Object.entries(cells).flatMap(([sheet, columns]) =>
              Object.entries(columns).map(([column, value]) =>
                fc.record({ sheet: fc.constant(sheet), column: fc.constant(column), row: fc.nat(2), value }),
              ),
            ),
          ),
          { minLength: 2, maxLength: 5 },
        ),
        async (mode, sheets, corrections) => {
          const { import: batch } = await push(sheets, { dryRun: true, ...(mode === 'REPLACE' ? { mode } : {}) });
          for (const { sheet, column, row, value } of corrections) {
            const { rows } = (
              await server.call(listImportRows, { token, params: { batch: batch.uid }, query: { sheet } })
            ).body;
            const fileRows = rows.filter((findingRow) => findingRow.row !== null);
            const target = fileRows[row % fileRows.length]!;
            const { status } = await server.call(updateImportRow, {
              token,
              params: { batch: batch.uid, row: target.id },
              body: { column, value },
            });
            expect(status).toBe(200);
            const stagedRows = await readStagedRows(server, batch.uid);
            await checkFully(server, batch.uid);
            expect(stagedRows).toEqual(await readStagedRows(server, batch.uid));
          }
        },
      ),
      { numRuns: runs, seed },
    );
  });

  it('[IMP-08:hac] [IMP-08:h2s] export the permits and zones of the demo so that importing them changes nothing', async () => {
    const plant = { locations: siteRows.filter(({ root }) => root === 'site') };
    for (let run = 0; run < 2; run += 1) await seedDemo({ tables: tables() } as never, plant as never);
    const expected = [
      ['permits.permits', 'site_PERMIT_IMPORT_FILE.xlsx', [6, 18, 6, 6]],
      ['permits.hac', 'site_HAC_IMPORT_FILE.xlsx', [2]],
      ['permits.h2s', 'site_H2S_IMPORT_FILE.xlsx', [2]],
    ] as const;
    for (const [id, fileName, counts] of expected) {
      const { name, body } = await reimport(id);
      expect(name).toBe(fileName);
      expect(body.sheets.slice(0, counts.length)).toMatchObject(
        counts.map((count) => ({ rows: count, unchanged: count, changed: 0, added: 0, removed: 0, withErrors: 0 })),
      );
    }
  });

  it('[ACC-04] need access to permits and to the site', async () => {
    const begin = async (flags: readonly string[], locations?: readonly string[]) => {
      const callerToken = await server.signIn({ flags, ...(locations ? { locations } : {}) } as never);
      const { status } = await server.call(createImport, {
        token: callerToken,
        body: { uid: randomUUID(), kind: 'permits.permits', site: 'site', mode: 'UPSERT' },
      });
      return status;
    };
    expect(await begin(['import'])).toBe(403);
    expect(await begin(['permitAccess'])).toBe(403);
    expect(await begin(['import', 'permitAccess'], ['far'])).toBe(403);
    expect(await begin(['import', 'permitAccess'], ['site'])).toBe(201);
  });

  it('[ACC-04] need access to permits also to be undone from the audit log', async () => {
    const reply = await push({ permits: [buildPermit('P-1')] });
    const { rows } = await sql<{ change: string }>`
      select change from imports.batch where uid = ${reply.import.uid}`.execute(tables());
    const importer = await server.signIn({ flags: ['import'] });
    const undoAs = async (callerToken: string) =>
      (await server.call(undoChange, { token: callerToken, params: { change: rows[0]!.change }, body: {} })).status;
    expect([await undoAs(importer), await undoAs(token)]).toEqual([403, 200]);
  });

  it('take as many statements for 60 permits as for three', async () => {
    const count = async (size: number, stage: string) => {
      const numbers = Array.from({ length: size }, (_, index) => `Q${size}-${index}`);
      const statements = await new QueryCounter(server.database).recordAll(() =>
        push({
          permits: numbers.map((number) => buildPermit(number, { stage })),
          assignees: numbers.flatMap((number) => buildAssignees(number)),
          siteVisits: numbers.map((permit) => ({ permit, role: 'AREA_AUTHORITY', status: 'PENDING' })),
          isolations: numbers.map((permit) => ({ permit, certificate: 'I' })),
        }),
      );
      return statements.filter((statement) => /permits\.|imports\./.test(statement)).length;
    };
    expect(await count(60, 'ISSUE')).toBe(await count(3, 'ISSUE'));
    expect(await count(60, 'ACCEPT')).toBe(await count(3, 'ACCEPT'));
  });
});
