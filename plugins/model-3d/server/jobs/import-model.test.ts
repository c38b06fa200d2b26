import { Document, NodeIO } from '@gltf-transform/core';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { enabledPlugin, FileStore, LocationStore, type JobOutcome, type JobStep } from '#core/server';
import { describeOnDatabases, startTestServer, type TestServer } from '#core/testing/server';
import tourManifest from '../../../tour/plugin.ts';
import tour from '../../../tour/server/index.ts';
import { removeModel } from '../../contract/api.ts';
import manifest from '../../plugin.ts';
import model3d from '../index.ts';
import { standingPose } from '../receive-model.ts';
import { tablesOf } from '../tables.ts';
import { runImportModel } from './import-model.ts';

function triangle(): Promise<Uint8Array> {
  const document = new Document();
  const position = document
    .createAccessor()
    .setType('VEC3')
    .setArray(new Float32Array([0, 0, 0, 2, 0, 0, 0, 3, 0]))
    .setBuffer(document.createBuffer());
  document
    .createScene()
    .addChild(
      document
        .createNode('Sign')
        .setMesh(document.createMesh().addPrimitive(document.createPrimitive().setAttribute('POSITION', position))),
    );
  return new NodeIO().writeBinary(document);
}

describeOnDatabases('the import of a model', (kind) => {
  let server: TestServer;
  let admin: string;

  beforeAll(async () => {
    server = await startTestServer({
      database: kind,
      plugins: [enabledPlugin(tourManifest, {}, tour), enabledPlugin(manifest, { engine: 'builtin' }, model3d)],
    });
    await server.server.board.services
      .find(LocationStore, 'model-3d')
      .upsert([
        { uid: 'unit', name: 'unit', label: 'unit', parent: null, root: 'unit', locationType: 'PRIMARY_LOCATION' },
      ]);
    admin = await server.signIn({ flags: ['threeDimensionalAccess', 'configure'] });
  });
  afterAll(() => server.close());

  const stand = async (model: string) => {
    const files = server.server.board.services.find(FileStore, 'model-3d');
    const tables = tablesOf(server.server);
    await tables
      .insertInto('model')
      .values({
        id: model,
        location: 'unit',
        name: model,
        version: 0,
        state: 'IMPORTING',
        message: null,
        file: null,
        tiles: 0,
        bytes: 0,
        objects: 0,
        bounds: null,
        pose: JSON.stringify(standingPose),
        report: null,
        job: null,
        updated_at: new Date(),
      })
      .execute();
    const made: string[] = [];
    /** `meanwhile` happens when the model is converted and its row does not know yet. */
    const run = async (meanwhile: () => Promise<unknown>): Promise<JobOutcome> => {
      const { id: source } = await files.put(
        { name: 'sign.glb', mediaType: 'model/gltf-binary', audience: { kind: 'location', location: 'unit' } },
        await triangle(),
      );
      made.push(source);
      const progress = async ({ cursor }: JobStep): Promise<void> => {
        if (cursor === undefined) return;
        made.push((cursor as { readonly file: string }).file);
        await meanwhile();
      };
      return runImportModel(
        { database: server.server.database, files },
        {
          id: 'job',
          payload: { model, source },
          cursor: undefined,
          signal: new AbortController().signal,
          log: pino({ level: 'silent' }),
          progress,
        },
      );
    };
    return {
      run,
      left: async (): Promise<readonly string[]> =>
        (await Promise.all(made.map(async (id) => ((await files.find(id)) ? [id] : [])))).flat(),
      row: () => tables.selectFrom('model').select(['file', 'version']).where('id', '=', model).executeTakeFirst(),
    };
  };

  it('[TOUR-13] leaves no file behind where the model is removed meanwhile', async () => {
    const { run, left } = await stand('going');
    expect(
      await run(() => server.call(removeModel, { params: { location: 'unit', model: 'going' }, token: admin })),
    ).toEqual({ result: 'FAILED', message: 'The model was removed meanwhile.' });
    expect(await left()).toEqual([]);
    expect(await run(() => Promise.resolve())).toMatchObject({ result: 'FAILED' });
    expect(await left()).toEqual([]);
  });

  it('[TOUR-13] counts each version, and leaves no file behind, where a model is replaced twice at once', async () => {
    const { run, left, row } = await stand('twice');
    await run(() => run(() => Promise.resolve()));
    const now = await row();
    expect(now?.version).toBe(2);
    expect(await left()).toEqual([now?.file]);
  });
});
