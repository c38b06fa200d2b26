import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { LocationRow, LocationType } from '#core';
import { enabledPlugin, LocationStore } from '#core/server';
import { buildBridge, describeOnDatabases, startTestServer, type TestServer } from '#core/testing/server';
import { listImportRows, pushImport, undoImport, updateImportRow } from '#plugins/imports/api';
import { imports, importsManifest } from '#plugins/imports/testing/server';
import { tagKinds } from '../../../contract/values/tag-values.ts';
import manifest from '../../../plugin.ts';
import { buildTagRow, insertTourRows } from '../../../testing/server/tour-rows.ts';
import english from '../../../web/messages/en.json' with { type: 'json' };
import french from '../../../web/messages/fr.json' with { type: 'json' };
import tour from '../../index.ts';
import type { TourTables } from '../../tables.ts';
import tourImports from '../imports.ts';
import { tagsSheet } from './tags-sheet.ts';

const buildLocation = (uid: string, parent: string | null, locationType: LocationType): LocationRow => ({
  uid,
  parent,
  root: 'site',
  locationType,
  name: uid,
  label: '',
});
const siteRows = [buildLocation('site', null, 'PRIMARY_LOCATION'), buildLocation('unit', 'site', 'PLATFORM_UNIT')];
type Row = Readonly<Record<string, string | number | null>>;
const buildRow = (number: string, changes: Row = {}): Row => ({
  number,
  kind: 'VALVE',
  location: 'unit',
  ...changes,
});

describeOnDatabases('imports of tags', (kind) => {
  let server: TestServer;
  let token: string;
  const tables = () => server.database.of<TourTables>('tour');
  beforeAll(async () => {
    server = await startTestServer({
      database: kind,
      plugins: [enabledPlugin(importsManifest, { endSessions: true }, imports), enabledPlugin(manifest, {}, tour)],
      bridges: [buildBridge('tour', 'imports', tourImports)],
    });
    await server.service(LocationStore).upsert(siteRows);
    token = await server.signIn({ flags: ['import', 'configure'] });
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    await sql`truncate tour.tag, tour.code, imports.batch cascade`.execute(tables());
    await insertTourRows(server.database, {
      tags: [
        buildTagRow('6"-PG-1001', { type: 'LINE', kind: 'LINE', location: 'unit' }),
        buildTagRow('PSV-1', { location: 'unit', description: 'Relief' }),
        buildTagRow('PSV-2', { location: 'unit' }),
      ],
    });
  });

  const push = async (rows: readonly Row[], options: { mode?: 'REPLACE'; dryRun?: boolean; token?: string } = {}) => {
    const { status, body } = await server.call(pushImport, {
      token: options.token ?? token,
      body: {
        uid: randomUUID(),
        kind: 'tour.tags',
        site: 'site',
        mode: options.mode ?? 'UPSERT',
        dryRun: options.dryRun ?? false,
        sheets: { tags: rows as never },
      },
    });
    return { status, ...body };
  };
  const readTags = async () =>
    (
      await sql<{ row: string }>`
        select concat_ws(' ', tag.code, tag.kind, tag.description, tag.x, line.code, tag.search_key) as row
        from tour.tag left join tour.tag as line on line.uid = tag.line where tag.type = 'TAG' order by tag.code`.execute(
        tables(),
      )
    ).rows.map(({ row }) => row);
  const readCodes = async () =>
    (
      await tables()
        .selectFrom('code')
        .select(['code', 'replaced_at'])
        .where('code', 'like', 'P%')
        .orderBy('code')
        .execute()
    ).map(({ code, replaced_at }) => `${code}${replaced_at === null ? '' : ' (former)'}`);

  it('are added and changed with their codes, and undone', async () => {
    const before = await readTags();
    const { import: batch } = await push([
      buildRow('PSV-1', { description: 'Relief valve', line: '6"-pg-1001' }),
      buildRow('psv-2'),
      buildRow('PT 3', { kind: 'INSTRUMENT', x: 1.5, y: 2, z: 0.25 }),
    ]);
    expect(batch.result).toBe('SUCCESS');
    expect(batch.sheets.at(-1)).toMatchObject({ sheet: 'tags', added: 1, changed: 2, unchanged: 0 });
    expect(await readTags()).toEqual(
      ['PSV-1 VALVE Relief valve 6"-PG-1001 PSV1', 'PT 3 INSTRUMENT  1.5 PT3', 'psv-2 VALVE Tag PSV-2 PSV2'].toSorted(),
    );
    expect(await readCodes()).toEqual(['PSV-1', 'PSV-2 (former)', 'PT 3']);
    const { body } = await server.call(undoImport, { token, params: { batch: batch.uid }, body: { dryRun: false } });
    // Codes and views of the tags are not rows of the file.
    expect(body).toMatchObject({ counted: 'ROWS', reversed: 3, kept: 0, blocked: 0 });
    expect(await readTags()).toEqual(before);
    expect(await readCodes()).toEqual(['PSV-1', 'PSV-2']);
  });

  it('warn about numbers that differ only by separators from other numbers of the site or the file', async () => {
    const { findings, import: batch } = await push(
      [
        buildRow('PSV 1'),
        buildRow('psv-2'),
        buildRow('P-9001'),
        buildRow('P 9001', { description: 'Spare' }),
        buildRow('6 PG-1001'),
        buildRow('P-9002'),
      ],
      { dryRun: true },
    );
    const warn = (row: number, other: string) => [row, 'number', 'WARNING', 'tour.refused.equalNumber', { other }];
    expect(
      findings.map(({ row, column, severity, message, values }) => [row, column, severity, message, values]),
    ).toEqual([warn(2, 'PSV-1'), warn(4, 'P 9001'), warn(5, 'P-9001'), warn(6, '6"-PG-1001')]);
    expect(batch.sheets.at(-1)).toMatchObject({ added: 5, withErrors: 0, withWarnings: 4 });
    const { body } = await server.call(listImportRows, { token, params: { batch: batch.uid }, query: {} });
    const params = { batch: batch.uid, row: body.rows[2]!.id };
    await server.call(updateImportRow, { token, params, body: { column: 'number', value: 'P-9003' } });
    const { body: later } = await server.call(listImportRows, { token, params: { batch: batch.uid }, query: {} });
    expect(later.rows.map(({ row, findings: { length } }) => [row, length])).toEqual([
      [2, 1],
      [3, 0],
      [4, 0],
      [5, 0],
      [6, 1],
      [7, 0],
    ]);
  });

  it('name the kinds of equipment as the screens do', () => {
    const kinds = tagsSheet.columns.find(({ id }) => id === 'kind')?.values ?? [];
    expect(kinds.map(({ value, label }) => [value, label])).toEqual(
      tagKinds.map((value) => [value, { en: english[`tour.kind.${value}`], fr: french[`tour.kind.${value}`] }]),
    );
  });

  it('keep the number of a tag that was edited before the import was undone', async () => {
    const { import: batch } = await push([buildRow('PT 3'), buildRow('PT 4'), buildRow('psv-2')]);
    await tables().updateTable('tag').set({ description: 'Edited' }).where('code', 'in', ['PT 3', 'psv-2']).execute();
    const { body } = await server.call(undoImport, { token, params: { batch: batch.uid }, body: { dryRun: false } });
    // The import did not write the description of PSV-2. A tag and its codes are one row.
    expect(body).toMatchObject({
      counted: 'ROWS',
      reversed: 2,
      kept: 1,
      rows: [{ name: 'PT 3', code: null, sheets: ['Lines', 'Tags'], outcome: 'KEPT' }],
    });
    expect(await readTags()).toEqual(['PSV-1 VALVE Relief PSV1', 'PSV-2 VALVE Edited PSV2', 'PT 3 VALVE Edited PT3']);
    expect(await readCodes()).toEqual(['PSV-1', 'PSV-2', 'PT 3']);
  });

  it('[IMP-06] need free numbers, known locations and lines, and complete positions', async () => {
    const { findings } = await push([
      buildRow('6"-PG-1001'),
      buildRow('N1', { location: 'nowhere' }),
      buildRow('N2', { line: 'PSV-1' }),
      buildRow('N3', { x: 1, y: 2 }),
      buildRow('---'),
      buildRow('N4', { kind: 'Wheel' }),
    ]);
    expect(findings.map(({ row, column, message }) => [row, column, message])).toEqual([
      [2, 'number', 'core.validation.duplicate'],
      [3, 'location', 'imports.refused.reference'],
      [4, 'line', 'imports.refused.reference'],
      [5, 'z', 'core.validation.mandatoryField'],
      [6, 'number', 'core.validation.format'],
      [7, 'kind', 'imports.refused.enum'],
    ]);
    expect(await readTags()).toHaveLength(2);
  });

  it('[DAT-04] remove the tags that a replacing import does not contain, after the preview has listed them', async () => {
    const { import: preview } = await push([buildRow('PSV-1', { description: 'Relief' })], {
      mode: 'REPLACE',
      dryRun: true,
    });
    expect(preview.sheets.at(-1)).toMatchObject({ rows: 1, unchanged: 1, removed: 1 });
    const { body } = await server.call(listImportRows, {
      token,
      params: { batch: preview.uid },
      query: { state: 'REMOVED' },
    });
    expect(body.rows).toMatchObject([{ row: null, values: { number: 'PSV-2' } }]);
    const { import: batch } = await push([buildRow('PSV-1', { description: 'Relief' })], { mode: 'REPLACE' });
    expect(await readTags()).toEqual(['PSV-1 VALVE Relief PSV1']);
    await server.call(undoImport, { token, params: { batch: batch.uid }, body: { dryRun: false } });
    expect(await readTags()).toHaveLength(2);
  });

  it('need access to the site', async () => {
    const limitedToken = await server.signIn({ flags: ['import'], locations: ['unit'] });
    expect((await push([buildRow('N1')], { token: limitedToken })).status).toBe(403);
  });
});
