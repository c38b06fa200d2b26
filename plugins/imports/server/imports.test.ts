import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest';
import { sql } from 'kysely';
import * as xlsx from 'xlsx';
import type { BodyOf } from '#core';
import { getJob, getMe, listAuditEntries, undoChange } from '#core/api';
import { enabledPlugin, Jobs } from '#core/server';
import {
  buildBridge,
  describeAccess,
  describeOnDatabases,
  QueryCounter,
  startTestServer,
  type TestServer,
} from '#core/testing/server';
import { masters, mastersImports, mastersManifest, type MastersTables } from '#plugins/masters/testing/server';
import {
  applyImport,
  cancelImport,
  updateImportRow,
  chooseImportColumns,
  createErrorWorkbook,
  createImport,
  createWorkbook,
  getImport,
  leaveOutImportRows,
  listImportKinds,
  listImportProblems,
  listImportRows,
  listImports,
  pushImport,
  readImportAgain,
  removeImportFile,
  replaceImportValues,
  undoImport,
} from '../contract/api.ts';
import manifest from '../plugin.ts';
import imports from './index.ts';

const plugins = [enabledPlugin(manifest, { endSessions: true }, imports), enabledPlugin(mastersManifest, {}, masters)];
const bridges = [buildBridge('masters', 'imports', mastersImports)];
describeAccess('access to imports', plugins);

type Row = Readonly<Record<string, string | number | null>>;
const buildRow = (name: string, rest: Row = {}): Row => ({ type: 'ACTIVITY', name, status: 'Active', ...rest });

describeOnDatabases('imports', (kind) => {
  let server: TestServer;
  let token: string;
  beforeAll(async () => {
    server = await startTestServer({ database: kind, plugins, bridges });
    token = await server.signIn({ flags: ['import', 'configure'] });
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    await sql`truncate masters.master cascade`.execute(tables());
    await sql`truncate imports.batch cascade`.execute(tables());
    await sql`truncate imports.value_choice, imports.header_choice`.execute(tables());
  });

  const tables = () => server.server.database.of<MastersTables>('masters');
  const push = async (rows: readonly Row[], rest: { dryRun?: boolean; uid?: string } = {}) => {
    const { status, body, refusal } = await server.call(pushImport, {
      token,
      body: {
        uid: rest.uid ?? randomUUID(),
        kind: 'masters.masters',
        mode: 'UPSERT',
        dryRun: rest.dryRun ?? false,
        sheets: { masters: rows as never },
      },
    });
    return { status, body, refusal: refusal as unknown };
  };
  const readMasters = async () =>
    (await tables().selectFrom('master').selectAll().orderBy('type').orderBy('name').execute()).map(
      ({ type, name, active, position, french_name }) => ({ type, name, active, position, french_name }),
    );
  const listRows = async (batch: string, query = {}) =>
    (await server.call(listImportRows, { token, params: { batch }, query })).body.rows;

  it('lists the kinds of the enabled plugins', async () => {
    const { body } = await server.call(listImportKinds, { token });
    expect(body.map(({ id }) => id)).toEqual(['masters.masters']);
    expect(body[0]?.sheets[0]?.columns.map(({ id }) => id)).toContain('frenchName');
  });

  it('[DAT-09] [IMP-02] applies rows of one call, and says what a dry run would do', async () => {
    const rows = [
      buildRow('Lifting', { frenchName: 'Levage', sequence: 3 }),
      buildRow('Diving', { status: 'Inactive' }),
    ];
    const dryRunReply = await push(rows, { dryRun: true });
    expect(dryRunReply.body.import).toMatchObject({ phase: 'PREVIEW', status: 'INPROGRESS' });
    expect(dryRunReply.body.import.sheets[0]).toMatchObject({ rows: 2, added: 2, changed: 0 });
    expect(await readMasters()).toEqual([]);
    const { body } = await push(rows);
    expect(body.import).toMatchObject({ phase: 'DONE', status: 'COMPLETED', result: 'SUCCESS' });
    expect(await readMasters()).toEqual([
      { type: 'ACTIVITY', name: 'Diving', active: false, position: 0, french_name: null },
      { type: 'ACTIVITY', name: 'Lifting', active: true, position: 3, french_name: 'Levage' },
    ]);
    const { body: history } = await server.call(listImports, { token, query: {} });
    expect(history.rows[0]).toMatchObject({ added: 2, result: 'SUCCESS' });
  });

  it('[DAT-04] shows what is added, changed field by field and unchanged', async () => {
    await push([buildRow('Lifting'), buildRow('Diving')]);
    const { body } = await push([buildRow('LIFTING', { sequence: 7 }), buildRow('Diving'), buildRow('Walking')], {
      dryRun: true,
    });
    expect(body.import.sheets[0]).toMatchObject({ added: 1, changed: 1, unchanged: 1 });
    expect(body.import.blocksOthers).toBe(kind === 'embedded');
    const [changed] = await listRows(body.import.uid, { state: 'CHANGED' });
    expect(changed).toMatchObject({ changed: ['name', 'sequence'], before: { name: 'Lifting', sequence: 0 } });
  });

  it('[IMP-02] fails and writes nothing if the database refuses a row, and tells the reference', async () => {
    await sql`alter table masters.master add constraint refused_name check (name <> 'Refused')`.execute(tables());
    onTestFinished(async () => {
      await sql`alter table masters.master drop constraint refused_name`.execute(tables());
    });
    const rows = [buildRow('Lifting'), buildRow('Refused')];
    const { body: dryRun } = await push(rows, { dryRun: true });
    expect(dryRun.import).toMatchObject({ phase: 'PREVIEW', status: 'INPROGRESS', result: null });
    const { body } = await push(rows);
    const { refusal } = body.import;
    expect(body.import).toMatchObject({
      phase: 'DONE',
      status: 'COMPLETED',
      result: 'FAILED',
      refusal: { message: 'imports.refused.failed', values: { reference: expect.any(String) as string } },
      change: null,
    });
    expect(await readMasters()).toEqual([]);
    const { body: job } = await server.call(getJob, { token, params: { id: String(refusal?.values?.['reference']) } });
    expect(job).toMatchObject({ kind: 'imports.apply', status: 'COMPLETED', result: 'FAILED', refusal });
    const { body: history } = await server.call(listImports, { token, query: {} });
    expect(history.rows).toMatchObject([{ uid: body.import.uid, result: 'FAILED' }, { result: null }]);
  });

  it('[IMP-09] writes nothing if a row has an error', async () => {
    const { body } = await push([
      buildRow('Lifting'),
      buildRow('lifting'),
      buildRow('Bad;name'),
      buildRow('Ok', { status: 'Maybe' }),
    ]);
    expect(await readMasters()).toEqual([]);
    expect(body.import.phase).toBe('PREVIEW');
    expect(body.findings.map(({ row, column, message }) => [row, column, message])).toEqual([
      [3, 'name', 'imports.refused.duplicateRow'],
      [4, 'name', 'core.validation.specialChars'],
      [5, 'status', 'imports.refused.enum'],
    ]);
    const params = { batch: body.import.uid };
    const { body: problems } = await server.call(listImportProblems, { token, params, query: {} });
    expect(problems.rows[0]).toMatchObject({
      firstRow: 3,
      finding: { values: { value: 'ACTIVITY, lifting', row: 2 } },
    });
  });

  it('corrects a cell and all cells with the same error, and remembers the choice', async () => {
    const { body } = await push([
      buildRow('A', { status: 'Activ' }),
      buildRow('B', { status: 'Activ' }),
      buildRow('B2;'),
    ]);
    const batch = body.import.uid;
    const { body: problems } = await server.call(listImportProblems, { token, params: { batch }, query: {} });
    expect(problems.rows[0]).toMatchObject({
      column: 'status',
      value: 'Activ',
      rows: 2,
      firstRow: 2,
      proposals: ['Active'],
    });
    const { body: replacement } = await server.call(replaceImportValues, {
      token,
      params: { batch },
      body: { sheet: 'masters', column: 'status', from: 'Activ', to: 'Active' },
    });
    expect(replacement).toEqual({ rows: 2 });
    const [wrong] = await listRows(batch, { state: 'ERROR' });
    const { body: row } = await server.call(updateImportRow, {
      token,
      params: { batch, row: wrong!.id },
      body: { column: 'name', value: 'B' },
    });
    expect(row).toMatchObject({
      state: 'ERROR',
      findings: [{ message: 'imports.refused.duplicateRow', values: { row: 3 } }],
    });
    await server.call(updateImportRow, { token, params: { batch, row: row.id }, body: { column: 'name', value: 'C' } });
    const { body: fixedImport } = await server.call(getImport, { token, params: { batch } });
    expect(fixedImport.sheets[0]).toMatchObject({ added: 3, withErrors: 0 });
    expect((await push([buildRow('D', { status: 'activ' })])).body.import.result).toBe('SUCCESS');
  });

  it('counts corrected cells until the files are read again', async () => {
    const { body } = await push([buildRow('A;'), buildRow('B;'), buildRow('C')], { dryRun: true });
    const params = { batch: body.import.uid };
    const load = async () => (await server.call(getImport, { token, params })).body;
    const [first, second] = await listRows(params.batch, { state: 'ERROR' });
    for (const [row, column, value] of [
      [first, 'name', 'A:'],
      [first, 'name', 'A'],
      [first, 'status', 'Inactive'],
      [second, 'name', 'B'],
    ] as const)
      await server.call(updateImportRow, { token, params: { ...params, row: row!.id }, body: { column, value } });
    expect(await load()).toMatchObject({ phase: 'PREVIEW', sheets: [{ rows: 3, withErrors: 0, correctedCells: 3 }] });
    const form = new FormData();
    form.append('files', new Blob(['PK\u0003\u0004 cut off']), 'masters.xlsx');
    const url = `${await server.url()}/api/imports/${params.batch}/files`;
    await fetch(url, { method: 'POST', headers: { authorization: `Bearer ${token}` }, body: form });
    const { job } = await load();
    if (job !== null) await server.service(Jobs).waitForCompletion(job);
    expect(await load()).toMatchObject({ phase: 'FILES', sheets: [{ rows: 0, correctedCells: 0 }] });
  });

  it('writes no row that a person left out, and counts it in the history', async () => {
    const { body } = await push([buildRow('Kept'), buildRow('Bad;name')], { dryRun: true });
    const batch = body.import.uid;
    const [wrong] = await listRows(batch, { state: 'ERROR' });
    await server.call(leaveOutImportRows, {
      token,
      params: { batch },
      body: { sheet: 'masters', leftOut: true, row: wrong!.id },
    });
    expect(await listRows(batch, { state: 'LEFT_OUT' })).toMatchObject([{ row: 3, findings: [] }]);
    const { version } = (await server.call(getImport, { token, params: { batch } })).body;
    const { body: applying } = await server.call(applyImport, {
      token,
      params: { batch },
      body: { version, remove: false, backup: false },
    });
    if (applying.job !== null) await server.service(Jobs).waitForCompletion(applying.job);
    expect((await readMasters()).map(({ name }) => name)).toEqual(['Kept']);
    const { body: history } = await server.call(listImports, { token, query: {} });
    expect(history.rows[0]).toMatchObject({ added: 1, leftOut: 1, result: 'SUCCESS' });
  });

  it('requires parents of the type above, in the product or in the same import', async () => {
    const parent = (type: string, name: string) => ({ parentType: type, parentName: name });
    const { body } = await push([
      { type: 'SECTION', name: 'S', status: 'Active', ...parent('DEPARTMENT', 'D') },
      { type: 'DEPARTMENT', name: 'D', status: 'Active' },
      { type: 'SECTION', name: 'T', status: 'Active', ...parent('DIVISION', 'D') },
      { type: 'SECTION', name: 'U', status: 'Active', ...parent('DEPARTMENT', 'E') },
    ]);
    expect(body.findings.map(({ row, message }) => [row, message])).toEqual([
      [4, 'imports.refused.enum'],
      [5, 'imports.refused.reference'],
    ]);
    const inWords = await push(
      [
        { type: 'Section', name: 'V', status: 'Active', ...parent('Département', 'D') },
        { type: 'département', name: 'D', status: 'Actif' },
        { type: 'Type of work', name: 'W', status: 'Active' },
      ],
      { dryRun: true },
    );
    expect(inWords.body.findings).toEqual([]);
    expect((await listRows(inWords.body.import.uid, {})).map(({ values }) => [values.type, values.parentType])).toEqual(
      [
        ['SECTION', 'DEPARTMENT'],
        ['DEPARTMENT', undefined],
        ['TYPE_OF_WORK', undefined],
      ],
    );
  });

  it('reports an unknown type alone, without problems of parents that only follow from it', async () => {
    const { body } = await push([
      { type: 'DEPART', name: 'D', status: 'Active', parentType: 'DIVISION', parentName: 'Nobody' },
      { type: 'SECTION', name: 'S', status: 'Active', parentType: 'DEPARTMENT', parentName: 'd' },
      { type: 'SECTION', name: 'T', status: 'Active', parentType: 'ROOM' },
    ]);
    expect(body.findings.map(({ row, column, message }) => [row, column, message])).toEqual([
      [2, 'type', 'imports.refused.enum'],
      [4, 'parentType', 'imports.refused.enum'],
    ]);
  });

  it('names rows that were edited since the preview, and writes nothing', async () => {
    await push([buildRow('Lifting')]);
    const { body } = await push([buildRow('Lifting', { sequence: 5 }), buildRow('New')], { dryRun: true });
    await tables().updateTable('master').set({ french_name: 'Levage' }).execute();
    const { uid: batch, version } = body.import;
    const { body: applying } = await server.call(applyImport, {
      token,
      params: { batch },
      body: { version, remove: false, backup: false },
    });
    if (applying.job !== null) await server.service(Jobs).waitForCompletion(applying.job);
    const { body: after } = await server.call(getImport, { token, params: { batch } });
    expect(after).toMatchObject({
      phase: 'PREVIEW',
      refusal: { message: 'imports.refused.rowsChanged', values: { name: 'lifting' } },
    });
    const rows = await listRows(batch, { severity: 'WARNING' });
    expect(rows).toMatchObject([{ row: 2, before: { frenchName: 'Levage' } }]);
    expect((await readMasters()).map(({ name }) => name)).toEqual(['Lifting']);
    expect(
      (await server.call(applyImport, { token, params: { batch }, body: { version, remove: false, backup: false } }))
        .refusal,
    ).toMatchObject({ refusal: { message: 'imports.refused.importChanged' } });
  });

  it('[DAT-05] undoes an import row by row, and keeps and names rows that were edited since', async () => {
    await push([buildRow('Old', { sequence: 1 })]);
    const before = await readMasters();
    const { body } = await push([buildRow('Old', { sequence: 2 }), buildRow('Kept'), buildRow('Gone')]);
    const batch = body.import.uid;
    await tables().updateTable('master').set({ french_name: 'Gardé' }).where('name', '=', 'Kept').execute();
    const undo = async (dryRun: boolean) => {
      const { status, body: report } = await server.call(undoImport, { token, params: { batch }, body: { dryRun } });
      return { status, ...report };
    };
    const expected = {
      reversed: 2,
      kept: 1,
      blocked: 0,
      rows: [{ name: 'Kept', code: null, sheets: ['Masters'], outcome: 'KEPT' }],
    };
    expect(await undo(true)).toMatchObject({ ...expected, change: null });
    expect(await readMasters()).toHaveLength(3);
    expect(await undo(false)).toMatchObject(expected);
    expect(await readMasters()).toEqual([{ ...before[0], name: 'Kept', position: 0, french_name: 'Gardé' }, ...before]);
    expect(await undo(false)).toMatchObject({ status: 409 });
    const { body: undoneImport } = await server.call(getImport, { token, params: { batch } });
    expect(undoneImport).toMatchObject({ undone: true, undoneInPart: true, undoReport: expected });
    expect((await server.call(listImports, { token, query: {} })).body.rows[0]).toMatchObject({ undoneInPart: true });
    const redo = await server.call(undoChange, {
      token,
      params: { change: undoneImport.undoReport?.change ?? '' },
      body: {},
    });
    const { body: redoneImport } = await server.call(getImport, { token, params: { batch } });
    expect(redoneImport).toMatchObject({ undone: false, undoneInPart: false, undoReport: null });
    await server.call(undoChange, { token, params: { change: redo.body.change ?? '' }, body: {} });
    const { body: lastImport } = await server.call(getImport, { token, params: { batch } });
    expect(lastImport).toMatchObject({ undone: true, undoneInPart: true, undoReport: expected });
    expect(await readMasters()).toHaveLength(2);
  });

  it('[DAT-05] names the kept rows again if an import is undone again, and is not undone if all rows are kept', async () => {
    const { body } = await push([buildRow('Kept'), buildRow('Gone')]);
    const batch = body.import.uid;
    const rename = (name: string) => tables().updateTable('master').set({ french_name: 'X' }).where('name', '=', name);
    const undo = async () =>
      (await server.call(undoImport, { token, params: { batch }, body: { dryRun: false } })).body;
    await rename('Kept').execute();
    const firstReport = await undo();
    expect(firstReport).toMatchObject({ reversed: 1, kept: 1 });
    await server.call(undoChange, { token, params: { change: firstReport.change ?? '' }, body: {} });
    expect(await undo()).toMatchObject({ reversed: 1, kept: 1, rows: [{ name: 'Kept' }] });
    expect((await server.call(getImport, { token, params: { batch } })).body).toMatchObject({
      undone: true,
      undoneInPart: true,
    });
    const { body: other } = await push([buildRow('Other')]);
    await rename('Other').execute();
    const otherParams = { batch: other.import.uid };
    expect((await server.call(undoImport, { token, params: otherParams, body: { dryRun: false } })).body).toMatchObject(
      {
        change: null,
        reversed: 0,
        kept: 1,
      },
    );
    expect((await server.call(getImport, { token, params: otherParams })).body.undone).toBe(false);
  });

  it('can be undone in the list of all changes, which names the person who applied it', async () => {
    const { body } = await push([buildRow('Lifting')], { dryRun: true });
    const { uid: batch, version } = body.import;
    const otherToken = await server.signIn({ flags: ['import', 'configure', 'userManagement'] });
    const applyBody = { version, remove: false, backup: false };
    const appliedReply = await server.call(applyImport, { token: otherToken, params: { batch }, body: applyBody });
    await server.service(Jobs).waitForCompletion(appliedReply.body.job!);
    // The other sessions were ended.
    token = await server.signIn({ flags: ['import', 'configure', 'userManagement'] });
    const { body: me } = await server.call(getMe, { token: otherToken });
    const { rows } = (await server.call(listAuditEntries, { token, query: { text: 'mastersImported' } })).body;
    expect(rows[0]?.actor?.uid).toBe(me.uid);
    await server.call(undoChange, { token, params: { change: rows[0]!.change!.uid }, body: {} });
    expect((await server.call(getImport, { token, params: { batch } })).body.undone).toBe(true);
    expect((await server.call(listImports, { token, query: {} })).body.rows[0]?.undone).toBe(true);
  });

  it('follows an undo and a redo of its change in the list of all changes, and can be undone again', async () => {
    const { body } = await push([buildRow('Lifting')]);
    const { uid: batch, change } = body.import;
    const undoElsewhere = async (uid: string | null) =>
      (await server.call(undoChange, { token, params: { change: uid ?? '' }, body: {} })).body.change;
    const isUndone = async () => (await server.call(getImport, { token, params: { batch } })).body.undone;
    const undoing = await undoElsewhere(change);
    expect(await isUndone()).toBe(true);
    await undoElsewhere(undoing);
    expect(await isUndone()).toBe(false);
    expect(await readMasters()).toHaveLength(1);
    await server.call(undoImport, { token, params: { batch }, body: { dryRun: false } });
    expect(await isUndone()).toBe(true);
    expect(await readMasters()).toEqual([]);
  });

  it('undoes rows that refer to each other in the list of all changes', async () => {
    const { body } = await push([
      { type: 'SECTION', name: 'S', status: 'Active', parentType: 'DEPARTMENT', parentName: 'D' },
      { type: 'DEPARTMENT', name: 'D', status: 'Active' },
    ]);
    const undone = await server.call(undoChange, { token, params: { change: body.import.change ?? '' }, body: {} });
    expect(undone.status).toBe(200);
    expect(await readMasters()).toEqual([]);
  });

  it('changes nothing if today’s rows are imported, and has nothing to undo', async () => {
    const rows = [buildRow('Lifting', { frenchName: 'Levage' }), buildRow('Diving')];
    await push(rows);
    const { body } = await push(rows);
    expect(body.import.sheets[0]).toMatchObject({ added: 0, changed: 0, unchanged: 2 });
    expect(body.import).toMatchObject({ result: 'SUCCESS', change: null });
    const undone = await server.call(undoImport, { token, params: { batch: body.import.uid }, body: { dryRun: true } });
    expect(undone).toMatchObject({ status: 409, refusal: { refusal: { message: 'imports.refused.nothingToUndo' } } });
  });

  it('gives the statements of its jobs and of calls ten minutes: those of large imports exceed the limit of requests', async () => {
    await sql`create table imports.observed (phase text, statement_timeout text)`.execute(tables());
    await sql`
      create function imports.observe() returns trigger language plpgsql as $$ begin
        insert into imports.observed values (new.phase, current_setting('statement_timeout'));
        return new;
      end $$`.execute(tables());
    await sql`
      create trigger observe before update of phase on imports.batch
      for each row when (new.phase in ('PREVIEW', 'DONE')) execute function imports.observe()`.execute(tables());
    const { uid: batch } = (
      await server.call(createImport, { token, body: { uid: randomUUID(), kind: 'masters.masters', mode: 'UPSERT' } })
    ).body;
    const form = new FormData();
    form.append(
      'files',
      new Blob(['type,name,status\nACTIVITY,Lifting,Active\n'], { type: 'text/csv' }),
      'masters.csv',
    );
    await fetch(`${await server.url()}/api/imports/${batch}/files`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: form,
    });
    const waitForJob = async () => {
      const { job } = (await server.call(getImport, { token, params: { batch } })).body;
      if (job !== null) await server.service(Jobs).waitForCompletion(job);
      return (await server.call(getImport, { token, params: { batch } })).body;
    };
    const { phase, version } = await waitForJob();
    expect(phase).toBe('PREVIEW');
    await server.call(applyImport, { token, params: { batch }, body: { version, remove: false, backup: false } });
    expect((await waitForJob()).result).toBe('SUCCESS');
    expect((await push([buildRow('Diving')])).body.import.phase).toBe('DONE');
    const { rows } = await sql`select * from imports.observed`.execute(tables());
    expect(rows).toEqual([
      { phase: 'PREVIEW', statement_timeout: '10min' },
      { phase: 'DONE', statement_timeout: '10min' },
      { phase: 'PREVIEW', statement_timeout: '10min' },
      { phase: 'DONE', statement_timeout: '10min' },
    ]);
    await sql`drop trigger observe on imports.batch`.execute(tables());
  });

  it('reads files again with the separator or header row that a person chooses', async () => {
    let batch = '';
    const upload = async (file: Blob, name: string) => {
      batch = randomUUID();
      await server.call(createImport, { token, body: { uid: batch, kind: 'masters.masters', mode: 'UPSERT' } });
      const form = new FormData();
      form.append('files', file, name);
      await fetch(`${await server.url()}/api/imports/${batch}/files`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
        body: form,
      });
      return waitForJob();
    };
    const load = async () => (await server.call(getImport, { token, params: { batch } })).body;
    const waitForJob = async () => {
      const { job } = await load();
      if (job !== null) await server.service(Jobs).waitForCompletion(job);
      return load();
    };
    const readAgain = async (layout: Pick<BodyOf<typeof readImportAgain>, 'headerRow' | 'separator'>) => {
      const { version } = await load();
      const { status } = await server.call(readImportAgain, {
        token,
        params: { batch },
        body: { sheet: 'masters', version, ...layout },
      });
      return { replyStatus: status, ...(await waitForJob()) };
    };
    // The names contain more commas than there are semicolons.
    const names = ['Lift,load,lower,move,set', 'Dive,swim,float,climb,dry'];
    const csv = ['Type;Name;Status', ...names.map((name) => `ACTIVITY;${name};Active`)].join('\n');
    const misreadImport = await upload(new Blob([csv], { type: 'text/csv' }), 'masters.csv');
    expect(misreadImport).toMatchObject({ phase: 'COLUMNS', sheets: [{ headerRow: 2, separator: null }] });
    const correctedImport = await readAgain({ headerRow: null, separator: ';' });
    expect(correctedImport).toMatchObject({
      phase: 'PREVIEW',
      sheets: [{ headerRow: 1, separator: ';', rows: 2, added: 2 }],
    });

    const sheet = xlsx.utils.aoa_to_sheet([
      ['Type', 'Name', 'Status', 'of the old register'],
      ...Array.from({ length: 18 }, (_, row) => [`Note ${row + 1}`]),
      ['Type', 'Name', 'Status'],
      ['ACTIVITY', 'Walking', 'Active'],
    ]);
    const book = xlsx.utils.book_new();
    xlsx.utils.book_append_sheet(book, sheet, 'Masters');
    const uploadedImport = await upload(new Blob([xlsx.write(book, { type: 'array' }) as ArrayBuffer]), 'masters.xlsx');
    expect(uploadedImport).toMatchObject({ sheets: [{ headerRow: 1, rows: 20 }] });
    const rereadImport = await readAgain({ headerRow: 20, separator: null });
    expect(rereadImport).toMatchObject({
      replyStatus: 200,
      phase: 'PREVIEW',
      sheets: [{ headerRow: 20, rows: 1, added: 1 }],
      findings: [{ message: 'imports.refused.titleRows', values: { row: 20 } }],
    });
    // Without rows below the headers the file cannot be read, so it is read again without the choice.
    expect(await readAgain({ headerRow: 21, separator: null })).toMatchObject({
      sheets: [{ headerRow: 1, rows: 20 }],
      findings: expect.arrayContaining([
        expect.objectContaining({ message: 'imports.refused.noRows', severity: 'WARNING' }),
      ]),
    });
    const outdatedReply = await server.call(readImportAgain, {
      token,
      params: { batch },
      body: { sheet: 'masters', version: 0, headerRow: 20, separator: null },
    });
    expect(outdatedReply.status).toBe(409);
    await server.call(cancelImport, { token, params: { batch }, body: {} });
    expect((await readAgain({ headerRow: 1, separator: null })).replyStatus).toBe(409);
    const { body: pushResult } = await push([buildRow('Bad;name')]);
    batch = pushResult.import.uid;
    expect((await readAgain({ headerRow: 2, separator: null })).replyStatus).toBe(409);
    expect((await load()).phase).toBe('PREVIEW');
  });

  it('[IMP-03] reads files, backs the database up and ends the sessions of all other people', async () => {
    const otherToken = await server.signIn({ flags: ['import'] });
    const author = await server.addPerson({ flags: ['import', 'configure', 'userManagement'] });
    token = await server.signIn(author);
    const secondToken = await server.signIn(author);
    const { uid: batch } = (
      await server.call(createImport, { token, body: { uid: randomUUID(), kind: 'masters.masters', mode: 'UPSERT' } })
    ).body;
    const upload = async (text: string) => {
      const form = new FormData();
      form.append('files', new Blob([text], { type: 'text/csv' }), 'masters.csv');
      const { job } = (await (
        await fetch(`${await server.url()}/api/imports/${batch}/files`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}` },
          body: form,
        })
      ).json()) as { job: string };
      await server.service(Jobs).waitForCompletion(job);
      return (await server.call(getImport, { token, params: { batch } })).body;
    };
    expect(await upload('type,Nom,remark\nACTIVITY,Levage,x\n')).toMatchObject({
      phase: 'COLUMNS',
      findings: [
        { message: 'imports.refused.columnMissing', values: { column: 'Status' } },
        { message: 'imports.refused.columnUnknown', values: { column: 'remark' } },
      ],
    });
    const read = await upload('TYPE*,Nom,Etat\nACTIVITY,Levage,Actif\n\nACTIVITY,Plong\u00e9e,inactive\n');
    expect(read).toMatchObject({
      phase: 'COLUMNS',
      sheets: [{ headers: [{}, {}, { column: 'status', by: 'CONTENT' }] }],
    });
    const { body: updatedImport } = await server.call(chooseImportColumns, {
      token,
      params: { batch },
      body: { sheet: 'masters', headers: [{ header: 'Etat', column: 'status' }] },
    });
    if (updatedImport.job !== null) await server.service(Jobs).waitForCompletion(updatedImport.job);
    const { body: preview } = await server.call(getImport, { token, params: { batch } });
    expect(preview).toMatchObject({ phase: 'PREVIEW', sheets: [{ added: 2 }] });
    const { body: applying } = await server.call(applyImport, {
      token,
      params: { batch },
      body: { version: preview.version, remove: false, backup: true },
    });
    if (applying.job !== null) await server.service(Jobs).waitForCompletion(applying.job);
    const { body: finishedImport } = await server.call(getImport, { token, params: { batch } });
    expect(finishedImport).toMatchObject({
      phase: 'DONE',
      result: 'SUCCESS',
      backup: true,
      files: [{ name: 'masters.csv' }],
    });
    expect(readdirSync(path.join(server.config.dataFolder, 'backups'))).toHaveLength(1);
    expect((await server.call(listImports, { token: otherToken, query: {} })).status).toBe(401);
    expect((await server.call(listImports, { token: secondToken, query: {} })).status).toBe(200);
    expect((await push([buildRow('Next', { status: 'inactif' })], { dryRun: true })).body.import.sheets[0]?.added).toBe(
      1,
    );
  });

  it.runIf(kind === 'postgres')(
    '[IMP-02] [IMP-10] reports how many of its checks are done, and how many rows are written',
    async () => {
      const { uid: batch } = (
        await server.call(createImport, { token, body: { uid: randomUUID(), kind: 'masters.masters', mode: 'UPSERT' } })
      ).body;
      const read = async () => (await server.call(getImport, { token, params: { batch } })).body;
      const readJob = async (id: string) => (await server.call(getJob, { token, params: { id } })).body;
      /** Runs `check` with the job that `start` begins, while the table is locked and the job waits for it. */
      const holdJob = async (mode: string, start: () => Promise<string>, check: (job: string) => Promise<void>) => {
        let unlock = (): void => undefined;
        const unlockSignal = new Promise<void>((resolve) => (unlock = resolve));
        let lock = Promise.resolve();
        // Calls inside the transaction would use it.
        await new Promise<void>((resolve) => {
          lock = tables()
            .transaction()
            .execute(async (transaction) => {
              await sql`lock table masters.master in ${sql.raw(mode)} mode`.execute(transaction);
              resolve();
              await unlockSignal;
            });
        });
        const job = await start();
        try {
          const isWaiting = async () =>
            (
              await sql`
                select from pg_locks join pg_database on oid = database
                where datname = current_database() and not granted`.execute(tables())
            ).rows.length;
          await expect.poll(isWaiting, { timeout: 10_000 }).toBe(1);
          await check(job);
        } finally {
          unlock();
          await lock;
        }
        await server.service(Jobs).waitForCompletion(job);
        return readJob(job);
      };
      const upload = async () => {
        const form = new FormData();
        form.append('files', new Blob(['Type,Name,Status\nACTIVITY,A,Active\nACTIVITY,B,Active\n']), 'masters.csv');
        const url = `${await server.url()}/api/imports/${batch}/files`;
        const reply = await fetch(url, { method: 'POST', headers: { authorization: `Bearer ${token}` }, body: form });
        return ((await reply.json()) as { job: string }).job;
      };
      const checkedJob = await holdJob('access exclusive', upload, async (job) => {
        const { status, result, done, total } = await readJob(job);
        expect([status, result]).toEqual(['INPROGRESS', null]);
        expect(done).toBeLessThan(total!);
        expect(await read()).toMatchObject({ phase: 'CHECKING', status: 'INPROGRESS', result: null, job });
      });
      expect(checkedJob).toMatchObject({ status: 'COMPLETED', result: 'SUCCESS' });
      expect(checkedJob.done).toBe(checkedJob.total! - 1);
      const { version } = await read();
      const apply = async () => {
        const body = { version, remove: false, backup: false };
        return (await server.call(applyImport, { token, params: { batch }, body })).body.job!;
      };
      const appliedJob = await holdJob('share', apply, async (job) => {
        expect(await readJob(job)).toMatchObject({ status: 'INPROGRESS', result: null, done: 0 });
        expect(await read()).toMatchObject({ phase: 'APPLYING', status: 'INPROGRESS', result: null, job });
        expect(await readMasters()).toEqual([]);
      });
      expect(appliedJob).toMatchObject({ status: 'COMPLETED', result: 'SUCCESS', done: 2, total: 2 });
      expect(await read()).toMatchObject({ phase: 'DONE', status: 'COMPLETED', result: 'SUCCESS', job: null });
    },
  );

  it('[IMP-07] exports a workbook that changes nothing, and returns a wrong one with its errors', async () => {
    await push([buildRow('Lifting', { frenchName: 'Levage' }), buildRow('Diving', { status: 'Inactive' })]);
    const download = async (url: string, as = token) =>
      fetch(`${await server.url()}${url}`, { headers: { authorization: `Bearer ${as}` } });
    const { body: file } = await server.call(createWorkbook, {
      token,
      params: { kind: 'masters.masters' },
      body: { language: 'fr', rows: true },
    });
    expect(file.name).toBe('STATIC_MASTER_IMPORT_FILE.xlsx');
    const otherToken = await server.signIn({ flags: ['import'] });
    expect((await download(file.address, otherToken)).status).toBe(403);
    const upload = async (name: string, content: BlobPart) => {
      const { uid: batch } = (
        await server.call(createImport, { token, body: { uid: randomUUID(), kind: 'masters.masters', mode: 'UPSERT' } })
      ).body;
      const form = new FormData();
      form.append('files', new Blob([content]), name);
      const url = `${await server.url()}/api/imports/${batch}/files`;
      const reply = await fetch(url, { method: 'POST', headers: { authorization: `Bearer ${token}` }, body: form });
      const { job } = (await reply.json()) as { job: string };
      await server.service(Jobs).waitForCompletion(job);
      return (await server.call(getImport, { token, params: { batch } })).body;
    };
    const content = await (await download(file.address)).arrayBuffer();
    const { Masters: sheet = {} } = xlsx.read(content).Sheets;
    expect((sheet['A2'] as xlsx.CellObject).v).toBe('Activité');
    const reimport = await upload('export.xlsx', content);
    expect(reimport).toMatchObject({ phase: 'PREVIEW', findings: [] });
    expect(reimport.sheets[0]).toMatchObject({ rows: 2, unchanged: 2, changed: 0, added: 0 });
    const { body: errorWorkbook } = await server.call(createErrorWorkbook, {
      token,
      params: { batch: reimport.uid },
      body: { language: 'en' },
    });
    expect(errorWorkbook.name).toBe('export_ERROR.xlsx');
    expect((await download(errorWorkbook.address)).status).toBe(200);
  });

  it('[IMP-07] replaces a workbook by its corrected copy, and reads the other files again when one is removed', async () => {
    const batch = randomUUID();
    await server.call(createImport, { token, body: { uid: batch, kind: 'masters.masters', mode: 'UPSERT' } });
    const load = async () => (await server.call(getImport, { token, params: { batch } })).body;
    const waitForJob = async () => {
      const { job } = await load();
      if (job !== null) await server.service(Jobs).waitForCompletion(job);
      return load();
    };
    const upload = async (name: string, ...types: readonly string[]) => {
      const book = xlsx.utils.book_new();
      const rows = [['Type', 'Name', 'Status'], ...types.map((type, index) => [type, `Lifting ${index}`, 'Active'])];
      xlsx.utils.book_append_sheet(book, xlsx.utils.aoa_to_sheet(rows), 'Masters');
      const form = new FormData();
      form.append('files', new Blob([xlsx.write(book, { type: 'buffer', bookType: 'xlsx' }) as BlobPart]), name);
      await fetch(`${await server.url()}/api/imports/${batch}/files`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
        body: form,
      });
      return waitForJob();
    };
    const nameErrorWorkbook = async () =>
      (await server.call(createErrorWorkbook, { token, params: { batch }, body: { language: 'en' } })).body.name;
    const remove = async (name: string) => {
      const { status } = await server.call(removeImportFile, { token, params: { batch }, query: { name } });
      return { replyStatus: status, ...(await waitForJob()) };
    };
    expect(await upload('plan.xlsx', 'WRONG')).toMatchObject({ sheets: [{ rows: 1, withErrors: 1 }] });
    expect(await nameErrorWorkbook()).toBe('plan_ERROR.xlsx');
    const corrected = await upload('plan_ERROR (1).xlsx', 'ACTIVITY', 'ACTIVITY');
    expect(corrected).toMatchObject({ phase: 'PREVIEW', findings: [], sheets: [{ rows: 2, withErrors: 0 }] });
    expect(corrected.files.map(({ name }) => name)).toEqual(['plan_ERROR (1).xlsx']);
    const anotherImport = await upload('other.xlsx', 'WRONG', 'ACTIVITY', 'ACTIVITY');
    expect(anotherImport).toMatchObject({
      sheets: [{ rows: 3, withErrors: 1 }],
      findings: [
        {
          message: 'imports.refused.sheetInTwoFiles',
          values: { sheet: 'Masters', file: 'other.xlsx', ignored: 'plan_ERROR (1).xlsx' },
          severity: 'WARNING',
        },
      ],
    });
    expect(await nameErrorWorkbook()).toBe('other_ERROR.xlsx');
    expect(await remove('other.xlsx')).toMatchObject({
      replyStatus: 200,
      phase: 'PREVIEW',
      findings: [],
      files: [{ name: 'plan_ERROR (1).xlsx' }],
      sheets: [{ rows: 2, withErrors: 0 }],
    });
    expect(await remove('other.xlsx')).toMatchObject({ replyStatus: 404, phase: 'PREVIEW' });
    expect(await remove('plan_ERROR (1).xlsx')).toMatchObject({
      replyStatus: 200,
      phase: 'FILES',
      files: [],
      sheets: [{ present: false, rows: 0 }],
    });
  });

  it('creates one import per uid, which belongs to its author', async () => {
    const body = { uid: randomUUID(), kind: 'masters.masters', mode: 'UPSERT' as const };
    expect((await server.call(createImport, { token, body })).status).toBe(201);
    expect((await server.call(createImport, { token, body })).status).toBe(201);
    const otherToken = await server.signIn({ flags: ['import', 'configure'] });
    expect((await server.call(createImport, { token: otherToken, body })).status).toBe(409);
  });

  it('leaves nothing in the history if a call is refused or breaks off, and its uid can be used again', async () => {
    const uid = randomUUID();
    const listHistory = async () =>
      (await server.call(listImports, { token, query: {} })).body.rows.map((row) => [row.uid, row.phase]);
    const body = { uid, kind: 'masters.masters', mode: 'UPSERT' as const, dryRun: false };
    const unclearRows = [buildRow('Lifting', { sequence: '5,5' }), buildRow('Diving', { sequence: '91.540' })];
    for (const dryRun of [true, false]) {
      const unknownSheet = { ...body, dryRun, sheets: { valves: [{ code: 'A' }] } };
      expect((await server.call(pushImport, { token, body: unknownSheet })).status).toBe(404);
      const malformedRow = { ...body, dryRun, sheets: { masters: [{ name: { en: 'Lifting' } }] as never } };
      expect((await server.call(pushImport, { token, body: malformedRow })).status).toBe(400);
      expect((await push(unclearRows, { uid, dryRun })).status).toBe(400);
    }
    await sql`
      create function imports.break_off() returns trigger language plpgsql as $$ begin
        raise exception 'broken off';
      end $$`.execute(tables());
    await sql`
      create trigger break_off before insert on imports.staged_row
      for each row execute function imports.break_off()`.execute(tables());
    expect((await push([buildRow('Lifting')], { uid })).status).toBe(500);
    await sql`drop trigger break_off on imports.staged_row`.execute(tables());
    expect(await listHistory()).toEqual([]);
    expect((await push([buildRow('Lifting')], { uid, dryRun: true })).body.import.phase).toBe('PREVIEW');
    expect((await push(unclearRows, { uid })).status).toBe(400);
    expect(await listRows(uid)).toMatchObject([{ values: { name: 'Lifting' } }]);
    const replies = await Promise.all([push([buildRow('Lifting')], { uid }), push([buildRow('Lifting')], { uid })]);
    for (const { status } of replies) expect([200, 409]).toContain(status);
    expect(await listHistory()).toEqual([[uid, 'DONE']]);
  });

  it('takes as many statements for 400 rows as for four', async () => {
    const count = async (size: number, prefix: string) => {
      const rows = Array.from({ length: size }, (_, index) => buildRow(`${prefix}${index}`));
      const { statements } = await new QueryCounter(server.server.database).record(() => push(rows, { dryRun: true }));
      return statements.filter((statement) => /imports\./.test(statement)).length;
    };
    expect(await count(400, 'many')).toBe(await count(4, 'few'));
  });
});
