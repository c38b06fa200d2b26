import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { enabledPlugin } from '#core/server';
import {
  buildBridge,
  describeOnDatabases,
  soakCount,
  soakSeed,
  startTestServer,
  type TestServer,
} from '#core/testing/server';
import { masters, mastersImports, mastersManifest, type MastersTables } from '#plugins/masters/testing/server';
import { pushImport, undoImport } from '../contract/api.ts';
import manifest from '../plugin.ts';
import imports from './index.ts';

type Cell = string | number | boolean | null | readonly string[];
type Row = Readonly<Record<string, Cell>>;

const anyCell: fc.Arbitrary<Cell> = fc.oneof(
  fc.string({ maxLength: 30, unit: 'binary' }),
  fc.constantFrom('', '   ', '=1+1', '\u0000', '\ud800', 'x'.repeat(300), 'é', 'É', '-1', '1e999', 'true', 'Active'),
  fc.double({ noDefaultInfinity: true, noNaN: true }),
  fc.boolean(),
  fc.constant(null),
  fc.array(fc.string({ maxLength: 5 }), { maxLength: 3 }),
);
const goodRow: fc.Arbitrary<Row> = fc.record(
  {
    type: fc.constantFrom('ACTIVITY', 'section'),
    name: fc.constantFrom('A', 'a', 'B', 'É', 'é', 'C'),
    status: fc.constantFrom('Active', 'inactif'),
    sequence: fc.integer({ min: 0, max: 5 }),
    frenchName: fc.option(fc.constantFrom('Un', 'Deux')),
  },
  { requiredKeys: ['type', 'name', 'status'] },
);
const badRow: fc.Arbitrary<Row> = fc
  .tuple(goodRow, fc.constantFrom('type', 'name', 'status', 'sequence'), anyCell)
  .map(([row, column, cell]) => ({ ...row, [column]: cell }));
const anyImport = fc.record({
  rows: fc.array(fc.oneof({ weight: 5, arbitrary: goodRow }, { weight: 1, arbitrary: badRow }), {
    minLength: 1,
    maxLength: 6,
  }),
  undo: fc.boolean(),
});

const runs = soakCount(20, 1000);
const seed = soakSeed();
const timeout = soakCount(60_000, 20 * 60_000);

describeOnDatabases(`generated imports (seed ${seed})`, (kind) => {
  let server: TestServer;
  let token: string;
  let sequence = 0;
  beforeAll(async () => {
    server = await startTestServer({
      database: kind,
      plugins: [enabledPlugin(manifest, { endSessions: true }, imports), enabledPlugin(mastersManifest, {}, masters)],
      bridges: [buildBridge('masters', 'imports', mastersImports)],
    });
  });
  afterAll(() => server.close());

  const readMasters = async () =>
    (
      await server.server.database
        .of<MastersTables>('masters')
        .selectFrom('master')
        .select(['type', 'name', 'active', 'position', 'french_name'])
        .orderBy('type')
        .orderBy('name')
        .execute()
    ).map((row) => JSON.stringify(row));

  it('[IMP-09] are written whole or not at all, and undone to the former state', { timeout }, async () => {
    await fc.assert(
      fc.asyncProperty(anyImport, async ({ rows, undo }) => {
        // A token expires before a soak run ends.
        if (sequence++ % 100 === 0) token = await server.signIn({ flags: ['import', 'configure'] });
        const before = await readMasters();
        const { status, body } = await server.call(pushImport, {
          token,
          body: {
            uid: randomUUID(),
            kind: 'masters.masters',
            mode: 'UPSERT',
            dryRun: false,
            sheets: { masters: rows as never },
          },
        });
        expect([200, 400]).toContain(status);
        const after = await readMasters();
        if (status !== 200 || body.import.phase !== 'DONE') {
          expect(after).toEqual(before);
          return;
        }
        expect(body.import.result).toBe('SUCCESS');
        const [sheet] = body.import.sheets;
        expect(after).toHaveLength(before.length + (sheet?.added ?? 0));
        if (sheet?.added === 0 && sheet.changed === 0) expect(after).toEqual(before);
        if (!undo || body.import.change === null) return;
        const { body: report } = await server.call(undoImport, {
          token,
          params: { batch: body.import.uid },
          body: { dryRun: false },
        });
        expect(report).toMatchObject({ kept: 0, blocked: 0 });
        expect(await readMasters()).toEqual(before);
      }),
      {
        numRuns: runs,
        seed,
        examples: [[{ rows: [{ type: 'ACTIVITY', name: [''], status: 'Active' }], undo: false }]],
      },
    );
    await sql`delete from imports.batch`.execute(server.server.database.of('imports'));
  });
});
