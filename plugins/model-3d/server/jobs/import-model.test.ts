import { Document, NodeIO } from '@gltf-transform/core';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { enabledPlugin, FileStore, LocationStore, type JobOutcome, type JobRun, type JobStep } from '#core/server';
import { describeOnDatabases, startTestServer, type TestServer } from '#core/testing/server';
import { tour, tourManifest } from '#plugins/tour/testing/server';
import { DatabaseUnavailableError } from '../../../../core/server/kernel/database-error.ts';
import { listModels, removeModel } from '../../contract/api.ts';
import type { ModelPose } from '../../contract/index.ts';
import manifest from '../../plugin.ts';
import model3d from '../index.ts';
import { modelSchema, type ModelTables } from '../tables.ts';
import { buildModelRow } from '../../testing/server/model-rows.ts';
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
    const tables = server.server.database.of<ModelTables>(modelSchema);
    await tables.insertInto('model').values(buildModelRow(model)).execute();
    const made: string[] = [];
    /** `meanwhile` runs after the conversion and before the row is updated. */
    const run = async (meanwhile: () => Promise<unknown>): Promise<JobOutcome> => {
      const source = await put();
      return attempt(source, undefined, async ({ cursor }, within) => {
        if (cursor === undefined || within) return;
        made.push((cursor as { readonly file: string }).file);
        await meanwhile();
      });
    };
    const put = async (): Promise<string> => {
      const { id: source } = await files.put(
        { name: 'sign.glb', mediaType: 'model/gltf-binary', audience: { kind: 'location', location: 'unit' } },
        await triangle(),
      );
      made.push(source);
      return source;
    };
    const attempt = (
      source: string,
      cursor: unknown,
      progress: JobRun<unknown>['progress'],
      pose?: ModelPose,
    ): Promise<JobOutcome> =>
      runImportModel(
        { tables, files },
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
      run,
      put,
      attempt,
      shown: async () => {
        const token = await server.signIn({ flags: ['threeDimensionalAccess'] });
        const { body } = await server.call(listModels, { params: { location: 'unit' }, token });
        return body.find(({ uid }) => uid === model);
      },
      left: async (): Promise<readonly string[]> =>
        (await Promise.all(made.map(async (id) => ((await files.find(id)) ? [id] : [])))).flat(),
      row: () => tables.selectFrom('model').select(['file', 'version']).where('uid', '=', model).executeTakeFirst(),
    };
  };
  const done = (): Promise<void> => Promise.resolve();
  const pose: ModelPose = { position: [7, 8, 9], heading: 45, scale: 2 };

  it('[TOUR-13] leaves no file behind if the model is deleted during the import', async () => {
    const { run, left } = await setup('going');
    expect(
      await run(() => server.call(removeModel, { params: { location: 'unit', model: 'going' }, token: admin })),
    ).toEqual({ result: 'FAILED', message: 'The model was removed meanwhile.' });
    expect(await left()).toEqual([]);
    expect(await run(() => Promise.resolve())).toMatchObject({ result: 'FAILED' });
    expect(await left()).toEqual([]);
  });

  it('[TOUR-13] counts each version and leaves no file behind if a model is replaced twice at once', async () => {
    const { run, left, row } = await setup('twice');
    await run(() => run(() => Promise.resolve()));
    const now = await row();
    expect(now?.version).toBe(2);
    expect(await left()).toEqual([now?.file]);
  });

  it('[IMP-09] shows the previous version in its placement until the attempt for the next one has ended', async () => {
    const { run, put, attempt, shown } = await setup('killed');
    await run(done);
    const before = await shown();
    const source = await put();
    let noted: unknown;
    const killed = attempt(
      source,
      undefined,
      async ({ cursor }) => {
        if (cursor === undefined) return;
        noted = cursor;
        throw new DatabaseUnavailableError('killed');
      },
      pose,
    );
    await expect(killed).rejects.toThrow('killed');
    expect(await shown()).toEqual(before);
    // Killed again, in the transaction that publishes the new version.
    await expect(attempt(source, noted, () => Promise.reject(new Error('killed')), pose)).rejects.toThrow('killed');
    expect(await shown()).toEqual(before);
    expect(await attempt(source, noted, done, pose)).toMatchObject({ result: 'SUCCESS' });
    expect(await shown()).toMatchObject({ version: 2, pose });
  });

  it('[IMP-09] does not restore a version that was replaced before its killed attempt is repeated', async () => {
    const { put, attempt, run, shown, left } = await setup('repeated');
    let noted: unknown;
    const source = await put();
    const note = async ({ cursor }: JobStep): Promise<void> => void (noted = cursor ?? noted);
    await attempt(source, undefined, note);
    await run(done);
    const latest = await shown();
    expect(latest).toMatchObject({ version: 2 });
    // The end of the first job was not saved.
    expect(await attempt(source, noted, done, pose)).toMatchObject({ result: 'SUCCESS' });
    expect(await shown()).toEqual(latest);
    expect(await left()).toHaveLength(1);
  });
});
