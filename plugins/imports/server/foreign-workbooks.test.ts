import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { sql } from 'kysely';
import * as xlsx from 'xlsx';
import { enabledPlugin, Jobs, LocationStore } from '#core/server';
import { buildBridge, describeOnDatabases, startTestServer, type TestServer } from '#core/testing/server';
import { masters, mastersImports, mastersManifest, type MastersTables } from '#plugins/masters/testing/server';
import { finding, ImportKinds, type ImportKind, type ImportValue, type ReadFormat } from '#plugins/imports';
import {
  applyImport,
  chooseImportColumns,
  createErrorWorkbook,
  createImport,
  forgetImportWord,
  getImport,
  listImportProblems,
  listImportRows,
  pushImport,
  readImportAgain,
  replaceImportValues,
  updateImportRow,
} from '../contract/api.ts';
import manifest from '../plugin.ts';
import imports from './index.ts';

/** A kind with references to others, whose imports are never applied. */
const roomsKind: ImportKind<MastersTables> = {
  id: 'masters.rooms',
  title: { en: 'Rooms', fr: 'Salles' },
  order: 98,
  scope: 'NONE',
  fileName: () => 'ROOMS.xlsx',
  files: [],
  readme: [],
  sheets: [
    {
      id: 'rooms',
      name: 'Rooms',
      columns: [
        { id: 'room', header: { en: 'Room', fr: 'Salle' }, type: 'CODE', key: true, required: true },
        {
          id: 'zone',
          header: { en: 'Zone', fr: 'Zone' },
          type: 'REFERENCE',
          required: true,
          reference: {
            entity: { en: 'zones', fr: 'zones' },
            find: () => sql`select 'EX1' as code, true as active union all select 'EX2', true`,
          },
        },
        {
          id: 'use',
          header: { en: 'Use', fr: 'Usage' },
          type: 'ENUM',
          values: [
            { value: 'STORE', label: { en: 'Store', fr: 'Magasin' } },
            { value: 'OFFICE', label: { en: 'Office', fr: 'Bureau' } },
          ],
        },
        { id: 'since', header: { en: 'Since', fr: 'Depuis' }, type: 'DATETIME' },
        { id: 'remark', header: { en: 'Remark', fr: 'Remarque' }, type: 'TEXT' },
      ],
      current: () => sql`select null::jsonb as values where false`,
      check: ({ rows }) => sql`
        select ${finding('remark', 'core.validation.mandatoryField')} from (${rows('rooms')}) as row
        where values ? 'since' and not coalesce(values ->> 'since', '') ~ '^2126-05-..T'`,
      selectRowsToRecheck: () => sql`select null::bigint as id where false`,
    },
  ],
  changes: { apply: async () => ({ change: null }) },
  apply: async () => {},
};

const siteRoomsKind: typeof roomsKind = { ...roomsKind, id: 'masters.siteRooms', scope: 'SITE' };

describeOnDatabases('workbooks of other people', (kind) => {
  let server: TestServer;
  let token: string;
  beforeAll(async () => {
    server = await startTestServer({
      database: kind,
      plugins: [enabledPlugin(manifest, { endSessions: true }, imports), enabledPlugin(mastersManifest, {}, masters)],
      bridges: [buildBridge('masters', 'imports', mastersImports)],
    });
    for (const testKind of [roomsKind, siteRoomsKind]) server.service(ImportKinds).register(testKind);
    token = await server.signIn({ flags: ['import', 'configure'] });
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    await sql`delete from masters.master`.execute(tables());
    await sql`truncate imports.header_choice, imports.value_choice, imports.constant_choice, imports.sheet_choice`.execute(
      tables(),
    );
  });

  const tables = () => server.server.database.of<MastersTables>('masters');
  const waitForJob = async (batch: string) => {
    const get = async () => (await server.call(getImport, { token, params: { batch } })).body;
    const { job } = await get();
    if (job !== null) await server.service(Jobs).waitForCompletion(job);
    return get();
  };
  const toWorkbook = (sheets: Readonly<Record<string, readonly (readonly unknown[])[]>>): Uint8Array => {
    const book = xlsx.utils.book_new();
    for (const [name, rows] of Object.entries(sheets))
      xlsx.utils.book_append_sheet(book, xlsx.utils.aoa_to_sheet(rows.map((row) => [...row])), name);
    return new Uint8Array(xlsx.write(book, { type: 'buffer', bookType: 'xlsx' }) as Buffer);
  };
  const upload = async (id: string, sheets: Parameters<typeof toWorkbook>[0], site?: string) => {
    const body = { uid: randomUUID(), kind: id, mode: 'UPSERT' as const, ...(site === undefined ? {} : { site }) };
    const { uid: batch } = (await server.call(createImport, { token, body })).body;
    const form = new FormData();
    form.append('files', new Blob([toWorkbook(sheets) as Uint8Array<ArrayBuffer>]), 'theirs.xlsx');
    const reply = await fetch(`${await server.url()}/api/imports/${batch}/files`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: form,
    });
    expect(reply.status).toBeLessThan(300);
    return waitForJob(batch);
  };
  const choose = (batch: string, sheet: string, constants: Readonly<Record<string, ImportValue>>) =>
    server.call(chooseImportColumns, {
      token,
      params: { batch },
      body: {
        sheet,
        headers: [],
        constants: Object.entries(constants).map(([column, value]) => ({ column, value })),
      },
    });
  const downloadErrors = async (batch: string) => {
    const file = (await server.call(createErrorWorkbook, { token, params: { batch }, body: { language: 'en' } })).body;
    const reply = await fetch(`${await server.url()}${file.address}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    return xlsx.read(await reply.arrayBuffer()).Sheets;
  };
  /** The rows of the summary of errors, and the text, comments and link of a cell. */
  const readErrors = (sheets: xlsx.WorkBook['Sheets'], name: string, address: string) => {
    const cell = sheets[name]?.[address] as xlsx.CellObject | undefined;
    return {
      summary: xlsx.utils.sheet_to_json<unknown[]>(sheets.Summary ?? {}, { header: 1 }).slice(1),
      links: Object.entries(sheets.Summary ?? {}).flatMap(([, each]) => (each as xlsx.CellObject).l?.Target ?? []),
      cell: [cell?.v, cell?.c?.map(({ t }) => t)],
    };
  };
  const listValues = async (batch: string) =>
    (await server.call(listImportRows, { token, params: { batch }, query: {} })).body.rows.map(({ values }) => values);

  it('get one value in all rows of a column that they lack, which is remembered and confirmed for each file', async () => {
    const sheets = {
      Masters: [
        ['Name', 'Status'],
        ['Lift', 'Active'],
        ['Dive', 'Inactive'],
      ],
    };
    const { uid: batch, phase, sheets: first } = await upload('masters.masters', sheets);
    expect([phase, first[0]?.missing, first[0]?.constants]).toEqual(['COLUMNS', ['type'], []]);
    const refusal = await choose(batch, 'masters', { type: 'JOB' });
    expect([refusal.status, refusal.body]).toMatchObject([
      400,
      {
        refusal: { message: 'imports.refused.constantWrong', values: { value: 'JOB' } },
        fields: [{ pointer: '/constants/0/value', message: 'imports.refused.enum' }],
      },
    ]);
    expect((await choose(batch, 'masters', { name: 'Lift' })).status).toBe(400);
    expect((await choose(batch, 'masters', { type: 'activity' })).status).toBe(200);
    const checked = await waitForJob(batch);
    expect([checked.phase, checked.sheets[0]?.missing, checked.sheets[0]?.constants, checked.findings]).toEqual([
      'PREVIEW',
      [],
      [{ column: 'type', value: 'ACTIVITY', by: 'CHOSEN' }],
      [],
    ]);
    expect((await listValues(batch)).map(({ type, name }) => [type, name])).toEqual([
      ['ACTIVITY', 'Lift'],
      ['ACTIVITY', 'Dive'],
    ]);
    const { version } = checked;
    await server.call(applyImport, { token, params: { batch }, body: { version, remove: false, backup: false } });
    expect((await waitForJob(batch)).result).toBe('SUCCESS');

    const nextImport = await upload('masters.masters', sheets);
    expect([nextImport.phase, nextImport.sheets[0]?.missing, nextImport.sheets[0]?.constants]).toEqual([
      'COLUMNS',
      ['type'],
      [{ column: 'type', value: 'ACTIVITY', by: 'REMEMBERED' }],
    ]);
    await choose(nextImport.uid, 'masters', {});
    expect((await upload('masters.masters', sheets)).sheets[0]?.constants).toEqual([]);
  });

  it('get a code for all rows proposed only for the site that has it, and other values for each site', async () => {
    await server.service(LocationStore).upsert(
      ['north', 'south'].map((uid) => ({
        uid,
        parent: null,
        root: uid,
        locationType: 'PRIMARY_LOCATION' as const,
        name: uid,
        label: '',
      })),
    );
    const sheets = { Rooms: [['Room'], ['R1']] };
    const listProposed = async (site: string) => (await upload(siteRoomsKind.id, sheets, site)).sheets[0]?.constants;
    const { uid } = await upload(siteRoomsKind.id, sheets, 'north');
    await choose(uid, 'rooms', { zone: 'EX1', use: 'Office' });
    await waitForJob(uid);
    const use = { column: 'use', value: 'OFFICE', by: 'REMEMBERED' };
    expect(await listProposed('south')).toEqual([use]);
    expect(await listProposed('north')).toEqual([use, { column: 'zone', value: 'EX1', by: 'REMEMBERED' }]);
    const south = await upload(siteRoomsKind.id, sheets, 'south');
    await choose(south.uid, 'rooms', {});
    expect(await listProposed('north')).toEqual([{ column: 'zone', value: 'EX1', by: 'REMEMBERED' }]);
  });

  it('cannot get one value for all rows in their only key column', async () => {
    const { uid } = await upload(roomsKind.id, { Rooms: [['Zone'], ['EX1']] });
    expect((await choose(uid, 'rooms', { room: 'R1' })).status).toBe(400);
  });

  it('mark a wrong value for all rows as chosen in the error workbook, and do not use it in files that have the column', async () => {
    const { uid: batch } = await upload(roomsKind.id, {
      Rooms: [
        ['Room', 'Use'],
        ['R1', 'Store'],
        ['R2', 'Office'],
      ],
    });
    await choose(batch, 'rooms', { zone: 'EX9' });
    await waitForJob(batch);
    const { body } = await server.call(listImportProblems, { token, params: { batch }, query: {} });
    expect(body.rows.map(({ column, value, rows }) => [column, value, rows])).toEqual([['zone', 'EX9', 2]]);
    const { Rooms = {} } = await downloadErrors(batch);
    expect((Rooms['A2'] as xlsx.CellObject).v).toBe(
      'EX9 not found in zones (This value was chosen for all rows in the step Columns; it is no cell of the file.)',
    );
    const withZone = await upload(roomsKind.id, {
      Rooms: [
        ['Room', 'Zone'],
        ['R3', 'EX2'],
      ],
    });
    expect([withZone.phase, withZone.sheets[0]?.constants]).toEqual(['PREVIEW', []]);
  });

  const readAs = async (batch: string, fileSheets: Readonly<Record<string, string | null>>) => {
    const { version } = await waitForJob(batch);
    const reply = await server.call(readImportAgain, {
      token,
      params: { batch },
      body: { version, fileSheets: Object.entries(fileSheets).map(([name, sheet]) => ({ name, sheet })) },
    });
    expect(reply.status).toBe(200);
    return waitForJob(batch);
  };
  const masterRows = [
    ['Type', 'Name', 'Status'],
    ['ACTIVITY', 'Lift', 'Active'],
  ];

  it('[IMP-03] have the cells of the sheet marked that a person assigned, also in the workbook with errors that comes back', async () => {
    const sheets = {
      Deckblatt: [['Stand'], ['Mai 2126']],
      Raumliste: [
        ['Room', 'Zone', 'Use'],
        ['R1', 'EX1', 'Store'],
        ['R2', 'EX9', 'Office'],
      ],
    };
    const { uid } = await upload(roomsKind.id, sheets);
    await readAs(uid, { Raumliste: 'rooms', Deckblatt: null });
    const marked = await downloadErrors(uid);
    const message = 'EX9 not found in zones';
    const errors = {
      summary: [['Raumliste', 3, 'Zone', 'EX9', message, 'ERROR']],
      links: ["#'Raumliste'!C3"],
      cell: ['EX9', [message]],
    };
    expect(readErrors(marked, 'Raumliste', 'C3')).toEqual(errors);
    const toRows = (name: string) => xlsx.utils.sheet_to_json<unknown[]>(marked[name] ?? {}, { header: 1 });
    const { uid: next } = await upload(roomsKind.id, { Summary: toRows('Summary'), Raumliste: toRows('Raumliste') });
    expect(readErrors(await downloadErrors(next), 'Raumliste', 'C3')).toEqual(errors);
  });

  it('[IMP-03] have the sheet marked that was read if two are the same sheet of the kind, at the columns of the chosen headers', async () => {
    const { uid: first } = await upload(roomsKind.id, { Raumliste: [['Room'], ['R1']] });
    await readAs(first, { Raumliste: 'rooms' });
    const { uid: batch } = await upload(roomsKind.id, {
      Raumliste: [
        ['Zone', 'Use', 'Room'],
        ['Room', 'Use', 'Zone'],
        ['R1', 'Store', 'EX9'],
      ],
      Rooms: [
        ['Room', 'Zone'],
        ['R2', 'EX8'],
      ],
    });
    const { version } = await waitForJob(batch);
    const body = { sheet: 'rooms', version, headerRow: 2 };
    expect((await server.call(readImportAgain, { token, params: { batch }, body })).status).toBe(200);
    expect((await waitForJob(batch)).findings.map(({ message }) => message)).toContain('imports.refused.sheetRepeated');
    const message = 'EX9 not found in zones';
    expect(readErrors(await downloadErrors(batch), 'Raumliste', 'D3')).toEqual({
      summary: [['Raumliste', 3, 'Zone', 'EX9', message, 'ERROR']],
      links: ["#'Raumliste'!D3"],
      cell: ['EX9', [message]],
    });
  });

  it('[IMP-02] list their sheets if none is known, and are read as a person assigns them, also the next file with these sheets', async () => {
    const sheets = { Stammdaten: masterRows, Hinweise: [['Stand'], ['Mai 2126']] };
    const refused = await upload('masters.masters', sheets);
    expect(refused).toMatchObject({
      phase: 'FILES',
      refusal: {
        message: 'imports.refused.noKnownSheet',
        values: { found: 'Stammdaten, Hinweise', sheets: 'Masters' },
      },
      fileSheets: [
        { name: 'Stammdaten', file: 'theirs.xlsx', sheet: null, by: null, proposal: 'masters' },
        { name: 'Hinweise', file: 'theirs.xlsx', sheet: null, by: null, proposal: null },
      ],
    });
    const read = await readAs(refused.uid, { Stammdaten: 'masters', Hinweise: null });
    expect(read).toMatchObject({ phase: 'PREVIEW', refusal: null, findings: [], sheets: [{ rows: 1, added: 1 }] });
    expect(read.fileSheets.map(({ by }) => by)).toEqual(['CHOSEN', 'CHOSEN']);

    const { uid: batch, version, ...next } = await upload('masters.masters', sheets);
    expect(next).toMatchObject({
      phase: 'PREVIEW',
      findings: [
        { message: 'imports.refused.sheetNotNeeded', values: { sheet: 'Hinweise' }, column: null, severity: 'WARNING' },
      ],
      fileSheets: [
        { sheet: 'masters', by: 'REMEMBERED' },
        { sheet: null, by: 'REMEMBERED' },
      ],
    });
    await server.call(applyImport, { token, params: { batch }, body: { version, remove: false, backup: false } });
    expect(await waitForJob(batch)).toMatchObject({ status: 'COMPLETED', result: 'WARNING' });
  });

  it('get a warning of an unknown sheet until a person says that it is not needed', async () => {
    const sheets = { Masters: masterRows, Hinweise: [['Stand'], ['Mai 2126']] };
    const { uid, findings } = await upload('masters.masters', sheets);
    expect(findings.map(({ message }) => message)).toEqual(['imports.refused.sheetUnknown']);
    expect((await readAs(uid, { HINWEISE: null })).findings).toEqual([]);
    const only = await upload('masters.masters', { Hinweise: masterRows });
    expect([only.phase, only.refusal?.message]).toEqual(['FILES', 'imports.refused.sheetMissing']);
    expect((await readAs(only.uid, { Hinweise: 'masters' })).phase).toBe('PREVIEW');
  });

  it('can be read without a sheet that an earlier choice makes unreadable', async () => {
    const { uid } = await upload('masters.masters', { Blatt: masterRows });
    expect((await readAs(uid, { Blatt: 'masters' })).phase).toBe('PREVIEW');
    const wide = [Array.from({ length: 201 }, (_, index) => `Column ${index}`)];
    const refused = await upload('masters.masters', { Blatt: wide, Stammdaten: masterRows });
    expect(refused).toMatchObject({
      phase: 'FILES',
      refusal: { message: 'imports.refused.tooManyColumns' },
      fileSheets: [{ name: 'Blatt', sheet: 'masters', by: 'REMEMBERED' }],
    });
    const without = await readAs(refused.uid, { Blatt: null });
    expect(without.refusal?.message).toBe('imports.refused.noKnownSheet');
    expect((await readAs(refused.uid, { Stammdaten: 'masters' })).phase).toBe('PREVIEW');
  });

  it('get a message that names the import that their sheets or columns resemble', async () => {
    const roomRows = [
      ['Room', 'Zone', 'Use'],
      ['R1', 'EX1', 'Store'],
    ];
    for (const name of ['Rooms', 'Blatt 1'])
      expect(await upload('masters.masters', { [name]: roomRows })).toMatchObject({
        phase: 'FILES',
        refusal: {
          message: 'imports.refused.otherSheets',
          values: { found: name, kind: 'Rooms (Salles)', sheets: 'Masters' },
        },
      });
  });

  it('cannot have two sheets assigned to the same sheet of the kind', async () => {
    const { uid: batch, version } = await upload('masters.masters', { A: masterRows, B: masterRows });
    const fileSheets = ['A', 'B'].map((name) => ({ name, sheet: 'masters' }));
    const body = { version, fileSheets };
    expect((await server.call(readImportAgain, { token, params: { batch }, body })).status).toBe(400);
  });

  it('have words of closed lists remembered if all their cells were corrected to the same value, but no references or free text', async () => {
    const sheets = {
      Rooms: [
        ['Room', 'Zone', 'Use', 'Remark'],
        ['R1', 'Ex 1', 'Lager', 'Lager'],
        ['R2', 'Ex 1', 'Lager', null],
        ['R3', 'EX2', 'Kantoor', null],
        ['R4', 'EX2', 'Kantoor', null],
      ],
    };
    const { uid: batch } = await upload(roomsKind.id, sheets);
    const { rows } = (await server.call(listImportRows, { token, params: { batch }, query: {} })).body;
    const correct = async (index: number, column: string, value: string) => {
      const params = { batch, row: rows[index]!.id };
      expect((await server.call(updateImportRow, { token, params, body: { column, value } })).status).toBe(200);
    };
    const listWords = async () =>
      (
        await sql<{ word: string }>`
          select column_id || ' ' || written || ' = ' || value as word from imports.value_choice order by 1`.execute(
          tables(),
        )
      ).rows.map(({ word }) => word);
    await correct(0, 'use', 'Store');
    await correct(0, 'remark', 'Store');
    await correct(0, 'zone', 'EX1');
    // Another cell still has the word.
    expect(await listWords()).toEqual([]);
    await correct(1, 'use', 'STORE');
    await correct(1, 'zone', 'EX1');
    await correct(2, 'use', 'Office');
    await correct(3, 'use', 'Store');
    expect(await listWords()).toEqual(['use lager = STORE']);
    const nextImport = await upload(roomsKind.id, sheets);
    expect((await listValues(nextImport.uid)).map(({ zone, use, remark }) => [zone, use, remark])).toEqual([
      ['Ex 1', 'STORE', 'Lager'],
      ['Ex 1', 'STORE', null],
      ['EX2', 'Kantoor', null],
      ['EX2', 'Kantoor', null],
    ]);
    await correct(1, 'use', 'Office');
    expect(await listWords()).toEqual([]);
  });

  it('name the words that are read as chosen before, and read a word as written once it is forgotten', async () => {
    const sheets = {
      Rooms: [
        ['Room', 'Zone', 'Use'],
        ['R1', 'EX1', ' lager'],
        ['R2', 'EX1', 'Lager'],
        ['R3', 'EX1', 'Kantoor'],
        ['R4', 'EX1', 'Store'],
      ],
    };
    const { uid: first } = await upload(roomsKind.id, sheets);
    for (const [from, to] of [
      ['Lager', 'Store'],
      ['Kantoor', 'Office'],
    ] as const)
      await server.call(replaceImportValues, {
        token,
        params: { batch: first },
        body: { sheet: 'rooms', column: 'use', from, to },
      });
    const secondImport = await upload(roomsKind.id, sheets);
    expect(secondImport.sheets[0]!.replacedWords).toEqual([
      { column: 'use', written: 'lager', value: 'Store', cells: 2 },
      { column: 'use', written: 'kantoor', value: 'Office', cells: 1 },
    ]);
    const params = { batch: secondImport.uid };
    const body = { sheet: 'rooms', column: 'use', written: 'lager' };
    const { body: forgettingImport } = await server.call(forgetImportWord, { token, params, body });
    expect(forgettingImport).toMatchObject({
      phase: 'CHECKING',
      sheets: [{ replacedWords: [{ written: 'kantoor' }] }],
    });
    const checkedImport = await waitForJob(secondImport.uid);
    expect(checkedImport.sheets[0]).toMatchObject({ withErrors: 2, replacedWords: [{ written: 'kantoor' }] });
    expect((await listValues(secondImport.uid)).map(({ use }) => use)).toEqual(['lager', 'Lager', 'OFFICE', 'STORE']);
    expect((await upload(roomsKind.id, sheets)).sheets[0]).toMatchObject({ withErrors: 2 });
    for (const unknown of [{ sheet: 'other' }, { column: 'other' }, { written: 'lager' }])
      expect((await server.call(forgetImportWord, { token, params, body: { ...body, ...unknown } })).status).toBe(404);
  });

  it('keep a remembered word if a cell of a later file is corrected differently, also twice', async () => {
    const sheets = {
      Rooms: [
        ['Room', 'Zone', 'Use'],
        ['R1', 'EX1', '  LAGER '],
      ],
    };
    const correct = async (batch: string, value: string) => {
      const { rows } = (await server.call(listImportRows, { token, params: { batch }, query: {} })).body;
      const params = { batch, row: rows[0]!.id };
      const body = { column: 'use', value };
      expect((await server.call(updateImportRow, { token, params, body })).status).toBe(200);
    };
    const { uid: first } = await upload(roomsKind.id, sheets);
    await correct(first, 'Office');
    // The import that remembered the word can change it.
    await correct(first, 'Store');
    const { uid: second } = await upload(roomsKind.id, sheets);
    expect((await listValues(second))[0]?.use).toBe('STORE');
    await correct(second, 'Office');
    await correct(second, 'Office');
    expect((await listValues((await upload(roomsKind.id, sheets)).uid))[0]?.use).toBe('STORE');
  });

  it('have references remembered that were replaced in all rows, unless they exist by now, but not for API calls', async () => {
    const sheets = {
      Rooms: [
        ['Room', 'Zone', 'Use'],
        ['R1', 'Ex 1', 'Lager'],
        ['R2', 'Ex 2', 'Kantoor'],
      ],
    };
    const { uid: batch } = await upload(roomsKind.id, sheets);
    const replace = async (column: string, from: string, to: string) => {
      const body = { sheet: 'rooms', column, from, to };
      expect((await server.call(replaceImportValues, { token, params: { batch }, body })).status).toBe(200);
    };
    await replace('zone', 'Ex 1', 'EX1');
    await replace('use', 'Kantoor', 'Office');
    const { rows } = (await server.call(listImportRows, { token, params: { batch }, query: {} })).body;
    const params = { batch, row: rows[0]!.id };
    await server.call(updateImportRow, { token, params, body: { column: 'use', value: 'Store' } });
    expect((await listValues((await upload(roomsKind.id, sheets)).uid)).map(({ zone, use }) => [zone, use])).toEqual([
      ['EX1', 'STORE'],
      ['Ex 2', 'OFFICE'],
    ]);
    const { body: pushed } = await server.call(pushImport, {
      token,
      body: {
        ...{ uid: randomUUID(), kind: roomsKind.id, mode: 'UPSERT', dryRun: true },
        sheets: {
          rooms: [
            { room: 'R1', zone: 'Ex 1', use: 'Lager' },
            { room: 'R2', zone: 'EX2', use: 'Kantoor' },
          ],
        },
      },
    });
    expect(pushed.findings.map(({ row, column }) => [row, column])).toEqual([
      [2, 'use'],
      [2, 'zone'],
    ]);
    expect(pushed.import.sheets[0]?.replacedWords).toEqual([
      { column: 'use', written: 'kantoor', value: 'Office', cells: 1 },
    ]);
    await sql`update imports.value_choice set written = 'ex2' where column_id = 'zone'`.execute(tables());
    expect(
      (
        await listValues(
          (
            await upload(roomsKind.id, {
              Rooms: [
                ['Room', 'Zone'],
                ['R1', 'EX2'],
              ],
            })
          ).uid,
        )
      )[0]?.zone,
    ).toBe('EX2');
  });

  it('have one problem for a column that is not read, and none for checks that depend on its values', async () => {
    const { uid: batch } = await upload(roomsKind.id, {
      Rooms: [
        ['Room', 'Zone', 'Since'],
        ['R1', 'EX1', '05/06/2126'],
        ['R2', 'EX1', '05/07/2126'],
        ['R3', 'EX1', '2126-04-01'],
      ],
    });
    const readSince = async (format: ReadFormat) => {
      const body = { sheet: 'rooms', headers: [{ header: 'Since', column: 'since', format }] };
      expect((await server.call(chooseImportColumns, { token, params: { batch }, body })).status).toBe(200);
      await waitForJob(batch);
      const { rows } = (
        await server.call(listImportProblems, { token, params: { batch }, query: { severity: 'ERROR' } })
      ).body;
      return rows.map(({ column, finding: { message }, value, rows: count }) => [column, message, value, count]);
    };
    expect(await readSince('AS_WRITTEN')).toEqual([
      ['since', 'imports.refused.columnUnread', null, 2],
      ['remark', 'core.validation.mandatoryField', null, 1],
    ]);
    const { rows } = (await server.call(listImportRows, { token, params: { batch }, query: {} })).body;
    expect(rows.map(({ findings }) => findings.map(({ column, message }) => `${column} ${message}`))).toEqual([
      ['since imports.refused.date'],
      ['since imports.refused.date'],
      ['remark core.validation.mandatoryField'],
    ]);
    expect(await readSince('MONTH_FIRST')).toEqual([['remark', 'core.validation.mandatoryField', null, 1]]);
    expect(await readSince('DAY_FIRST')).toEqual([['remark', 'core.validation.mandatoryField', null, 3]]);
  });
});
