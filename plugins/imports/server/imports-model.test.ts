import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { undoChange } from '#core/api';
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
import { MastersModel, type ModelMaster, type ModelRow } from '../testing/masters-model.ts';
import imports from './index.ts';

/** On each database; 10,000 sequences altogether. */
const runs = soakCount(8, 5000);
const timeout = soakCount(60_000, 60 * 60_000);
const seed = soakSeed();

const anyName = fc.constantFrom('A', 'a', 'B', 'C');
const anyRow: fc.Arbitrary<ModelRow> = fc.record(
  {
    type: fc.constantFrom('SECTION', 'DEPARTMENT'),
    name: anyName,
    status: fc.constantFrom('Active', 'Inactive'),
    sequence: fc.integer({ min: 0, max: 2 }),
    frenchName: fc.constantFrom('Un', 'Deux', null),
    parentName: anyName,
  },
  { requiredKeys: ['type', 'name', 'status'] },
);
const anyEdit: fc.Arbitrary<Partial<ModelMaster> | null> = fc.oneof(
  fc.record({ position: fc.integer({ min: 0, max: 2 }) }),
  fc.record({ frenchName: fc.constantFrom('Un', 'Trois', null) }),
  fc.record({ name: fc.constantFrom('B', 'c', 'D') }),
  fc.constant(null),
);
const anyStep = fc.oneof(
  { weight: 4, arbitrary: fc.record({ rows: fc.array(anyRow, { minLength: 1, maxLength: 4 }) }) },
  { weight: 3, arbitrary: fc.record({ edited: fc.nat({ max: 5 }), values: anyEdit }) },
  { weight: 3, arbitrary: fc.record({ undone: fc.nat({ max: 3 }) }) },
  { weight: 1, arbitrary: fc.record({ redone: fc.nat({ max: 3 }) }) },
);

interface Import {
  readonly batch: string;
  /** The changes of the import that are in effect. Undefined if it is undone. */
  effectiveChanges: ReturnType<MastersModel['importRows']>;
  undoing?: { readonly change: string; readonly undone: NonNullable<ReturnType<MastersModel['redo']>> };
}

describeOnDatabases(`imports, edits and undoings (seed ${seed})`, (kind) => {
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

  const tables = () => server.server.database.of<MastersTables>('masters');
  const readMasters = async () =>
    (
      await sql<{ row: string }>`
        select jsonb_build_array(master.type, master.name, master.active, master.position, master.french_name, parent.name)::text as row
        from masters.master left join masters.master as parent on parent.uid = master.parent`.execute(tables())
    ).rows
      .map(({ row }) => JSON.stringify(JSON.parse(row)))
      .toSorted();
  const describeMasters = ({ masters: currentMasters }: MastersModel): readonly string[] =>
    [...currentMasters.values()]
      .map(({ type, name, active, position, frenchName, parent }) =>
        JSON.stringify([type, name, active, position, frenchName, currentMasters.get(parent ?? 0)?.name ?? null]),
      )
      .toSorted();
  const push = async (rows: readonly ModelRow[]) =>
    (
      await server.call(pushImport, {
        token,
        body: {
          uid: randomUUID(),
          kind: 'masters.masters',
          mode: 'UPSERT',
          dryRun: false,
          sheets: {
            masters: rows.map(({ parentName, ...row }) => ({
              ...row,
              ...(parentName === undefined ? {} : { parentName, parentType: 'DEPARTMENT' }),
            })) as never,
          },
        },
      })
    ).body.import;
  const undo = async (batch: string, dryRun: boolean) =>
    server.call(undoImport, { token, params: { batch }, body: { dryRun } });
  /** Edits a master as another admin does. */
  const edit = async ({ type, name }: ModelMaster, values: Partial<ModelMaster> | null): Promise<void> => {
    const { frenchName, ...rest } = values ?? {};
    if (values === null)
      await tables()
        .deleteFrom('master')
        .where(sql<boolean>`(type, name) = (${type}, ${name})`)
        .execute();
    else
      await tables()
        .updateTable('master')
        .set({ ...(rest as { name?: string }), ...(frenchName === undefined ? {} : { french_name: frenchName }) })
        .where(sql<boolean>`(type, name) = (${type}, ${name})`)
        .execute();
  };

  it(
    '[DAT-05] leave the state that the model predicts, and report the same outcomes of each undo',
    { timeout },
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(anyStep, { minLength: 2, maxLength: 7 }), async (steps) => {
          // A token expires before a soak run ends.
          if (sequence++ % 100 === 0) token = await server.signIn({ flags: ['import', 'configure'] });
          await sql`delete from masters.master`.execute(tables());
          await sql`delete from imports.batch`.execute(tables());
          const model = new MastersModel();
          const finishedImports: Import[] = [];
          for (const step of steps) {
            if ('rows' in step) {
              const expected = model.importRows(step.rows);
              const { uid: batch, phase, change } = await push(step.rows);
              expect(phase).toBe(expected ? 'DONE' : 'PREVIEW');
              expect(change !== null).toBe(expected !== undefined && expected.length > 0);
              if (expected && expected.length > 0) finishedImports.push({ batch, effectiveChanges: expected });
            } else if ('edited' in step) {
              const editedMaster = [...model.masters.values()][step.edited];
              if (editedMaster && model.edit(editedMaster.id, step.values)) await edit(editedMaster, step.values);
            } else if ('undone' in step) {
              const undone = finishedImports[step.undone];
              if (!undone) continue;
              if (!undone.effectiveChanges) {
                expect((await undo(undone.batch, false)).status).toBe(409);
                continue;
              }
              const dryRunReply = await undo(undone.batch, true);
              const expected = model.undoRows(undone.effectiveChanges);
              const count = (outcome: string) =>
                expected.outcomes.filter((rowOutcome) => rowOutcome === outcome).length;
              const report = { reversed: count('REVERSED'), kept: count('KEPT'), blocked: count('BLOCKED') };
              expect(dryRunReply.body).toMatchObject(report);
              const { body } = await undo(undone.batch, false);
              expect(body).toMatchObject(report);
              expect(body.rows).toEqual(dryRunReply.body.rows);
              expect(body.change !== null).toBe(expected.undone.length > 0);
              undone.effectiveChanges = undefined;
              if (body.change !== null) undone.undoing = { change: body.change, undone: expected.undone };
            } else {
              const redone = finishedImports[step.redone];
              if (!redone?.undoing) continue;
              const { change, undone } = redone.undoing;
              const expected = model.redo(undone);
              const { status } = await server.call(undoChange, { token, params: { change }, body: {} });
              expect(status).toBe(expected ? 200 : 409);
              if (!expected) continue;
              redone.effectiveChanges = expected;
              delete redone.undoing;
            }
            expect(await readMasters()).toEqual(describeMasters(model));
          }
        }),
        { numRuns: runs, seed },
      );
    },
  );
});
