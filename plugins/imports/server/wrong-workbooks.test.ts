import { randomBytes, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { sql } from 'kysely';
import sharp from 'sharp';
import * as xlsx from 'xlsx';
import { FileStore, Jobs, enabledPlugin } from '#core/server';
import { buildBridge, describeOnDatabases, soakCount, startTestServer, type TestServer } from '#core/testing/server';
import { findSkipReason, samplePath } from '#core/testing/sample-data';
import { masters, mastersImports, mastersManifest, type MastersTables } from '#plugins/masters/testing/server';
import { ImportKinds, type ColumnType, type ImportKind, type ImportMode, type ReadFormat } from '#plugins/imports';
import {
  applyImport,
  cancelImport,
  chooseImportColumns,
  createErrorWorkbook,
  createImport,
  getImport,
  leaveOutImportRows,
  listImportProblems,
  listImportRows,
  pushImport,
  renameImportReferences,
  replaceImportValues,
  updateImportRow,
} from '../contract/api.ts';
import manifest from '../plugin.ts';
import { checkFully, readStagedRows } from '../testing/full-check.ts';
import { createFolder, listWorkbooks } from '../testing/workbooks.ts';
import { deleteOldPictures } from './commands/delete-old-pictures.ts';
import { deleteOldStaging, stagingLifetimeDays } from './commands/delete-old-staging.ts';
import imports from './index.ts';
import type { ImportsTables } from './tables.ts';
import type { CellValue } from './workbooks/workbook-types.ts';
import { writeWorkbook } from './workbooks/write-workbook.ts';

const headers = ['Type*', 'Name*', 'Status*', 'Parent Type', 'Parent Name', 'Sequence', 'French Name'];
const types = 'Type of work, Activity, User type, Section, Department, Division, Business unit';
const longText = randomBytes(16_384).toString('hex').slice(0, 32_767);
const buildGoodRow = (name: string, ...rest: readonly CellValue[]): readonly CellValue[] => [
  'ACTIVITY',
  name,
  'Active',
  ...rest,
];
const buildSectionRow = (name: string, parentType: string | null, parent: string | null): readonly CellValue[] => [
  'SECTION',
  name,
  'Active',
  parentType,
  parent,
];

/** Rows with the column and message of their error. The first one is row 2. */
const wrongRows: readonly (readonly [cells: readonly CellValue[], column?: string, message?: string])[] = [
  [[null, 'No type', 'Active'], 'Type*', 'This is a mandatory field'],
  [['ACTIVITY', ' \u00a0', 'Active'], 'Name*', 'This is a mandatory field'],
  [['ACTIVITY', 'No status', null], 'Status*', 'This is a mandatory field'],
  [['JOB', 'Wrong type', 'Active'], 'Type*', `Allowed values: ${types}`],
  [['ACTIVITY', 'Wrong status', 'Maybe'], 'Status*', 'Allowed values: Active, Inactive'],
  [buildGoodRow('x'.repeat(101)), 'Name*', 'Max length 100 chars'],
  [buildGoodRow(longText), 'Name*', 'Max length 100 chars'],
  [buildGoodRow('Lift; dive'), 'Name*', 'Special chars are not allowed'],
  [buildGoodRow('Twice')],
  [buildGoodRow('  TWICE '), 'Name*', 'Duplicate value Activity, TWICE found (also in row 10)'],
  [buildGoodRow('Caf\u00e9')],
  [buildGoodRow('Cafe\u0301'), 'Name*', 'Duplicate value Activity, Caf\u00e9 found (also in row 12)'],
  [buildGoodRow('Text', null, null, 'many'), 'Sequence', 'Enter Number'],
  [buildGoodRow('Half', null, null, 1.5), 'Sequence', 'Decimals not allowed'],
  [buildGoodRow('Negative', null, null, -1), 'Sequence', 'Negative values are not allowed'],
  [buildGoodRow('Large', null, null, 1_000_001), 'Sequence', 'Max value is 1000000'],
  [buildGoodRow('French', null, null, 1, 'Un = deux'), 'French Name', 'Special chars are not allowed'],
  [buildSectionRow('S1', 'DEPARTMENT', null), 'Parent Name', 'This is a mandatory field'],
  [buildSectionRow('S2', null, 'D'), 'Parent Type', 'This is a mandatory field'],
  [buildSectionRow('S3', 'DIVISION', 'D'), 'Parent Type', 'Allowed values: Department'],
  [buildSectionRow('S4', 'DEPARTMENT', 'Missing'), 'Parent Name', 'Missing not found in Department'],
  [buildSectionRow('S5', 'ROOM', 'D'), 'Parent Type', `Allowed values: ${types}`],
];

const buildColumn = (id: string, type: ColumnType) => ({ id, header: { en: id, fr: id }, type });
/** A kind with a date and a number, whose imports are never applied. */
const readingsKind: ImportKind<MastersTables> = {
  id: 'masters.readings',
  title: { en: 'Readings', fr: 'Relevés' },
  order: 99,
  scope: 'NONE',
  fileName: () => 'READINGS.xlsx',
  files: [],
  readme: [],
  sheets: [
    {
      id: 'readings',
      name: 'Readings',
      columns: [
        { ...buildColumn('code', 'CODE'), key: true, required: true },
        buildColumn('at', 'DATETIME'),
        buildColumn('length', 'NUMBER'),
        {
          ...buildColumn('height', 'NUMBER'),
          header: { en: 'Height (m)', fr: 'Hauteur (m)' },
          synonymHeaders: ['Elevation'],
        },
        {
          ...buildColumn('parts', 'LIST'),
          reference: {
            entity: { en: 'readings', fr: 'relevés' },
            within: { sheet: 'readings', column: 'code' },
            find: () => sql`select 'OLD' as code, true as active`,
          },
        },
      ],
      removable: true,
      current: () => sql`select '{"code": "OLD", "at": null, "length": 1, "parts": null}'::jsonb as values`,
    },
  ],
  changes: { apply: async () => ({ change: null }) },
  apply: async () => {},
};

const sample = 'excel/poi-hostile';
const missingSample = findSkipReason(sample) !== undefined;
const folder = createFolder();

describeOnDatabases('wrong workbooks', (kind) => {
  let server: TestServer;
  let token: string;
  beforeAll(async () => {
    server = await startTestServer({
      database: kind,
      plugins: [enabledPlugin(manifest, { endSessions: true }, imports), enabledPlugin(mastersManifest, {}, masters)],
      bridges: [buildBridge('masters', 'imports', mastersImports)],
    });
    server.service(ImportKinds).register(readingsKind);
    token = await server.signIn({ flags: ['import', 'configure'] });
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    await sql`delete from masters.master`.execute(tables());
    await sql`delete from imports.batch`.execute(tables());
    await sql`truncate imports.header_choice, imports.format_choice`.execute(tables());
  });

  const tables = () => server.server.database.of<MastersTables>('masters');
  const toWorkbook = async (
    sheets: Readonly<Record<string, readonly (readonly CellValue[])[]>>,
    meta: Readonly<Record<string, string>> = {},
  ): Promise<Buffer> => {
    const out = folder.path(`${randomUUID()}.xlsx`);
    const layout = {
      sheets: Object.entries(sheets).map(([name, [first = []]]) => ({
        name,
        columns: first.map((header) => ({ header: String(header), required: false, note: '', kind: 'text' as const })),
      })),
      readme: ['Rules'],
      meta,
    };
    await writeWorkbook(out, layout, async function* list(sheet) {
      yield* sheets[sheet]?.slice(1) ?? [];
    });
    return readFile(out);
  };
  const begin = async (id = 'masters.masters', mode: ImportMode = 'UPSERT'): Promise<string> =>
    (await server.call(createImport, { token, body: { uid: randomUUID(), kind: id, mode } })).body.uid;
  const get = async (batch: string) => (await server.call(getImport, { token, params: { batch } })).body;
  const waitForJob = async (batch: string) => {
    const { job } = await get(batch);
    if (job !== null) await server.service(Jobs).waitForCompletion(job);
    return get(batch);
  };
  const send = async (batch: string, content: Uint8Array, name = 'masters.xlsx') => {
    const form = new FormData();
    form.append('files', new Blob([new Uint8Array(content)]), name);
    const url = `${await server.url()}/api/imports/${batch}/files`;
    return fetch(url, { method: 'POST', headers: { authorization: `Bearer ${token}` }, body: form });
  };
  const upload = async (content: Uint8Array, name?: string, id?: string, mode?: ImportMode) => {
    const batch = await begin(id, mode);
    expect((await send(batch, content, name)).status).toBeLessThan(300);
    return waitForJob(batch);
  };
  const apply = (batch: string, version: number) =>
    server.call(applyImport, { token, params: { batch }, body: { version, remove: false, backup: false } });
  const push = async (rows: readonly object[], dryRun = false) =>
    (
      await server.call(pushImport, {
        token,
        body: {
          uid: randomUUID(),
          kind: 'masters.masters',
          mode: 'UPSERT',
          dryRun,
          sheets: { masters: rows as never },
        },
      })
    ).body.import;

  it('are refused at once, by name, if they are empty or a picture that was renamed', async () => {
    const batch = await begin();
    const readRefusal = async (content: Uint8Array, name: string) => {
      const reply = await send(batch, content, name);
      const { refusal } = (await reply.json()) as { refusal?: object };
      return [reply.status, refusal];
    };
    const picture = await sharp({ create: { width: 1, height: 1, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
    for (const named of ['.xlsx', '.csv', '.json'])
      expect(await readRefusal(picture, `masters${named.toUpperCase()}`)).toEqual([
        400,
        {
          message: 'core.refused.fileDisguised',
          values: { named, type: '.png' },
          where: `masters${named.toUpperCase()}`,
        },
      ]);
    for (const name of ['plan.png', 'plan'])
      expect(await readRefusal(picture, name)).toEqual([
        400,
        { message: 'core.refused.fileType', values: { type: '.png' }, where: name },
      ]);
    for (const name of ['masters.xlsx', 'masters.csv', 'masters.json', 'masters', 'masters.png'])
      expect(await readRefusal(new Uint8Array(), name)).toEqual([
        400,
        expect.objectContaining({ message: 'imports.refused.workbookEmptyFile', where: name }),
      ]);
    expect(await get(batch)).toMatchObject({ phase: 'FILES', files: [] });
  });

  it('[VAL] come back with the message of each check in the right cell', async () => {
    const { uid: batch, phase } = await upload(
      await toWorkbook({ Masters: [headers, ...wrongRows.map(([cells]) => cells)] }),
    );
    expect(phase).toBe('PREVIEW');
    const { body: file } = await server.call(createErrorWorkbook, {
      token,
      params: { batch },
      body: { language: 'en' },
    });
    const reply = await fetch(`${await server.url()}${file.address}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const sheet = xlsx.read(await reply.arrayBuffer()).Sheets.Masters ?? {};
    // The column `Errors` moves all others to the right.
    const foundComments = wrongRows.map((_row, index) =>
      headers.flatMap((header, column) => {
        const cell = sheet[xlsx.utils.encode_cell({ r: index + 1, c: column + 1 })] as xlsx.CellObject | undefined;
        return (cell?.c ?? []).map(({ t }) => [header, t]);
      }),
    );
    expect(foundComments).toEqual(
      wrongRows.map(([, column, message]) => (column === undefined ? [] : [[column, message]])),
    );
    const errors = wrongRows.map((_row, index) => (sheet[`A${index + 2}`] as xlsx.CellObject | undefined)?.v ?? '');
    expect(errors).toEqual(
      wrongRows.map(([, column, message]) => (column === undefined ? '' : `[${column}] ${message}`)),
    );
    expect((await apply(batch, (await get(batch)).version)).status).toBe(409);
  });

  const openErrors = async (batch: string) => {
    const { body } = await server.call(createErrorWorkbook, { token, params: { batch }, body: { language: 'en' } });
    const authorization = `Bearer ${token}`;
    const reply = await fetch(`${await server.url()}${body.address}`, { headers: { authorization } });
    return Buffer.from(await reply.arrayBuffer());
  };
  const listFindings = async (batch: string) =>
    (await server.call(listImportRows, { token, params: { batch }, query: {} })).body.rows.flatMap(
      ({ row, findings }) =>
        findings.map(({ column, message, values }) => [row, column, message.split('.').at(-1), values]),
    );

  it('are read below their titles, which a warning names, with the row numbers of the file', async () => {
    const rows = [
      ['Register of unit 100'],
      [null, 'Revision', 'B'],
      [null],
      headers,
      buildGoodRow('A'),
      ['ACTIVITY', null, 'Active'],
    ];
    const book = xlsx.utils.book_new();
    xlsx.utils.book_append_sheet(book, xlsx.utils.aoa_to_sheet(rows.map((row) => [...row])), 'Masters');
    const content = xlsx.write(book, { bookType: 'xlsx', type: 'buffer' }) as Buffer;
    const note = {
      message: 'imports.refused.titleRows',
      values: { sheet: 'Masters', row: 4, text: 'Register of unit 100 · Revision · B' },
    };
    const expectRead = async ({ uid, ...read }: Awaited<ReturnType<typeof upload>>) => {
      expect(read).toMatchObject({
        phase: 'PREVIEW',
        findings: [note],
        sheets: [{ rows: 2, added: 1, withErrors: 1 }],
      });
      expect(await listFindings(uid)).toEqual([[6, 'name', 'mandatoryField', undefined]]);
    };
    const first = await upload(content);
    await expectRead(first);
    const markedWorkbook = await openErrors(first.uid);
    const sheet = xlsx.read(markedWorkbook).Sheets.Masters ?? {};
    expect(['A6', 'C6'].map((at) => (sheet[at] as xlsx.CellObject | undefined)?.c?.[0]?.t ?? sheet[at]?.v)).toEqual([
      '[Name*] This is a mandatory field',
      'This is a mandatory field',
    ]);
    await expectRead(await upload(markedWorkbook));
    const lines = rows.map((row) => row.join(';'));
    await expectRead(await upload(Buffer.from(lines.join('\r\n')), 'masters.csv'));
  });

  it('keep the warnings about their rows when a person chooses columns', async () => {
    const lines = ['Readings of 2126', 'code;Elev (km)', 'A;1'];
    const { uid: batch, findings } = await upload(Buffer.from(lines.join('\n')), 'readings.csv', readingsKind.id);
    expect(findings.map(({ message }) => message)).toEqual([
      'imports.refused.titleRows',
      'imports.refused.columnUnknown',
    ]);
    const body = { sheet: 'readings', headers: [{ header: 'Elev (km)', column: 'height', unitConfirmed: true }] };
    await server.call(chooseImportColumns, { token, params: { batch }, body });
    expect((await waitForJob(batch)).findings.map(({ message }) => message)).toEqual([
      'imports.refused.titleRows',
      'imports.refused.unitNotConverted',
    ]);
  });

  it('get warnings of hidden rows and columns that are read, and of cells that are not read', async () => {
    const sheet = xlsx.utils.aoa_to_sheet([
      ['code', 'length', 'Remark'],
      ['A', 1],
      ['B', 2, null, 'x', 'y'],
      ['C', 0.05],
    ]);
    sheet['!rows'] = [{}, { hidden: true }, {}, { hidden: true }];
    sheet['!cols'] = [{}, { hidden: true }, { hidden: true }];
    (sheet['B4'] as xlsx.CellObject).z = '0%';
    const book = xlsx.utils.book_new();
    xlsx.utils.book_append_sheet(book, sheet, 'Readings');
    const content = xlsx.write(book, { bookType: 'xlsx', type: 'buffer' }) as Buffer;
    const { uid, findings } = await upload(content, 'readings.xlsx', readingsKind.id);
    expect(findings.map(({ message, values }) => [message.split('.').at(-1), values])).toEqual([
      ['columnUnknown', { column: 'Remark' }],
      ['hiddenColumns', { sheet: 'Readings', columns: 'length' }],
      ['hiddenRows', { sheet: 'Readings', count: 2, first: 2 }],
    ]);
    expect(await listFindings(uid)).toEqual([
      [3, null, 'surplusCells', { count: 2 }],
      [4, 'length', 'percent', { shown: '5 %', read: 0.05 }],
    ]);
    const csv = await upload(Buffer.from('code,length\nA,1\nB,2,gate,\nC,3,,\n'), 'readings.csv', readingsKind.id);
    expect(await listFindings(csv.uid)).toEqual([[3, null, 'surplusCells', { count: 1 }]]);
  });

  it('name the kind that our own workbook is for, and the sheets and columns that are wrong', async () => {
    const rows = [headers, buildGoodRow('A')];
    expect(await upload(await toWorkbook({ Masters: rows }, { kind: 'tour.tags' }))).toMatchObject({
      phase: 'FILES',
      refusal: { message: 'imports.refused.otherKind', values: { kind: 'tour.tags' } },
    });
    expect(await upload(await toWorkbook({ Masters: rows }, { kind: 'masters.masters' }))).toMatchObject({
      phase: 'PREVIEW',
      findings: [],
    });
    expect(await upload(await toWorkbook({ Values: rows }))).toMatchObject({
      phase: 'FILES',
      refusal: { message: 'imports.refused.noKnownSheet', values: { found: 'Values', sheets: 'Masters' } },
    });
    const wide = [...headers, ...Array.from({ length: 200 }, (_, index) => `Extra ${index}`)];
    expect(await upload(await toWorkbook({ Masters: [wide, buildGoodRow('A')] }))).toMatchObject({
      phase: 'FILES',
      refusal: { message: 'imports.refused.tooManyColumns', values: { max: 200 } },
    });
  });

  it('cannot have two headers for one column, and may have headers and values of any length', async () => {
    const { uid: batch, ...read } = await upload(
      await toWorkbook({
        Masters: [
          ['Type', 'Name', 'State', 'State', longText.slice(0, 1000)],
          ['ACTIVITY', 'A', longText, 'Inactive', 1],
        ],
      }),
    );
    expect(read.phase).toBe('COLUMNS');
    const choose = (...chosenColumns: readonly (readonly [header: string, column: string | null])[]) =>
      server.call(chooseImportColumns, {
        token,
        params: { batch },
        body: { sheet: 'masters', headers: chosenColumns.map(([header, column]) => ({ header, column })) },
      });
    expect((await choose(['State', 'name'])).status).toBe(400);
    expect((await choose(['State', 'status'], [longText.slice(0, 1000), 'status'])).status).toBe(400);
    expect((await choose(['State', 'status'], [longText.slice(0, 1000), 'sequence'])).status).toBe(200);
    const { sheets } = await waitForJob(batch);
    expect(sheets[0]?.headers.map(({ column }) => column)).toEqual(['type', 'name', 'status', null, 'sequence']);
    const { body } = await server.call(replaceImportValues, {
      token,
      params: { batch },
      body: { sheet: 'masters', column: 'status', from: longText, to: 'Active' },
    });
    expect(body).toEqual({ rows: 1 });
    expect((await get(batch)).sheets[0]).toMatchObject({ added: 1, withErrors: 0 });
  });

  it('need a person to confirm a unit that cannot be converted, for each file, and get a warning', async () => {
    const uploadKilometres = () => upload(Buffer.from('code;Elev (km)\nA;18.5'), 'readings.csv', readingsKind.id);
    const choose = async (batch: string, unitConfirmed?: boolean) => {
      const height = { header: 'Elev (km)', column: 'height', ...(unitConfirmed && { unitConfirmed }) };
      const body = { sheet: 'readings', headers: [height] };
      expect((await server.call(chooseImportColumns, { token, params: { batch }, body })).status).toBe(200);
      const { phase, findings } = await waitForJob(batch);
      return [phase, ...findings.map(({ message }) => message)];
    };
    const warningOutcome = ['PREVIEW', 'imports.refused.unitNotConverted'];
    const first = await uploadKilometres();
    expect(first).toMatchObject({ phase: 'PREVIEW', sheets: [{ headers: [{}, { column: null }] }] });
    expect(await choose(first.uid)).toEqual(['COLUMNS']);
    expect(await choose(first.uid, true)).toEqual(warningOutcome);
    const second = await uploadKilometres();
    expect(second).toMatchObject({ phase: 'COLUMNS', sheets: [{ headers: [{}, { by: 'REMEMBERED' }] }] });
    expect(await choose(second.uid, true)).toEqual(warningOutcome);
    expect((await get(second.uid)).findings[0]?.values).toEqual({
      header: 'Elev (km)',
      column: 'Height (m)',
      unit: 'm',
    });
  });

  it('are refused as a whole if an API call has columns that a person would have to confirm in a file', async () => {
    const pushReadings = async (rows: readonly object[], dryRun = false) => {
      const body = { uid: randomUUID(), kind: readingsKind.id, mode: 'UPSERT' as const, dryRun };
      const sheets = { readings: rows as never };
      return server.call(pushImport, { token, body: { ...body, sheets } });
    };
    const pick = ({ status, refusal }: Awaited<ReturnType<typeof pushReadings>>) => [status, refusal.refusal];
    const unclear = (message: string, values: object) => [400, { message: `imports.refused.${message}`, values }];
    const at = '2126-11-05T08:00:00Z';
    const guessedRows = [
      { code: 'A', when: at },
      { code: 'B', when: at },
    ];
    const byValues = unclear('unclearColumn', { sheet: 'Readings', header: 'when', id: 'at', column: 'at' });
    expect(pick(await pushReadings(guessedRows))).toEqual(byValues);
    expect(pick(await pushReadings(guessedRows, true))).toEqual(byValues);
    const both = await pushReadings([{ code: 'A' }, { code: 'B', Elevation: 1, length: '5,5' }, { length: '91.540' }]);
    const height = { sheet: 'Readings', header: 'Elevation', id: 'height', column: 'Height (m) / Hauteur (m)' };
    expect(pick(both)).toEqual(unclear('unclearColumn', height));
    const numbers = { sheet: 'Readings', header: 'length', examples: '5,5 · 91.540' };
    expect(both.refusal.fields).toEqual([
      { pointer: '/sheets/readings/1/Elevation', message: 'imports.refused.unclearColumn', values: height },
      { pointer: '/sheets/readings/1/length', message: 'imports.refused.unclearNumbers', values: numbers },
    ]);
    expect(
      pick(
        await pushReadings([
          { code: 'A', length: '5,5' },
          { code: 'B', length: '1,234.5' },
        ]),
      ),
    ).toEqual(unclear('unclearNumbers', { ...numbers, examples: '5,5 · 1,234.5' }));
    // Choices for files are remembered, but a person confirms the unit of each file.
    await sql`insert into imports.header_choice (kind, sheet, header, column_id) values (${readingsKind.id}, 'readings', 'elev (km)', 'height'), (${readingsKind.id}, 'readings', 'elev (ft msl)', 'height')`.execute(
      tables(),
    );
    for (const [header, unit] of [
      ['Elev (km)', 'km'],
      ['Elev (ft MSL)', 'ft'],
    ] as const)
      expect(pick(await pushReadings([{ code: 'A', [header]: 1 }]))).toEqual(
        unclear('unclearUnit', { sheet: 'Readings', header, id: 'height', unit, read: 'm' }),
      );
    const database = server.server.database.of<ImportsTables>('imports');
    expect(await database.selectFrom('staged_row').select('id').execute()).toEqual([]);
    expect(await database.selectFrom('batch').select('uid').execute()).toEqual([]);
    // Values that can be read in two ways are errors of their rows, and missing columns of their sheet.
    const doubtful = (await pushReadings([{ code: 'A', at: '05/11/2126', length: '91,540' }])).body;
    expect(doubtful.findings.map(({ column, severity }) => [column, severity])).toEqual([
      ['at', 'ERROR'],
      ['length', 'ERROR'],
    ]);
    const missingResult = (await pushReadings([{ length: 1 }])).body;
    expect(missingResult.import.findings.map(({ message }) => message)).toEqual(['imports.refused.columnMissing']);
    expect([doubtful, missingResult].map(({ import: { phase } }) => phase)).toEqual(['PREVIEW', 'PREVIEW']);
    const clear = await pushReadings(
      [
        { code: 'A', at, length: 91.54, height: 1 },
        { code: 'B', length: '91.540' },
      ],
      true,
    );
    expect([clear.status, clear.body.findings]).toEqual([200, []]);
  });

  it('[DAT-04] are read by the formats that a person chooses for their columns, else by those that the values prove', async () => {
    const uploadCsv = (...lines: readonly string[]) =>
      upload(Buffer.from(['code;at;length', ...lines].join('\n')), 'readings.csv', readingsKind.id);
    const listValues = async (batch: string) =>
      (await server.call(listImportRows, { token, params: { batch }, query: {} })).body.rows.map(
        ({ values, findings }) => [values.at, values.length, ...findings.map(({ message }) => message)],
      );
    const choose = async (batch: string, format: ReadFormat, header = 'at') => {
      const chosenHeaders = ['at', 'length'].map((column) => ({
        header: column,
        column,
        ...(column === header && { format }),
      }));
      const body = { sheet: 'readings', headers: chosenHeaders };
      const { status } = await server.call(chooseImportColumns, { token, params: { batch }, body });
      return { ...(await waitForJob(batch)), status };
    };
    const decidedImport = await uploadCsv('A;05/11/2026 08:00;91,540', 'B;26/11/2026;5,5', 'C;2026-11-27;1.5');
    expect(decidedImport.phase).toBe('PREVIEW');
    expect(decidedImport.sheets[0]?.headers[1]?.evidence).toEqual({
      DATE: '05/11/2026 08:00',
      DAY_FIRST: '26/11/2026',
    });
    expect(await listValues(decidedImport.uid)).toEqual([
      ['2026-11-05T08:00:00.000Z', 91.54],
      ['2026-11-26T00:00:00.000Z', 5.5],
      ['2026-11-27T00:00:00.000Z', 1.5],
    ]);
    const correct = async (batch: string, number: number, column: string, value: string) => {
      const { body } = await server.call(listImportRows, { token, params: { batch }, query: {} });
      const params = { batch, row: body.rows[number]!.id };
      await server.call(updateImportRow, { token, params, body: { column, value } });
    };
    await correct(decidedImport.uid, 0, 'length', '91.541');
    await correct(decidedImport.uid, 1, 'at', '06/11/2026');
    await correct(decidedImport.uid, 2, 'at', '2026-11-06');
    const correctedValues = [
      ['2026-11-05T08:00:00.000Z', 91.541],
      ['06/11/2026', 5.5, 'imports.refused.date'],
      ['2026-11-06T00:00:00.000Z', 1.5],
    ];
    expect(await listValues(decidedImport.uid)).toEqual(correctedValues);
    // A person can choose a format against the one date that proves another. Corrected cells stay as they are.
    await choose(decidedImport.uid, 'MONTH_FIRST');
    expect(await listValues(decidedImport.uid)).toEqual([
      ['2026-05-11T08:00:00.000Z', 91.541],
      ['06/11/2026', 5.5, 'imports.refused.date'],
      ['2026-11-06T00:00:00.000Z', 1.5],
    ]);
    await sql`truncate imports.format_choice`.execute(tables());
    const open = await uploadCsv('A;05/11/2026 8:00 PM;1');
    expect(open.phase).toBe('COLUMNS');
    expect(await choose(open.uid, 'MONTH_FIRST')).toMatchObject({
      phase: 'PREVIEW',
      sheets: [{ headers: [{}, { format: 'MONTH_FIRST', formatBy: 'CHOSEN' }, {}] }],
    });
    expect(await listValues(open.uid)).toEqual([['2026-05-11T20:00:00.000Z', 1]]);
    const secondImport = await uploadCsv('A;05/11/2026;1');
    const rememberedFormat = { format: 'MONTH_FIRST', formatBy: 'REMEMBERED' };
    expect(secondImport).toMatchObject({ phase: 'COLUMNS', sheets: [{ headers: [{}, rememberedFormat, {}] }] });
    expect((await choose(secondImport.uid, 'DECIMAL_COMMA')).status).toBe(400);
    expect((await choose(secondImport.uid, 'DAY_FIRST', 'length')).status).toBe(400);
    expect((await choose(secondImport.uid, 'MONTH_FIRST')).phase).toBe('PREVIEW');
    expect(await listValues(secondImport.uid)).toEqual([['2026-05-11T00:00:00.000Z', 1]]);
    const mixedImport = await uploadCsv('A;26/11/2026;1', 'B;11/27/2026;1');
    expect(mixedImport.phase).toBe('COLUMNS');
    await choose(mixedImport.uid, 'DAY_FIRST');
    expect(await listValues(mixedImport.uid)).toEqual([
      ['2026-11-26T00:00:00.000Z', 1],
      ['11/27/2026', 1, 'imports.refused.dateDayFirst'],
    ]);
  });

  const uploadReadings = (...lines: readonly string[]) =>
    upload(Buffer.from(['code;length;parts', ...lines].join('\n')), 'readings.csv', readingsKind.id, 'REPLACE');
  const readRows = async (batch: string) =>
    (await server.call(listImportRows, { token, params: { batch }, query: {} })).body.rows;
  const expectFullCheck = async (batch: string) => {
    const checkedRows = await readStagedRows(server, batch);
    await checkFully(server, batch);
    expect(await readStagedRows(server, batch)).toEqual(checkedRows);
  };

  it('[DAT-04] can have rows left out, which removes nothing, and included again', async () => {
    const { uid: batch } = await uploadReadings('old;many', 'A;many', 'B;1;A', 'C;2;A');
    const setLeftOut = async (body: { leftOut: boolean; row?: string; problem?: object }) =>
      server.call(leaveOutImportRows, { token, params: { batch }, body: { sheet: 'readings', ...body } as never });
    const count = async () => {
      await expectFullCheck(batch);
      const { added, removed, withErrors, leftOut } = (await get(batch)).sheets[0]!;
      return { added, removed, withErrors, leftOut };
    };
    const rows = await readRows(batch);
    expect(await count()).toEqual({ added: 2, removed: 0, withErrors: 2, leftOut: 0 });
    expect((await setLeftOut({ leftOut: true, row: rows[0]!.id })).body).toEqual({ rows: 1 });
    expect(await count()).toEqual({ added: 2, removed: 0, withErrors: 1, leftOut: 1 });
    const { body: problems } = await server.call(listImportProblems, { token, params: { batch }, query: {} });
    const { column, finding, value } = problems.rows[0]!;
    expect((await setLeftOut({ leftOut: true, problem: { column, finding, value } })).body).toEqual({ rows: 1 });
    // The other rows refer to a row that is left out.
    expect(await count()).toEqual({ added: 0, removed: 0, withErrors: 2, leftOut: 2 });
    expect((await setLeftOut({ leftOut: true })).status).toBe(400);
    expect((await setLeftOut({ leftOut: false })).body).toEqual({ rows: 2 });
    expect(await count()).toEqual({ added: 2, removed: 0, withErrors: 2, leftOut: 0 });
  });

  it('[DAT-04] remove nothing of a sheet while one of its rows is left out, because its key may be mistyped', async () => {
    const { uid: batch } = await uploadReadings('OLDD;many', 'A;1', 'B;1');
    const [wrongRow, otherRow] = await readRows(batch);
    const params = { batch };
    const setLeftOut = async (row: string | undefined, leftOut: boolean) => {
      const body = { sheet: 'readings', leftOut, ...(row === undefined ? {} : { row }) };
      expect((await server.call(leaveOutImportRows, { token, params, body })).status).toBe(200);
      await expectFullCheck(batch);
      const { findings, sheets } = await get(batch);
      return [sheets[0]!.leftOut, sheets[0]!.removed, ...findings.map(({ message }) => message)];
    };
    expect((await get(batch)).sheets[0]).toMatchObject({ removed: 1, leftOut: 0 });
    const keptMessage = 'imports.refused.leftOutKeepsRows';
    expect(await setLeftOut(wrongRow!.id, true)).toEqual([1, 0, keptMessage]);
    expect(await setLeftOut(otherRow!.id, true)).toEqual([2, 0, keptMessage]);
    expect(await setLeftOut(wrongRow!.id, false)).toEqual([1, 0, keptMessage]);
    expect(await setLeftOut(undefined, false)).toEqual([0, 1]);
  });

  it('[DAT-04] get a corrected code also in the cells that refer to the former one, unless that would merge two rows', async () => {
    const { uid: batch } = await uploadReadings('A;1', 'B;1;a', 'C;1;B', 'D;1;"C,"', 'D2;1;"A; B"');
    const rename = async (from: string, to: string, dryRun: boolean) =>
      (
        await server.call(renameImportReferences, {
          token,
          params: { batch },
          body: { sheet: 'readings', column: 'code', from, to, dryRun },
        })
      ).body.cells;
    expect(await rename('A', 'A1', true)).toBe(0);
    const [first] = await readRows(batch);
    const correct = (value: string) =>
      server.call(updateImportRow, { token, params: { batch, row: first!.id }, body: { column: 'code', value } });
    // A code of another row, one that is wrong, one that exists, and one that no row has.
    for (const merging of ['b', 'A;1', 'OLD']) {
      await correct(merging);
      expect(await rename('A', merging, true), merging).toBe(0);
      expect(await rename('A', merging, false), merging).toBe(0);
    }
    expect(await rename('A', 'A1', true)).toBe(0);
    await correct('A1');
    expect(await rename('A', 'A1', true)).toBe(2);
    expect(await rename('A', 'A1', false)).toBe(2);
    expect((await readRows(batch)).map(({ values }) => values.parts).slice(0, 5)).toEqual([
      null,
      ['A1'],
      ['B'],
      ['C,'],
      ['A1', 'B'],
    ]);
    await expectFullCheck(batch);
  });

  it('get proposals for references, which are no misspellings if a whole word differs', async () => {
    const { uid: batch } = await uploadReadings('A;1;OLDD', 'B;1;SLD', 'C;1;NEW');
    const { body } = await server.call(listImportProblems, { token, params: { batch }, query: {} });
    expect(body.rows.map(({ value, proposals, misspelt }) => [value, misspelt, ...proposals])).toEqual([
      [['OLDD'], true, 'OLD'],
      [['SLD'], false, 'OLD'],
      [['NEW'], false],
    ]);
  });

  it('get a proposal with dashes instead of the characters that codes cannot have', async () => {
    const { uid: batch } = await uploadReadings('RAV/IMP-3;1', 'IMP3.PV.001;1;RAV/IMP-3');
    const { body } = await server.call(listImportProblems, { token, params: { batch }, query: {} });
    expect(body.rows.map(({ column, value, proposals }) => [column, value, ...proposals])).toEqual([
      ['code', 'RAV/IMP-3', 'RAV-IMP-3'],
      ['code', 'IMP3.PV.001', 'IMP3-PV-001'],
    ]);
    const code = { sheet: 'readings', column: 'code', from: 'RAV/IMP-3', to: 'RAV-IMP-3' };
    expect((await server.call(replaceImportValues, { token, params: { batch }, body: code })).body.rows).toBe(1);
    const rename = { token, params: { batch }, body: { ...code, dryRun: false } };
    expect((await server.call(renameImportReferences, rename)).body.cells).toBe(1);
    expect((await readRows(batch))[1]?.values.parts).toEqual(['RAV-IMP-3']);
  });

  it.runIf(kind === 'embedded' && !missingSample)(
    'from fuzzers end in a preview or a message, one after the other',
    async () => {
      const files = (await listWorkbooks([samplePath(sample)])).slice(0, soakCount(5, Infinity));
      for (const file of files) {
        const { phase, refusal } = await upload(await readFile(file), path.basename(file));
        expect(['FILES', 'COLUMNS', 'PREVIEW'], file).toContain(phase);
        if (phase === 'FILES') expect(refusal?.message, file).toMatch(/^imports\.refused\.(?!failed)/);
        if (file.endsWith('.xls')) expect(refusal?.message, file).toBe('imports.refused.workbookLegacy');
        if (file.endsWith('protect.xlsx')) expect(refusal?.message, file).toBe('imports.refused.workbookPassword');
      }
    },
  );

  it('are read again if the same file is uploaded twice, and refused if their name has another ending', async () => {
    const content = await toWorkbook({ Masters: [headers, buildGoodRow('A')] });
    const { uid: batch } = await upload(content);
    await send(batch, content);
    expect(await waitForJob(batch)).toMatchObject({ phase: 'PREVIEW', files: [{ name: 'masters.xlsx' }] });
    expect((await get(batch)).sheets[0]).toMatchObject({ rows: 1, added: 1 });
    for (const name of ['masters.csv', 'masters.json', 'masters.txt', 'masters'])
      expect(await upload(content, name)).toMatchObject({ phase: 'FILES', refusal: { message: expect.any(String) } });
  });

  it('fail with a message if their file is removed while they are read, and can be uploaded again', async () => {
    const batch = await begin();
    const content = await toWorkbook({ Masters: [headers, buildGoodRow('A')] });
    await send(batch, content);
    await waitForJob(batch);
    const { file } = await server.server.database
      .of<ImportsTables>('imports')
      .selectFrom('file')
      .select('file')
      .where('batch', '=', batch)
      .executeTakeFirstOrThrow();
    await sql`delete from core.file where id = ${file}`.execute(tables());
    await send(batch, content, 'second.xlsx');
    expect(await waitForJob(batch)).toMatchObject({ phase: 'FILES', refusal: { message: expect.any(String) } });
    await send(batch, content);
    expect((await waitForJob(batch)).phase).toBe('PREVIEW');
  });

  it('are refused if the body of an API call is too large', async () => {
    const rows = Array.from({ length: 12_000 }, (_, index) => ({
      type: 'ACTIVITY',
      name: `Work ${index} ${longText.slice(0, 60).padEnd(800, 'x')}`,
    }));
    const { status } = await server.call(pushImport, {
      token,
      body: { uid: randomUUID(), kind: 'masters.masters', mode: 'UPSERT', dryRun: false, sheets: { masters: rows } },
    });
    expect(status).toBe(413);
  });

  it('[IMP-09] are applied once, and only for one of two admins who import the same rows', async () => {
    const content = await toWorkbook({ Masters: [headers, buildGoodRow('A'), buildGoodRow('B')] });
    const [first, second] = [await upload(content), await upload(content)];
    const [firstReply, repeatedReply, otherReply] = await Promise.all([
      apply(first.uid, first.version),
      apply(first.uid, first.version),
      apply(second.uid, second.version),
    ]);
    expect([firstReply.status, repeatedReply.status].toSorted()).toEqual([200, 409]);
    expect(otherReply.status).toBe(200);
    const endedImports = [await waitForJob(first.uid), await waitForJob(second.uid)];
    expect(endedImports.map(({ phase }) => phase).toSorted()).toEqual(['DONE', 'PREVIEW']);
    expect(endedImports.find(({ phase }) => phase === 'PREVIEW')?.refusal?.message).toBe('imports.refused.rowsChanged');
    expect(await tables().selectFrom('master').select('name').execute()).toHaveLength(2);
  });

  it('keep the values of rows that somebody added since the preview, if the file lacks their column', async () => {
    const { uid: batch, version } = await push([{ type: 'ACTIVITY', name: 'A', status: 'Active' }], true);
    await push([{ type: 'ACTIVITY', name: 'A', status: 'Active', sequence: 5 }]);
    await apply(batch, version);
    expect((await waitForJob(batch)).phase).toBe('PREVIEW');
    const { body } = await server.call(listImportRows, { token, params: { batch }, query: {} });
    expect(body.rows).toMatchObject([{ state: 'UNCHANGED', changed: [] }]);
  });

  it('can be cancelled at every step before they are applied, and write nothing then', async () => {
    const cancel = async (batch: string) => server.call(cancelImport, { token, params: { batch }, body: {} });
    const content = await toWorkbook({ Masters: [headers, buildGoodRow('A')] });
    const waiting = await begin();
    const reading = await begin();
    await send(reading, content);
    const { uid: preview } = await upload(content);
    const { uid: columns } = await upload(
      await toWorkbook({
        Masters: [
          ['Type', 'Name'],
          ['ACTIVITY', 'A'],
        ],
      }),
    );
    for (const batch of [waiting, reading, preview, columns]) {
      expect((await cancel(batch)).body.phase).toBe('CANCELLED');
      expect((await cancel(batch)).status).toBe(200);
      expect((await send(batch, content)).status).toBe(409);
      expect((await apply(batch, (await get(batch)).version)).status).toBe(409);
    }
    const { uid: finishedUid, version } = await upload(content);
    await apply(finishedUid, version);
    await waitForJob(finishedUid);
    expect((await cancel(finishedUid)).status).toBe(409);
    expect((await get(reading)).phase).toBe('CANCELLED');
    expect(await tables().selectFrom('master').select('name').execute()).toHaveLength(1);
  });

  it(`lose their rows ${stagingLifetimeDays} days after the import, and are cancelled if nobody applied them`, async () => {
    const appliedImport = await push([{ type: 'ACTIVITY', name: 'A', status: 'Active' }]);
    const dryRunImport = await push([{ type: 'ACTIVITY', name: 'B', status: 'Active' }], true);
    const database = server.server.database.of<ImportsTables>('imports');
    const countRows = async () => (await database.selectFrom('staged_row').select('id').execute()).length;
    await deleteOldStaging(database);
    expect(await countRows()).toBe(2);
    await sql`update imports.batch set created_at = created_at - interval '31 days', finished_at = finished_at - interval '31 days'`.execute(
      database,
    );
    await deleteOldStaging(database);
    expect((await get(dryRunImport.uid)).phase).toBe('CANCELLED');
    expect(await countRows()).toBe(1);
    expect(await get(appliedImport.uid)).toMatchObject({ phase: 'DONE', sheets: [{ rows: 1, added: 1 }] });
  });

  it('lose their uploaded pictures once they are finished, and keep the names', async () => {
    const appliedImport = await push([{ type: 'ACTIVITY', name: 'A', status: 'Active' }]);
    const open = await push([{ type: 'ACTIVITY', name: 'B', status: 'Active' }], true);
    const database = server.server.database.of<ImportsTables>('imports');
    const files = server.service(FileStore);
    const addPicture = async ({ uid: batch }: { readonly uid: string }) => {
      const file = { name: 'a.png', mediaType: 'image/png', audience: { kind: 'signedIn' as const } };
      const { id } = await files.put(file, new Uint8Array(8));
      const row = { batch, name: 'a.png', position: 1, file: id, media_type: 'image/png', bytes: 8, picture: true };
      await database.insertInto('file').values(row).execute();
      return id;
    };
    const ids = [await addPicture(appliedImport), await addPicture(open)];
    await deleteOldPictures({ tables: database, files });
    expect([...(await files.findAll(ids)).keys()]).toEqual([ids[1]]);
    expect((await get(appliedImport.uid)).files).toEqual([{ name: 'a.png', bytes: 8 }]);
  });
});
