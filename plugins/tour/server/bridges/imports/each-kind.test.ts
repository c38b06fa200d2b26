import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { LocationRow, LocationType } from '#core';
import { enabledPlugin, Jobs, LocationStore } from '#core/server';
import {
  buildBridge,
  describeOnDatabases,
  soakCount,
  soakSeed,
  startTestServer,
  type TestServer,
} from '#core/testing/server';
import {
  updateImportRow,
  createImport,
  getImport,
  listImportKinds,
  listImportRows,
  pushImport,
  replaceImportValues,
} from '#plugins/imports/api';
import { checkFully, imports, importsManifest, readStagedRows } from '#plugins/imports/testing/server';
import { masters, mastersImports, mastersManifest } from '#plugins/masters/testing/server';
import manifest from '../../../plugin.ts';
import { buildNodeRow, buildTagRow, buildTourRow, insertTourRows, nodeUid } from '../../../testing/server/tour-rows.ts';
import tour from '../../index.ts';
import tourImports from '../imports.ts';

const runs = soakCount(4, 300);
const timeout = soakCount(60_000, 60 * 60_000);
const seed = soakSeed();

const buildLocation = (uid: string, parent: string | null, locationType: LocationType): LocationRow => ({
  uid,
  parent,
  root: 'site',
  locationType,
  name: uid,
  label: '',
});
const siteRows = [
  buildLocation('site', null, 'PRIMARY_LOCATION'),
  buildLocation('unit', 'site', 'PLATFORM_UNIT'),
  buildLocation('lower', 'unit', 'LOC_LEVEL'),
];
type Row = Readonly<Record<string, string | number | null>>;

const code = fc.constantFrom('A', 'a', 'B', 'C', 'D');
const anyPlace = fc.constantFrom('unit', 'lower', 'LOWER', 'nowhere');
/** Values by sheet and column. Few of them are valid. */
const tourCells: Readonly<Record<string, Readonly<Record<string, fc.Arbitrary<string | number | null>>>>> = {
  decks: { code, name: code, location: anyPlace, elevation: fc.constant(1) },
  walls: {
    deck: code,
    wall: fc.constantFrom(1, 2),
    point: fc.constantFrom(1, 2, 3, 'x'),
    x: fc.constantFrom(1, 2),
    y: fc.constant(1),
  },
  tours: { code, name: code, location: anyPlace, start: fc.oneof(code, fc.constant(null)) },
  viewpoints: {
    code,
    tour: code,
    name: fc.constantFrom('N', 'M'),
    deck: fc.oneof(code, fc.constant(null)),
    x: fc.constant(1),
    y: fc.constant(1),
    z: fc.constantFrom(1, 'x'),
    heading: fc.constant(0),
  },
  links: { from: code, to: code, kind: fc.constantFrom('WALK', 'STAIR') },
  lines: {
    number: code,
    location: anyPlace,
    service: fc.constantFrom('PG', null),
    nps: fc.constantFrom('6', 'x', null),
  },
  courses: {
    line: code,
    point: fc.constantFrom(1, 2, 3, 'x'),
    x: fc.constantFrom(1, 2),
    y: fc.constant(1),
    z: fc.constant(1),
  },
  lineViews: {
    line: code,
    viewpoint: code,
    pan: fc.constantFrom(1, 'x'),
    tilt: fc.constant(1),
    distance: fc.constant(1),
  },
  tags: {
    number: code,
    kind: fc.constantFrom('VALVE', 'Wheel'),
    location: anyPlace,
    line: fc.oneof(code, fc.constant(null)),
    x: fc.constantFrom(1, null),
    y: fc.constant(1),
    z: fc.constant(1),
  },
};
const masterCells = {
  masters: {
    type: fc.constantFrom('SECTION', 'DEPARTMENT', 'DIVISION'),
    name: code,
    status: fc.constantFrom('Active', 'Maybe'),
    parentType: fc.constantFrom('DEPARTMENT', 'DIVISION', null),
    parentName: fc.oneof(code, fc.constant(null)),
  },
};
type CellValues = typeof tourCells;

const anySheets = (cells: CellValues) =>
  fc.record(
    Object.fromEntries(
      Object.entries(cells).map(([sheet, columns]) => [
        sheet,
        fc.array(fc.record(columns, { requiredKeys: Object.keys(columns).slice(0, 3) }), {
          minLength: 1,
          maxLength: 4,
        }),
      ]),
    ),
  );
/** Corrections of any row of a sheet, or of a value in all rows. */
const anyCorrections = (cells: CellValues) =>
  fc.array(
    fc.oneof(
      ...Object.entries(cells).flatMap(([sheet, columns]) =>
        Object.entries(columns).map(([column, value]) =>
          fc.record({
            sheet: fc.constant(sheet),
            column: fc.constant(column),
            row: fc.nat({ max: 3 }),
            value,
            all: fc.boolean(),
          }),
        ),
      ),
    ),
    { minLength: 3, maxLength: 8 },
  );
interface ImportCase {
  readonly kind: string;
  readonly site: string | undefined;
  readonly mode: 'UPSERT' | 'REPLACE';
  readonly sheets: Readonly<Record<string, readonly Row[]>>;
  readonly corrections: readonly {
    readonly sheet: string;
    readonly column: string;
    readonly row: number;
    readonly value: string | number | null;
    readonly all: boolean;
  }[];
}

const anyImport = (kind: string, cells: CellValues, site?: string): fc.Arbitrary<ImportCase> =>
  fc.record({
    kind: fc.constant(kind),
    site: fc.constant(site),
    mode: fc.constantFrom<'UPSERT' | 'REPLACE'>('UPSERT', ...(site === undefined ? [] : ['REPLACE' as const])),
    sheets: anySheets(cells),
    corrections: anyCorrections(cells),
  });

/** Corrections on which other rows depend: the name of a parent; the number of a line, and the tour of a viewpoint. */
const examples: [ImportCase][] = [
  [
    {
      kind: 'masters.masters',
      site: undefined,
      mode: 'UPSERT',
      sheets: {
        masters: [
          { type: 'SECTION', name: 'S', status: 'Active', parentType: 'DEPARTMENT', parentName: 'D' },
          { type: 'DEPARTMENT', name: 'D', status: 'Active' },
          { type: 'DEPARTMENT', name: 'E', status: 'Active' },
        ],
      },
      corrections: ['E', 'D'].map((value) => ({ sheet: 'masters', column: 'name', row: 1, value, all: false })),
    },
  ],
  [
    {
      kind: 'tour.tags',
      site: 'site',
      mode: 'REPLACE',
      sheets: {
        viewpoints: ['N1', 'N2'].map((each) => ({ code: each, tour: 'A', name: each, x: 1, y: 1, z: 1, heading: 0 })),
        links: [{ from: 'N1', to: 'N2', kind: 'WALK' }],
        lines: [{ number: 'L2', location: 'unit' }],
        tags: [{ number: 'V', kind: 'VALVE', location: 'unit', line: 'L' }],
      },
      corrections: [
        { sheet: 'lines', column: 'number', row: 0, value: 'V', all: false },
        { sheet: 'tags', column: 'line', row: 0, value: 'V', all: true },
        { sheet: 'viewpoints', column: 'tour', row: 1, value: 'B', all: false },
        { sheet: 'links', column: 'to', row: 0, value: 'N3', all: false },
        { sheet: 'viewpoints', column: 'code', row: 0, value: 'N3', all: false },
      ],
    },
  ],
];

describeOnDatabases(`imports of each kind (seed ${seed})`, (database) => {
  let server: TestServer;
  let token: string;
  let signIn: () => Promise<void>;
  let cases = 0;
  beforeAll(async () => {
    server = await startTestServer({
      database,
      plugins: [
        enabledPlugin(importsManifest, { endSessions: false }, imports),
        enabledPlugin(mastersManifest, {}, masters),
        enabledPlugin(manifest, {}, tour),
      ],
      bridges: [buildBridge('masters', 'imports', mastersImports), buildBridge('tour', 'imports', tourImports)],
    });
    await server.service(LocationStore).upsert(siteRows);
    await insertTourRows(server.database, {
      tours: [buildTourRow('A', { location: 'lower', start_node: nodeUid('A') })],
      nodes: ['A', 'B'].map((each, position) => buildNodeRow(each, { tour: 'tour-A', position })),
      tags: [
        buildTagRow('A', { location: 'unit' }),
        buildTagRow('L', { type: 'LINE', kind: 'LINE', location: 'unit' }),
      ],
    });
    const person = await server.addPerson({ flags: ['import', 'configure'] });
    signIn = async () => {
      token = await server.signIn(person);
    };
    await signIn();
  });
  afterAll(() => server.close());

  const samples: Readonly<Record<string, Readonly<Record<string, readonly Row[]>>>> = {
    'masters.masters': {
      masters: [
        { type: 'SECTION', name: 'S', status: 'Active', parentType: 'DEPARTMENT', parentName: 'D', sequence: 2 },
        { type: 'DEPARTMENT', name: 'D', status: 'Inactive', parentType: null, parentName: null, sequence: 3 },
      ],
    },
    'tour.tags': {
      viewpoints: [{ code: 'N1', tour: 'A', name: 'New', x: 1.5, y: 2, z: 3, heading: 90 }],
      links: [{ from: 'N1', to: 'A', kind: 'WALK' }],
      lines: [],
      tags: [{ number: 'A', kind: 'VALVE', location: 'unit', description: 'Changed', line: 'L', x: 1, y: 2, z: 3 }],
    },
  };

  it('[DAT-09] accept the same rows as JSON and as CSV in a dry run', async () => {
    const { body: kinds } = await server.call(listImportKinds, { token });
    expect(kinds.map(({ id }) => id).toSorted()).toEqual(Object.keys(samples).toSorted());
    for (const { id: kind, scope } of kinds) {
      const sheets = samples[kind]!;
      const begin = () => ({
        uid: randomUUID() as string,
        kind,
        mode: 'UPSERT' as const,
        ...(scope === 'SITE' ? { site: 'site' } : {}),
      });
      const { body: dryRunReply } = await server.call(pushImport, {
        token,
        body: { ...begin(), dryRun: true, sheets: sheets as never },
      });
      expect(dryRunReply.import).toMatchObject({ phase: 'PREVIEW', findings: [] });
      expect(dryRunReply.findings.filter(({ severity }) => severity === 'ERROR')).toEqual([]);
      const expected = await readStagedRows(server, dryRunReply.import.uid);
      const upload = async (files: Readonly<Record<string, string>>): Promise<void> => {
        const { uid } = (await server.call(createImport, { token, body: begin() })).body;
        const form = new FormData();
        for (const [name, text] of Object.entries(files)) form.append('files', new Blob([text]), name);
        const url = `${await server.url()}/api/imports/${uid}/files`;
        const reply = await fetch(url, { method: 'POST', headers: { authorization: `Bearer ${token}` }, body: form });
        await server.service(Jobs).waitForCompletion(((await reply.json()) as { job: string }).job);
        const { body } = await server.call(getImport, { token, params: { batch: uid } });
        expect(body).toMatchObject({ phase: 'PREVIEW', findings: [] });
        expect(await readStagedRows(server, uid)).toEqual(expected);
      };
      await upload({ 'data.json': JSON.stringify(sheets) });
      const filledSheets = Object.entries(sheets).filter(([, rows]) => rows.length > 0);
      await upload(
        Object.fromEntries(
          filledSheets.map(([sheet, rows]) => {
            const columns = Object.keys(rows[0]!);
            const lines = [columns, ...rows.map((row) => columns.map((column) => String(row[column] ?? '')))];
            return [`${sheet}.csv`, lines.map((line) => line.join(',')).join('\n')];
          }),
        ),
      );
      const { body: applyReply } = await server.call(pushImport, {
        token,
        body: { ...begin(), dryRun: false, sheets: sheets as never },
      });
      expect(applyReply.import).toMatchObject({ phase: 'DONE' });
    }
  });

  it('[DAT-09] accept a request of several megabytes', async () => {
    const send = async (megabytes: number): Promise<number> => {
      const rows = Array.from({ length: megabytes * 35 }, (_, index) => ({
        type: 'SECTION',
        name: `Large ${index}`,
        status: 'Active',
        frenchName: 'x'.repeat(30_000),
      }));
      const body = { uid: randomUUID(), kind: 'masters.masters', mode: 'UPSERT', dryRun: true };
      const { statusCode } = await server.app.inject({
        method: 'POST',
        url: '/api/imports/rows',
        headers: { authorization: `Bearer ${token}` },
        payload: { ...body, sheets: { masters: rows } },
      });
      return statusCode;
    };
    expect([await send(2), await send(9)]).toEqual([200, 413]);
  });

  it('find the same problems after a correction as in a check of all rows', { timeout }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(anyImport('tour.tags', tourCells, 'site'), anyImport('masters.masters', masterCells as never)),
        async ({ kind, site, mode, sheets, corrections }) => {
          // A soak test runs longer than a token is valid.
          if (++cases % 20 === 0) await signIn();
          const { status, body } = await server.call(pushImport, {
            token,
            body: {
              uid: randomUUID(),
              kind,
              ...(site === undefined ? {} : { site }),
              mode,
              dryRun: true,
              sheets: sheets as never,
            },
          });
          expect(status).toBe(200);
          const batch = body.import.uid;
          for (const { sheet, column, row, value, all } of corrections) {
            const { rows } = (await server.call(listImportRows, { token, params: { batch }, query: { sheet } })).body;
            const fileRows = rows.filter((findingRow) => findingRow.row !== null);
            const target = fileRows[row % fileRows.length]!;
            const from = target.values[column] ?? null;
            const { status: correctionStatus } = all
              ? await server.call(replaceImportValues, {
                  token,
                  params: { batch },
                  body: { sheet, column, from, to: value },
                })
              : await server.call(updateImportRow, {
                  token,
                  params: { batch, row: target.id },
                  body: { column, value },
                });
            expect(correctionStatus).toBe(200);
            const stagedRows = await readStagedRows(server, batch);
            await checkFully(server, batch);
            expect(stagedRows).toEqual(await readStagedRows(server, batch));
          }
        },
      ),
      { numRuns: runs, seed, examples },
    );
  });
});
