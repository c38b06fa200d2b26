import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { DemoLocation, DemoPlant } from '#core';
import type { DemoModel, DemoModelFile, ModelDemo } from '#plugins/model-3d';
import {
  enabledPlugin,
  FileStore,
  Jobs,
  LocationStore,
  type Caller,
  type ReceivedUpload,
  type ServerContext,
} from '#core/server';
import { describeOnDatabases, startTestServer, withLostCommits, type TestServer } from '#core/testing/server';
import { SiteSurfaces } from '#plugins/tour';
import { tour, tourManifest } from '#plugins/tour/testing/server';
import { DatabaseUnavailableError } from '../../../core/server/kernel/database-error.ts';
import {
  listManagedModels,
  listModels,
  listObjects,
  placeModel,
  deleteModel,
  getViewerToken,
  type Model,
} from '../contract/api.ts';
import manifest from '../plugin.ts';
import model3d from './index.ts';
import { modelSchema, type ModelTables } from './tables.ts';
import { receiveModel } from './commands/receive-model.ts';
import { buildBoxesGlb } from '../testing/server/box-model.ts';
import { buildZip } from '#core/testing/server';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'walkdown-model-'));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

const buildLocation = (
  uid: string,
  parent: string | null,
  locationType: DemoLocation['locationType'],
): DemoLocation => ({
  uid,
  name: uid,
  label: uid,
  parent,
  root: 'site',
  locationType,
});
const demoSite: Pick<DemoPlant, 'locations'> = {
  locations: [
    buildLocation('site', null, 'PRIMARY_LOCATION'),
    buildLocation('unit', 'site', 'PLATFORM_UNIT'),
    buildLocation('deck', 'unit', 'LOC_LEVEL'),
    buildLocation('other', 'site', 'PLATFORM_UNIT'),
  ],
};

describeOnDatabases('the model endpoints', (kind) => {
  let server: TestServer;
  let admin: string;
  let viewer: string;

  beforeAll(async () => {
    server = await startTestServer({
      database: kind,
      plugins: [enabledPlugin(tourManifest, {}, tour), enabledPlugin(manifest, { engine: 'builtin' }, model3d)],
    });
    await server.service(LocationStore).upsert(demoSite.locations);
    admin = await server.signIn({ flags: ['threeDimensionalAccess', 'configure'] });
    viewer = await server.signIn({ flags: ['threeDimensionalAccess'] });
  });
  afterAll(() => server.close());

  const upload = async (
    location: string,
    file: Uint8Array,
    fields: Readonly<Record<string, string>>,
    token: string,
  ) => {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    form.append('file', new Blob([new Uint8Array(file)]), 'plant.glb');
    return fetch(`${await server.url()}/api/model-3d/${location}/models`, {
      method: 'POST',
      body: form,
      headers: { authorization: `Bearer ${token}` },
    });
  };
  const importModel = async (
    location: string,
    content: Uint8Array,
    fields: Readonly<Record<string, string>>,
  ): Promise<{ readonly model: string; readonly result: string | undefined; readonly message: string | undefined }> => {
    const response = await upload(location, content, fields, admin);
    expect(response.status).toBe(201);
    const { model, job } = (await response.json()) as { readonly model: string; readonly job: string };
    const finishedJob = await server.service(Jobs).waitForCompletion(job);
    return { model, result: finishedJob.result ?? undefined, message: finishedJob.message ?? undefined };
  };
  const models = async (location: string, token = viewer): Promise<readonly Model[]> =>
    (await server.call(listModels, { params: { location }, token })).body;
  const fetchFile = (address: string, token: string) =>
    server.app.inject({ url: address, headers: { authorization: `Bearer ${token}` } });

  it('[TOUR-13] shows an imported model at its location and at the locations above and below', async () => {
    const { model, result, message } = await importModel('unit', await buildBoxesGlb(5), {
      name: 'Boxes',
      pose: JSON.stringify({ position: [10, 20, 1], heading: 90, scale: 1 }),
    });
    expect(result).toBe('SUCCESS');
    expect(message).toContain('5 objects, 5 with tags');
    for (const location of ['site', 'unit', 'deck'])
      expect((await models(location)).map(({ uid }) => uid)).toEqual([model]);
    expect(await models('other')).toEqual([]);
    const [row] = await models('unit');
    expect(row).toMatchObject({
      name: 'Boxes',
      version: 1,
      state: 'READY',
      objects: 5,
      pose: { position: [10, 20, 1], heading: 90, scale: 1 },
      report: { source: 'GLB', meshesAfter: 1 },
    });
    const file = await fetchFile(row!.address!, viewer);
    expect(file.statusCode).toBe(200);
    expect(file.rawPayload.toString('latin1', 0, 4)).toBe('glTF');
    await server.call(deleteModel, { params: { location: 'unit', model }, token: admin });
    expect(await models('unit')).toEqual([]);
    expect((await fetchFile(row!.address!, viewer)).statusCode).toBe(404);
  });

  it('[TOUR-13] imports 3D Tiles from a ZIP file', async () => {
    const tileset = JSON.stringify({
      asset: { version: '1.1' },
      geometricError: 9,
      root: { boundingVolume: { sphere: [0, 0, 0, 9] }, geometricError: 1, refine: 'ADD', content: { uri: 'a.glb' } },
    });
    const zip = buildZip({
      'tileset.json': tileset,
      'a.glb': await buildBoxesGlb(2),
    });
    const { model, result } = await importModel('unit', zip, { name: 'Tiled' });
    expect(result).toBe('SUCCESS');
    const [row] = await models('deck');
    expect(row).toMatchObject({
      uid: model,
      tiles: 1,
      objects: 2,
      address: expect.stringMatching(/tileset\.json$/) as string,
      report: { source: 'TILES', tagged: 2 },
    });
    const toFileAddress = (name: string): string => row!.address!.replace('tileset.json', name);
    for (const name of ['tileset.json', 'objects.json.gz', 'tiles/0.glb.gz'])
      expect((await fetchFile(toFileAddress(name), viewer)).statusCode, name).toBe(200);
    const tokenElsewhere = await server.signIn({ flags: ['threeDimensionalAccess'], locations: ['other'] });
    expect((await fetchFile(toFileAddress('tiles/0.glb.gz'), tokenElsewhere)).statusCode).toBe(403);
    const { body } = await server.call(listObjects, { params: { location: 'unit' }, query: {}, token: admin });
    expect(body.objects.map(({ key, name, tag }) => [key, name, tag])).toEqual([
      ['V-1', 'Box 1', 'V-1'],
      ['V-2', 'Box 2', 'V-2'],
    ]);
    await server.call(deleteModel, { params: { location: 'unit', model }, token: admin });
    expect((await fetchFile(toFileAddress('tiles/0.glb.gz'), viewer)).statusCode).toBe(404);
  });

  it('[TOUR-13] keeps the previous version if the next one cannot be read', async () => {
    const { model } = await importModel('unit', await buildBoxesGlb(2), { name: 'Skid' });
    const failedImport = await importModel('unit', Buffer.from('no model at all'), { model });
    expect(failedImport).toMatchObject({ model, result: 'FAILED' });
    const [row] = await models('unit');
    expect(row).toMatchObject({
      version: 1,
      state: 'READY',
      objects: 2,
      message: expect.stringContaining('not a readable model') as string,
      refusal: { message: 'model-3d.refused.notModel' },
    });
    // Ranges that were computed from the model are dropped with each change of its surfaces.
    const dropRanges = vi.spyOn(server.service(SiteSurfaces), 'dropRanges');
    const secondImport = await importModel('unit', await buildBoxesGlb(3), { model });
    expect(dropRanges.mock.calls.map(([location]) => location)).toEqual(['unit']);
    expect(secondImport.result).toBe('SUCCESS');
    expect((await models('unit'))[0]).toMatchObject({ version: 2, objects: 3, message: null, refusal: null });
    expect((await fetchFile(row!.address!, viewer)).statusCode).toBe(404);
    const placedModel = await server.call(placeModel, {
      params: { location: 'unit', model },
      body: { name: 'Skid A', pose: { position: [1, 2, 3], heading: -90, scale: 0.001 } },
      token: admin,
    });
    expect(placedModel.body).toMatchObject({
      name: 'Skid A',
      pose: { position: [1, 2, 3], heading: -90, scale: 0.001 },
    });
    expect(dropRanges).toHaveBeenCalledTimes(2);
    const { pose } = placedModel.body;
    await server.call(placeModel, {
      params: { location: 'unit', model },
      body: { name: 'Skid B', pose },
      token: admin,
    });
    expect(dropRanges).toHaveBeenCalledTimes(2);
    await server.call(deleteModel, { params: { location: 'unit', model }, token: admin });
    expect(dropRanges).toHaveBeenCalledTimes(3);
    dropRanges.mockRestore();
  });

  it('keeps the uploaded file if the connection is lost while its job is saved', async () => {
    const { registrar, database } = server.server;
    const files = registrar.services.find(FileStore, 'model-3d');
    const jobs = registrar.services.find(Jobs, 'model-3d');
    const file = path.join(folder, 'lost.glb');
    fs.writeFileSync(file, await buildBoxesGlb(2));
    const receivedUpload: ReceivedUpload = {
      files: [
        {
          field: 'file',
          name: 'lost.glb',
          mediaType: 'model/gltf-binary',
          bytes: fs.statSync(file).size,
          path: file,
          stream: () => fs.createReadStream(file),
        },
      ],
      fields: { name: 'Lost' },
    };
    const tables = withLostCommits(database.of<ModelTables>(modelSchema));
    const context = { tables, files, jobs } as unknown as ServerContext<ModelTables>;
    const caller = { uid: 'someone' } as Caller;
    await expect(receiveModel(context, caller, 'unit', receivedUpload)).rejects.toThrow(DatabaseUnavailableError);
    await jobs.notifyRunners();
    await expect.poll(() => models('unit')).toMatchObject([{ name: 'Lost', state: 'READY', objects: 2 }]);
    const [{ uid } = { uid: '' }] = await models('unit');
    await server.call(deleteModel, { params: { location: 'unit', model: uid }, token: admin });
  });

  it('[IMP-09] keeps the previous version and its placement if the next one fails', async () => {
    const pose = { position: [10, 20, 1], heading: 90, scale: 1 } as const;
    const nextPose = { position: [-5, 0, 0], heading: 0, scale: 1000 } as const;
    const { model } = await importModel('unit', await buildBoxesGlb(2), { name: 'Pump', pose: JSON.stringify(pose) });
    const readUnaffectedFields = async () => {
      const [{ state: _state, message: _message, refusal: _refusal, ...row } = { state: undefined }] =
        await models('unit');
      return row;
    };
    const previous = await readUnaffectedFields();
    expect(previous).toMatchObject({ version: 1, pose });
    const damagedFile = Buffer.from('no model at all');
    expect((await importModel('unit', damagedFile, { model, pose: JSON.stringify(nextPose) })).result).toBe('FAILED');
    expect(await readUnaffectedFields()).toEqual(previous);
    expect((await upload('other', damagedFile, { model, pose: JSON.stringify(nextPose) }, admin)).status).toBe(404);
    expect((await upload('unit', damagedFile, { model, pose: '{"position":[1]}' }, admin)).status).toBe(400);
    expect(await models('unit')).toMatchObject([{ state: 'READY', message: expect.any(String) as string, pose }]);
    expect((await importModel('unit', await buildBoxesGlb(3), { model, pose: JSON.stringify(nextPose) })).result).toBe(
      'SUCCESS',
    );
    expect(await readUnaffectedFields()).toMatchObject({ version: 2, objects: 3, pose: nextPose });
    await server.call(deleteModel, { params: { location: 'unit', model }, token: admin });
  });

  it('[TOUR-13] shows an admin that an import failed', async () => {
    const failedImport = await importModel('unit', Buffer.from('no model at all'), { name: 'Bad' });
    const listManaged = async (token = admin) =>
      server.call(listManagedModels, { params: { location: 'site' }, token });
    expect((await listManaged()).body).toMatchObject([
      {
        uid: failedImport.model,
        state: 'FAILED',
        version: 0,
        job: null,
        message: expect.stringContaining('not a readable model') as string,
        refusal: { message: 'model-3d.refused.notModel' },
      },
    ]);
    expect((await listManaged(viewer)).status).toBe(403);
    await server.call(deleteModel, { params: { location: 'unit', model: failedImport.model }, token: admin });
  });

  it('[ACC-04] refuses access without the location or the flag', async () => {
    const { model } = await importModel('unit', await buildBoxesGlb(1), { name: 'Hidden' });
    const tokenElsewhere = await server.signIn({
      flags: ['threeDimensionalAccess', 'configure'],
      locations: ['other'],
    });
    expect((await server.call(listModels, { params: { location: 'unit' }, token: tokenElsewhere })).status).toBe(403);
    expect(
      (
        await server.call(placeModel, {
          params: { location: 'other', model },
          body: { name: 'Mine', pose: { position: [0, 0, 0], heading: 0, scale: 1 } },
          token: tokenElsewhere,
        })
      ).status,
    ).toBe(404);
    const withoutFlag = await server.signIn({ flags: ['vrAccess'] });
    expect((await server.call(listModels, { params: { location: 'unit' }, token: withoutFlag })).status).toBe(403);
    expect((await upload('unit', new Uint8Array(4), { name: 'x' }, viewer)).status).toBe(403);
    expect((await upload('unit', new Uint8Array(4), { name: 'x', pose: '{"position":[1]}' }, admin)).status).toBe(400);
    expect((await server.call(getViewerToken, { params: { location: 'unit' }, token: viewer })).status).toBe(404);
    await server.call(deleteModel, { params: { location: 'unit', model }, token: admin });
  });

  it('[TOUR-13] seeds the demo model once', async () => {
    const glb = path.join(folder, 'demo.glb');
    fs.writeFileSync(glb, await buildBoxesGlb(3));
    let callCount = 0;
    const model: DemoModel = {
      code: 'DEMO',
      name: 'Plant',
      location: 'site',
      make: (): Promise<DemoModelFile> =>
        Promise.resolve<DemoModelFile>({
          file: { path: glb, name: 'plant.glb', mediaType: 'model/gltf-binary', bytes: fs.statSync(glb).size },
          bounds: { min: [0, 0, 0], max: [9, 9, 9] },
          report: { objects: 3, tagged: 3, triangles: 36, meshes: 3 },
        }).finally(() => callCount++),
    };
    const plant: DemoPlant & ModelDemo = {
      name: 'Plant',
      ...demoSite,
      models: [model],
      loginBackgrounds: [],
    };
    await server.server.seed(plant);
    await server.server.seed(plant);
    expect(callCount).toBe(1);
    expect((await models('unit')).map(({ name, location, version }) => [name, location, version])).toEqual([
      ['Plant', 'site', 1],
    ]);
    const { body } = await server.call(listObjects, { params: { location: 'unit' }, query: {}, token: admin });
    expect(body.objects.map(({ key }) => key)).toEqual(['Box 1', 'Box 2', 'Box 3']);
  });
});
