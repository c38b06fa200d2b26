import { Document, NodeIO } from '@gltf-transform/core';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  enabledPlugin,
  FileStore,
  Jobs,
  LocationStore,
  type JobOutcome,
  type JobRun,
  type JobStep,
} from '#core/server';
import { describeOnDatabases, startTestServer, type TestServer } from '#core/testing/server';
import { tour, tourManifest } from '#plugins/tour/testing/server';
import { DatabaseUnavailableError } from '../../../../core/server/kernel/database-error.ts';
import { listModels, deleteModel } from '../../contract/api.ts';
import type { ModelPose } from '../../contract/index.ts';
import manifest from '../../plugin.ts';
import model3d from '../index.ts';
import { modelSchema, type ModelTables } from '../tables.ts';
import { buildModelRow } from '../../testing/server/model-rows.ts';
import { runImportModel } from './import-model.ts';

function writeTriangle(): Promise<Uint8Array> {
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

describeOnDatabases('runImportModel', (kind) => {
  let server: TestServer;
  let admin: string;

  beforeAll(async () => {
    server = await startTestServer({
      database: kind,
      plugins: [enabledPlugin(tourManifest, {}, tour), enabledPlugin(manifest, { engine: 'builtin' }, model3d)],
    });
    await server
      .service(LocationStore)
      .upsert([
        { uid: 'unit', name: 'unit', label: 'unit', parent: null, root: 'unit', locationType: 'PRIMARY_LOCATION' },
      ]);
    admin = await server.signIn({ flags: ['threeDimensionalAccess', 'configure'] });
  });
  afterAll(() => server.close());

  const setup = async (model: string) => {
    const files = server.service(FileStore);
    const tables = server.database.of<ModelTables>(modelSchema);
    await tables.insertInto('model').values(buildModelRow(model)).execute();
    const createdFiles: string[] = [];
    /** `beforeUpdate` runs after the conversion and before the row is updated. */
    const importModel = async (beforeUpdate: () => Promise<unknown>): Promise<JobOutcome> => {
      const source = await uploadSource();
      return runAttempt(source, undefined, async ({ cursor }, transaction) => {
        if (cursor === undefined || transaction) return;
        createdFiles.push((cursor as { readonly file: string }).file);
        await beforeUpdate();
      });
    };
    const uploadSource = async (): Promise<string> => {
      const { id: source } = await files.put(
        { name: 'sign.glb', mediaType: 'model/gltf-binary', audience: { kind: 'location', location: 'unit' } },
        await writeTriangle(),
      );
      createdFiles.push(source);
      return source;
    };
    const runAttempt = (
      source: string,
      cursor: unknown,
      progress: JobRun<unknown>['progress'],
      pose?: ModelPose,
    ): Promise<JobOutcome> =>
      runImportModel(
        { tables, files, jobs: server.service(Jobs) },
        {
          id: 'job',
          payload: { model, source, ...(pose ? { pose } : {}) },
          cursor,
          signal: new AbortController().signal,
          log: pino({ level: 'silent' }),
          progress,
        },
      );
    return {
      importModel,
      uploadSource,
      runAttempt,
      readModel: async () => {
        const token = await server.signIn({ flags: ['threeDimensionalAccess'] });
        const { body } = await server.call(listModels, { params: { location: 'unit' }, token });
        return body.find(({ uid }) => uid === model);
      },
      findRemainingFiles: async (): Promise<readonly string[]> =>
        (await Promise.all(createdFiles.map(async (id) => ((await files.find(id)) ? [id] : [])))).flat(),
      readRow: () => tables.selectFrom('model').select(['file', 'version']).where('uid', '=', model).executeTakeFirst(),
    };
  };
  const doNothing = (): Promise<void> => Promise.resolve();
  const pose: ModelPose = { position: [7, 8, 9], heading: 45, scale: 2 };

  it('[TOUR-13] deletes all files if the model is deleted during the import', async () => {
    const { importModel, findRemainingFiles } = await setup('deleted');
    expect(
      await importModel(() =>
        server.call(deleteModel, { params: { location: 'unit', model: 'deleted' }, token: admin }),
      ),
    ).toEqual({ result: 'FAILED', message: 'The model was deleted during the import.' });
    expect(await findRemainingFiles()).toEqual([]);
    expect(await importModel(() => Promise.resolve())).toMatchObject({ result: 'FAILED' });
    expect(await findRemainingFiles()).toEqual([]);
  });

  it('[TOUR-13] deletes the replaced file if two imports of a model overlap', async () => {
    const { importModel, findRemainingFiles, readRow } = await setup('twice');
    await importModel(() => importModel(() => Promise.resolve()));
    const current = await readRow();
    expect(current?.version).toBe(2);
    expect(await findRemainingFiles()).toEqual([current?.file]);
  });

  it('[IMP-09] shows the previous version in its placement until the next version is published', async () => {
    const { importModel, uploadSource, runAttempt, readModel } = await setup('interrupted');
    await importModel(doNothing);
    const previous = await readModel();
    const source = await uploadSource();
    let savedCursor: unknown;
    const runningAttempt = runAttempt(
      source,
      undefined,
      async ({ cursor }) => {
        if (cursor === undefined) return;
        savedCursor = cursor;
        throw new DatabaseUnavailableError('stopped');
      },
      pose,
    );
    await expect(runningAttempt).rejects.toThrow('stopped');
    expect(await readModel()).toEqual(previous);
    // Interrupted again, in the transaction that publishes the new version.
    await expect(runAttempt(source, savedCursor, () => Promise.reject(new Error('stopped')), pose)).rejects.toThrow(
      'stopped',
    );
    expect(await readModel()).toEqual(previous);
    expect(await runAttempt(source, savedCursor, doNothing, pose)).toMatchObject({ result: 'SUCCESS' });
    expect(await readModel()).toMatchObject({ version: 2, pose });
  });

  it('[IMP-09] does not restore an older version when its interrupted import is repeated', async () => {
    const { uploadSource, runAttempt, importModel, readModel, findRemainingFiles } = await setup('repeated');
    let savedCursor: unknown;
    const source = await uploadSource();
    const saveCursor = async ({ cursor }: JobStep): Promise<void> => void (savedCursor = cursor ?? savedCursor);
    await runAttempt(source, undefined, saveCursor);
    await importModel(doNothing);
    const latest = await readModel();
    expect(latest).toMatchObject({ version: 2 });
    // The result of the first job was not saved, so that the job runs again.
    expect(await runAttempt(source, savedCursor, doNothing, pose)).toMatchObject({ result: 'SUCCESS' });
    expect(await readModel()).toEqual(latest);
    expect(await findRemainingFiles()).toHaveLength(1);
  });
});
