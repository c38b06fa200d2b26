import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { Document, NodeIO } from '@gltf-transform/core';
import { ALL_EXTENSIONS, KHRDracoMeshCompression } from '@gltf-transform/extensions';
import draco3d from 'draco3dgltf';
import { MeshoptDecoder } from 'meshoptimizer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DemoLocation, DemoModel, DemoModelFile, DemoPlant } from '#core';
import {
  enabledPlugin,
  FileStore,
  Jobs,
  LocationStore,
  type Caller,
  type ReceivedUpload,
  type ServerContext,
} from '#core/server';
import { itWithSampleData } from '#core/testing/sample-data';
import { describeOnDatabases, startTestServer, withLostCommits, type TestServer } from '#core/testing/server';
import { DatabaseAwayError } from '../../../core/server/database/database-error.ts';
import tourManifest from '../../tour/plugin.ts';
import tour from '../../tour/server/index.ts';
import { buildTagRow, buildTourRow, insertTourRows } from '../../tour/server/testing/tour-rows.ts';
import type { TourTables } from '../../tour/server/tables.ts';
import {
  listManagedModels,
  listMappings,
  listModels,
  listObjects,
  mapObject,
  placeModel,
  removeModel,
  unmapObject,
  viewerToken,
  type Model,
} from '../contract/api.ts';
import manifest from '../plugin.ts';
import model3d from './index.ts';
import { convertModel } from './jobs/convert-model.ts';
import { receiveModel } from './receive-model.ts';
import { zipOf } from './testing/zip-of.ts';
import { ViewerTokens } from './viewer-tokens.ts';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'walkdown-model-'));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

/**
 * A row of equal boxes, each with a tag of its own, each with its own copy of the shape, as plant designers export
 * them.
 */
function boxes(count: number): Document {
  const document = new Document();
  const buffer = document.createBuffer();
  const scene = document.createScene();
  const material = document.createMaterial('grey').setBaseColorFactor([0.5, 0.5, 0.5, 1]);
  const corners = new Float32Array([0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1]);
  const faces = new Uint16Array([
    0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7, 0, 1, 5, 0, 5, 4, 2, 3, 7, 2, 7, 6, 0, 4, 7, 0, 7, 3, 1, 2, 6, 1, 6, 5,
  ]);
  for (let index = 0; index < count; index++) {
    const accessor = (type: 'VEC3' | 'SCALAR', array: Float32Array<ArrayBuffer> | Uint16Array<ArrayBuffer>) =>
      document.createAccessor().setType(type).setArray(array.slice()).setBuffer(buffer);
    const primitive = document
      .createPrimitive()
      .setMaterial(material)
      .setIndices(accessor('SCALAR', faces))
      .setAttribute('POSITION', accessor('VEC3', corners))
      .setAttribute('NORMAL', accessor('VEC3', corners));
    const mesh = document
      .createMesh()
      .addPrimitive(primitive)
      .setExtras({ tag: `V-${index + 1}` });
    scene.addChild(
      document
        .createNode(`Box ${index + 1}`)
        .setMesh(mesh)
        .setTranslation([index * 2, 0, -3]),
    );
  }
  return document;
}

const io = async (): Promise<NodeIO> =>
  new NodeIO().registerExtensions(ALL_EXTENSIONS).registerDependencies({
    'meshopt.decoder': MeshoptDecoder,
    'draco3d.decoder': await draco3d.createDecoderModule(),
    'draco3d.encoder': await draco3d.createEncoderModule(),
  });

async function fileOf(name: string, content: Document | string | Uint8Array): Promise<string> {
  const file = path.join(folder, name);
  fs.writeFileSync(file, content instanceof Document ? await (await io()).writeBinary(content) : content);
  return file;
}

describe('conversion of a model', () => {
  const output = path.join(folder, 'out.glb');

  it('[TOUR-13] shares equal shapes, compresses, and keeps every tag', async () => {
    const { report, bounds } = await convertModel(await fileOf('boxes.glb', boxes(200)), output);
    expect(report).toMatchObject({
      source: 'GLB',
      objects: 200,
      tagged: 200,
      triangles: 2400,
      meshesBefore: 200,
      meshesAfter: 1,
      notes: [],
    });
    expect(report.bytesAfter).toBeLessThan(report.bytesBefore * 0.5);
    expect(bounds.min.map((value) => Math.round(value * 1000) / 1000)).toEqual([0, 2, 0]);
    expect(bounds.max.map((value) => Math.round(value * 1000) / 1000)).toEqual([399, 3, 1]);
    const read = await (await io()).readBinary(new Uint8Array(fs.readFileSync(output)));
    const tags = read
      .getRoot()
      .listNodes()
      .flatMap((node) => node.getExtras()['tag'] ?? []);
    expect(new Set(tags).size).toBe(200);
    expect(
      read
        .getRoot()
        .listNodes()
        .every((node) => !node.getMesh() || node.getExtras()['object'] !== undefined),
    ).toBe(true);
  });

  it('[TOUR-13] reads Draco, so that no browser needs its decoder', async () => {
    const document = boxes(3);
    document.createExtension(KHRDracoMeshCompression).setRequired(true);
    const { report } = await convertModel(await fileOf('draco.glb', document), output);
    expect(report).toMatchObject({ objects: 3, triangles: 36 });
    expect(fs.readFileSync(output, 'latin1')).not.toContain('KHR_draco_mesh_compression');
  });

  it('[TOUR-13] says what it left out', async () => {
    const document = boxes(2);
    const [first, second] = document.getRoot().listMeshes();
    second!.setExtras({ tag: 'V-1' });
    first!.listPrimitives()[0]!.clone().setMode(1);
    const line = document
      .createPrimitive()
      .setMode(1)
      .setAttribute('POSITION', first!.listPrimitives()[0]!.getAttribute('POSITION')!);
    first!.addPrimitive(line);
    document.createAnimation('turning');
    const { report } = await convertModel(await fileOf('odd.glb', document), output);
    expect(report.notes).toEqual([
      { code: 'animationsDropped', count: 1 },
      { code: 'linesDropped', count: 1 },
      { code: 'tagsRepeated', count: 1 },
    ]);
  });

  it.each([
    ['a cut file', async () => fs.readFileSync(await fileOf('whole.glb', boxes(4))).subarray(0, 900), /cut short/],
    [
      'glTF with files beside it',
      async () => JSON.stringify({ asset: { version: '2.0' }, buffers: [{ uri: 'plant.bin', byteLength: 4 }] }),
      /plant\.bin.*GLB/,
    ],
    ['glTF 1', async () => JSON.stringify({ asset: { version: '1.0' } }), /version 2/],
    ['a picture', async () => Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3, 4]), /no model that can be read/],
    [
      'a model without surfaces',
      async () => JSON.stringify({ asset: { version: '2.0' }, scenes: [{}], scene: 0 }),
      /no surface/,
    ],
    [
      'more than fits',
      async () =>
        JSON.stringify({ asset: { version: '2.0' }, accessors: [{ count: 4e9, type: 'VEC3', componentType: 5126 }] }),
      /too large/,
    ],
    ['a broken IFC', async () => 'ISO-10303-21;\nHEADER;\nENDSEC;\n', /IFC file is cut short: its end is missing/],
  ])('[TOUR-13] refuses %s in words', async (_, content, words) => {
    await expect(convertModel(await fileOf('bad', await content()), output)).rejects.toThrow(words);
  });

  itWithSampleData(
    '[TOUR-13] reads real models: a tanker in glTF, houses and samples in IFC',
    [
      'model3d/gltf/3d_industrial_tanker.glb',
      'model3d/ifc/IfcOpenHouse_IFC4.ifc',
      'model3d/ifc/Sample_entities.ifc',
      'model3d/3dtiles/1.1/MetadataGranularities/house-3-0.glb',
    ],
    async (files) => {
      const reports = [];
      for (const file of files) reports.push((await convertModel(file, output)).report);
      expect(reports.map((report) => report.source)).toEqual(['GLB', 'IFC', 'IFC', 'GLB']);
      for (const report of reports) expect(report.triangles).toBeGreaterThan(0);
      expect(reports[1]!.objects).toBeGreaterThan(5);
    },
  );

  itWithSampleData('[TOUR-13] opens each real model, or refuses it with a reason', ['model3d'], async ([data]) => {
    const models = fs
      .readdirSync(data, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(glb|gltf|ifc|b3dm|pnts)$/.test(file))
      .sort();
    const refused: Record<string, string> = {};
    for (const file of models) {
      try {
        expect((await convertModel(path.join(data, file), output)).report.triangles, file).toBeGreaterThan(0);
      } catch (error) {
        refused[file] = error instanceof Error ? error.message : String(error);
      }
    }
    expect(models.length).toBeGreaterThan(20);
    expect(Object.keys(refused).filter((file) => !/\.(b3dm|pnts)$/.test(file))).toEqual([]);
    for (const words of Object.values(refused))
      expect(words).toBe(
        'This is no model that can be read here. Please choose a GLB, a self-contained glTF, an IFC file, or 3D ' +
          'Tiles in a ZIP file.',
      );
  });
});

describe('token of the external viewer', () => {
  const answerWith = async (status: number, body: unknown, headers: Record<string, string> = {}) => {
    const asked: { readonly authorization: string | undefined; readonly body: string }[] = [];
    const server = http.createServer((request, response) => {
      let text = '';
      request.on('data', (chunk: Buffer) => (text += chunk.toString()));
      request.on('end', () => {
        asked.push({ authorization: request.headers.authorization, body: text });
        response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return {
      asked,
      address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/token`,
      close: () => new Promise((resolve) => server.close(resolve)),
    };
  };

  it(
    '[TOUR-13] is fetched with the client of the server, for reading alone, once until shortly before ' + 'its end',
    async () => {
      const service = await answerWith(200, { access_token: 'abc', expires_in: 3600, token_type: 'Bearer' });
      let now = 0;
      const tokens = new ViewerTokens({ token: service.address, client: 'me', secret: 'hush' }, () => now);
      expect(await Promise.all([tokens.token(), tokens.token()])).toEqual([
        { token: 'abc', expiresInSeconds: 3600 },
        { token: 'abc', expiresInSeconds: 3600 },
      ]);
      now = 1_000_000;
      expect(await tokens.token()).toEqual({ token: 'abc', expiresInSeconds: 2600 });
      expect(service.asked).toEqual([
        {
          authorization: `Basic ${Buffer.from('me:hush').toString('base64')}`,
          body: 'grant_type=client_credentials&scope=viewables%3Aread',
        },
      ]);
      now = 3_500_000;
      await tokens.token();
      expect(service.asked).toHaveLength(2);
      await service.close();
    },
  );

  it('follows no redirect with the secret', async () => {
    const elsewhere = await answerWith(200, { access_token: 'abc' });
    const service = await answerWith(307, {}, { location: elsewhere.address });
    await expect(new ViewerTokens({ token: service.address, client: 'me', secret: 'hush' }).token()).rejects.toThrow(
      /gave no token/,
    );
    expect([service.asked.length, elsewhere.asked]).toEqual([1, []]);
    await Promise.all([service.close(), elsewhere.close()]);
  });

  it('[TOUR-13] fails in words: refused, away, no client', async () => {
    const refusing = await answerWith(401, {});
    await expect(new ViewerTokens({ token: refusing.address, client: 'me', secret: 'no' }).token()).rejects.toThrow(
      /refused the client/,
    );
    await refusing.close();
    await expect(new ViewerTokens({ token: refusing.address, client: 'me', secret: 'no' }).token()).rejects.toThrow(
      /could not be reached/,
    );
    await expect(
      new ViewerTokens({ token: refusing.address, client: undefined, secret: undefined }).token(),
    ).rejects.toThrow(/MODEL_VIEWER_CLIENT_ID/);
  });
});

const location = (uid: string, parent: string | null, locationType: DemoLocation['locationType']): DemoLocation => ({
  uid,
  name: uid,
  label: uid,
  parent,
  root: 'site',
  locationType,
});
const described: Pick<DemoPlant, 'locations'> = {
  locations: [
    location('site', null, 'PRIMARY_LOCATION'),
    location('unit', 'site', 'PLATFORM_UNIT'),
    location('deck', 'unit', 'LOC_LEVEL'),
    location('other', 'site', 'PLATFORM_UNIT'),
  ],
};

describeOnDatabases('models', (kind) => {
  let server: TestServer;
  let admin: string;
  let viewer: string;

  beforeAll(async () => {
    server = await startTestServer({
      database: kind,
      plugins: [enabledPlugin(tourManifest, {}, tour), enabledPlugin(manifest, { engine: 'builtin' }, model3d)],
    });
    await server.server.board.services.find(LocationStore, 'model-3d').upsert(described.locations);
    admin = await server.signIn({ flags: ['threeDimensionalAccess', 'configure'] });
    viewer = await server.signIn({ flags: ['threeDimensionalAccess'] });
  });
  afterAll(() => server.close());

  const upload = async (at: string, file: Uint8Array, fields: Readonly<Record<string, string>>, token: string) => {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    form.append('file', new Blob([new Uint8Array(file)]), 'plant.glb');
    return fetch(`${await server.url()}/api/model-3d/${at}/models`, {
      method: 'POST',
      body: form,
      headers: { authorization: `Bearer ${token}` },
    });
  };
  const imported = async (
    at: string,
    content: Document | Uint8Array,
    fields: Readonly<Record<string, string>>,
  ): Promise<{ readonly model: string; readonly result: string | undefined; readonly message: string | undefined }> => {
    const bytes = content instanceof Document ? await (await io()).writeBinary(content) : content;
    const answer = await upload(at, bytes, fields, admin);
    expect(answer.status).toBe(201);
    const { model, job } = (await answer.json()) as { readonly model: string; readonly job: string };
    const done = await server.server.board.services.find(Jobs, 'model-3d').finished(job);
    return { model, result: done.result ?? undefined, message: done.message ?? undefined };
  };
  const models = async (at: string, token = viewer): Promise<readonly Model[]> =>
    (await server.call(listModels, { params: { location: at }, token })).body;
  const fetched = (address: string, token: string) =>
    server.app.inject({ url: address, headers: { authorization: `Bearer ${token}` } });

  it('[TOUR-13] takes an upload, imports it, and shows it at its location, above and below', async () => {
    const { model, result, message } = await imported('unit', boxes(5), {
      name: 'Boxes',
      pose: JSON.stringify({ position: [10, 20, 1], heading: 90, scale: 1 }),
    });
    expect(result).toBe('SUCCESS');
    expect(message).toContain('5 objects, 5 with tags');
    for (const at of ['site', 'unit', 'deck']) expect((await models(at)).map((each) => each.id)).toEqual([model]);
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
    const file = await fetched(row!.address!, viewer);
    expect(file.statusCode).toBe(200);
    expect(file.rawPayload.toString('latin1', 0, 4)).toBe('glTF');
    await server.call(removeModel, { params: { location: 'unit', model }, token: admin });
    expect(await models('unit')).toEqual([]);
    expect((await fetched(row!.address!, viewer)).statusCode).toBe(404);
  });

  it(
    '[TOUR-13] takes 3D Tiles in a ZIP file, serves their tiles to those who reach the location, and lists their ' +
      'objects',
    async () => {
      const tileset = JSON.stringify({
        asset: { version: '1.1' },
        geometricError: 9,
        root: { boundingVolume: { sphere: [0, 0, 0, 9] }, geometricError: 1, refine: 'ADD', content: { uri: 'a.glb' } },
      });
      const zip = zipOf({ 'tileset.json': tileset, 'a.glb': fs.readFileSync(await fileOf('tile.glb', boxes(2))) });
      const { model, result } = await imported('unit', zip, { name: 'Tiled' });
      expect(result).toBe('SUCCESS');
      const [row] = await models('deck');
      expect(row).toMatchObject({
        id: model,
        tiles: 1,
        objects: 2,
        address: expect.stringMatching(/tileset\.json$/) as string,
        report: { source: 'TILES', tagged: 2 },
      });
      const beside = (name: string): string => row!.address!.replace('tileset.json', name);
      for (const name of ['tileset.json', 'objects.json.gz', 'tiles/0.glb.gz'])
        expect((await fetched(beside(name), viewer)).statusCode, name).toBe(200);
      const other = await server.signIn({ flags: ['threeDimensionalAccess'], locations: ['other'] });
      expect((await fetched(beside('tiles/0.glb.gz'), other)).statusCode).toBe(403);
      const { body } = await server.call(listObjects, { params: { location: 'unit' }, query: {}, token: admin });
      expect(body.objects.map(({ key, name, tag }) => [key, name, tag])).toEqual([
        ['V-1', 'Box 1', 'V-1'],
        ['V-2', 'Box 2', 'V-2'],
      ]);
      await server.call(removeModel, { params: { location: 'unit', model }, token: admin });
      expect((await fetched(beside('tiles/0.glb.gz'), viewer)).statusCode).toBe(404);
    },
  );

  it('[TOUR-13] keeps the version before where the next one cannot be read, and says why', async () => {
    const { model } = await imported('unit', boxes(2), { name: 'Skid' });
    const bad = await imported('unit', Buffer.from('no model at all'), { model });
    expect(bad).toMatchObject({ model, result: 'FAILED' });
    const [row] = await models('unit');
    expect(row).toMatchObject({
      version: 1,
      state: 'READY',
      objects: 2,
      message: expect.stringContaining('no model that can be read') as string,
      refusal: { message: 'model-3d.refused.notModel' },
    });
    const better = await imported('unit', boxes(3), { model });
    expect(better.result).toBe('SUCCESS');
    expect((await models('unit'))[0]).toMatchObject({ version: 2, objects: 3, message: null, refusal: null });
    expect((await fetched(row!.address!, viewer)).statusCode).toBe(404);
    const moved = await server.call(placeModel, {
      params: { location: 'unit', model },
      body: { name: 'Skid A', pose: { position: [1, 2, 3], heading: -90, scale: 0.001 } },
      token: admin,
    });
    expect(moved.body).toMatchObject({ name: 'Skid A', pose: { position: [1, 2, 3], heading: -90, scale: 0.001 } });
    await server.call(removeModel, { params: { location: 'unit', model }, token: admin });
  });

  it('keeps an upload where the database was lost and may have saved its job', async () => {
    const { board, database } = server.server;
    const files = board.services.find(FileStore, 'model-3d');
    const jobs = board.services.find(Jobs, 'model-3d');
    const file = path.join(folder, 'lost.glb');
    fs.writeFileSync(file, await (await io()).writeBinary(boxes(2)));
    const upload: ReceivedUpload = {
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
    const context = { database: withLostCommits(database), files, jobs } as unknown as ServerContext;
    const caller = { uid: 'someone' } as Caller;
    await expect(receiveModel(context, caller, 'unit', upload)).rejects.toThrow(DatabaseAwayError);
    await jobs.look();
    await expect.poll(() => models('unit')).toMatchObject([{ name: 'Lost', state: 'READY', objects: 2 }]);
    const [{ id } = { id: '' }] = await models('unit');
    await server.call(removeModel, { params: { location: 'unit', model: id }, token: admin });
  });

  it('[IMP-09] changes nothing of what is shown where the next version fails, its pose neither', async () => {
    const pose = { position: [10, 20, 1], heading: 90, scale: 1 } as const;
    const next = { position: [-5, 0, 0], heading: 0, scale: 1000 } as const;
    const { model } = await imported('unit', boxes(2), { name: 'Pump', pose: JSON.stringify(pose) });
    const shown = async () => {
      const [{ state: _state, message: _message, refusal: _refusal, ...row } = { state: undefined }] =
        await models('unit');
      return row;
    };
    const before = await shown();
    expect(before).toMatchObject({ version: 1, pose });
    const damaged = Buffer.from('no model at all');
    expect((await imported('unit', damaged, { model, pose: JSON.stringify(next) })).result).toBe('FAILED');
    expect(await shown()).toEqual(before);
    expect((await upload('other', damaged, { model, pose: JSON.stringify(next) }, admin)).status).toBe(404);
    expect((await upload('unit', damaged, { model, pose: '{"position":[1]}' }, admin)).status).toBe(400);
    expect(await models('unit')).toMatchObject([{ state: 'READY', message: expect.any(String) as string, pose }]);
    expect((await imported('unit', boxes(3), { model, pose: JSON.stringify(next) })).result).toBe('SUCCESS');
    expect(await shown()).toMatchObject({ version: 2, objects: 3, pose: next });
    await server.call(removeModel, { params: { location: 'unit', model }, token: admin });
  });

  it('[TOUR-19] ties objects to tags and nodes, over what the file says, and lets go again', async () => {
    const { model } = await imported('unit', boxes(2), { name: 'Mapped' });
    const at = { params: { location: 'unit', model }, token: admin } as const;
    await server.call(mapObject, { ...at, body: { object: 'V-1', kind: 'TAG', value: 'PT-1001' } });
    await server.call(mapObject, { ...at, body: { object: 'V-1', kind: 'TAG', value: 'PT-1002' } });
    await server.call(mapObject, { ...at, body: { object: 'V-2', kind: 'NODE', value: 'HB-P03' } });
    const list = async () => (await server.call(listMappings, { params: { location: 'deck' }, token: viewer })).body;
    expect(await list()).toEqual([
      { model, object: 'V-1', kind: 'TAG', value: 'PT-1002' },
      { model, object: 'V-2', kind: 'NODE', value: 'HB-P03' },
    ]);
    await server.call(unmapObject, { ...at, query: { object: 'V-1', kind: 'TAG' } });
    expect((await list()).map((row) => row.object)).toEqual(['V-2']);
    expect(
      (await server.call(mapObject, { ...at, token: viewer, body: { object: 'V-1', kind: 'TAG', value: 'X' } })).status,
    ).toBe(403);
    await server.call(removeModel, { ...at });
    expect(await list()).toEqual([]);
  });

  it('[TOUR-19] lists objects against the tags of the tour, in pages, by state and by words', async () => {
    const { model } = await imported('deck', boxes(250), { name: 'Listed' });
    const tie = (object: string, kind: 'TAG' | 'NODE', value: string) =>
      server.call(mapObject, { params: { location: 'deck', model }, token: admin, body: { object, kind, value } });
    await tie('V-7', 'TAG', 'P-2');
    await tie('V-8', 'TAG', '');
    await tie('V-9', 'NODE', 'HB-P03');
    await insertTourRows(server.server.database, {
      tours: [buildTourRow('T')],
      tags: ['P-2', 'V-1', 'V-999'].map((number) => buildTagRow(number, { location: 'unit' })),
    });
    const list = async (query: object = {}, token = admin) =>
      (await server.call(listObjects, { params: { location: 'unit' }, query, token })).body;
    const all = await list();
    expect(all).toMatchObject({
      total: 250,
      counts: { ALL: 250, TIED: 249, UNTIED: 1, BY_HAND: 3, UNKNOWN_TAG: 247, TAG_WITHOUT_OBJECT: 1 },
    });
    expect(all.objects).toHaveLength(100);
    expect((await list({ offset: 200, limit: 200 })).objects).toHaveLength(50);
    expect((await list({ text: 'v-1' })).objects.find(({ key }) => key === 'V-1')).toMatchObject({
      model,
      tag: 'V-1',
      mappedTag: null,
      mappedNode: null,
      known: true,
    });
    expect(
      (await list({ state: 'BY_HAND' })).objects.map(({ key, mappedTag, mappedNode, known }) => [
        key,
        mappedTag,
        mappedNode,
        known,
      ]),
    ).toEqual([
      ['V-7', 'P-2', null, true],
      ['V-8', '', null, null],
      ['V-9', null, 'HB-P03', false],
    ]);
    expect((await list({ state: 'UNTIED' })).objects.map(({ key }) => key)).toEqual(['V-8']);
    expect(await list({ state: 'TAG_WITHOUT_OBJECT' })).toMatchObject({ total: 1, objects: [], tags: ['V-999'] });
    expect((await server.call(listObjects, { params: { location: 'unit' }, query: {}, token: viewer })).status).toBe(
      403,
    );
    const tables = server.server.database.of<TourTables>('tour');
    await tables.deleteFrom('tag').execute();
    await tables.deleteFrom('tour').execute();
    await tables.deleteFrom('code').execute();
    await server.call(removeModel, { params: { location: 'deck', model }, token: admin });
    expect(await list()).toMatchObject({ total: 0, objects: [] });
  });

  it('[TOUR-13] tells an admin how far an import is, and that it failed', async () => {
    const bad = await imported('unit', Buffer.from('no model at all'), { name: 'Bad' });
    const managed = async (token = admin) => server.call(listManagedModels, { params: { location: 'site' }, token });
    expect((await managed()).body).toMatchObject([
      {
        id: bad.model,
        state: 'FAILED',
        version: 0,
        job: null,
        message: expect.stringContaining('no model that can be read') as string,
        refusal: { message: 'model-3d.refused.notModel' },
      },
    ]);
    expect((await managed(viewer)).status).toBe(403);
    await server.call(removeModel, { params: { location: 'unit', model: bad.model }, token: admin });
  });

  it('[ACC-04] shows nothing of a location that is not reached, and nothing without the flag', async () => {
    const { model } = await imported('unit', boxes(1), { name: 'Hidden' });
    const other = await server.signIn({ flags: ['threeDimensionalAccess', 'configure'], locations: ['other'] });
    expect((await server.call(listModels, { params: { location: 'unit' }, token: other })).status).toBe(403);
    expect(
      (
        await server.call(placeModel, {
          params: { location: 'other', model },
          body: { name: 'Mine', pose: { position: [0, 0, 0], heading: 0, scale: 1 } },
          token: other,
        })
      ).status,
    ).toBe(404);
    const without = await server.signIn({ flags: ['vrAccess'] });
    expect((await server.call(listModels, { params: { location: 'unit' }, token: without })).status).toBe(403);
    expect((await upload('unit', new Uint8Array(4), { name: 'x' }, viewer)).status).toBe(403);
    expect((await upload('unit', new Uint8Array(4), { name: 'x', pose: '{"position":[1]}' }, admin)).status).toBe(400);
    expect((await server.call(viewerToken, { params: { location: 'unit' }, token: viewer })).status).toBe(404);
    await server.call(removeModel, { params: { location: 'unit', model }, token: admin });
  });

  it('[TOUR-13] seeds the demo model once', async () => {
    const glb = await fileOf('demo.glb', boxes(3));
    let made = 0;
    const model: DemoModel = {
      code: 'DEMO',
      name: 'Plant',
      location: 'site',
      make: (): Promise<DemoModelFile> =>
        Promise.resolve<DemoModelFile>({
          file: { path: glb, name: 'plant.glb', mediaType: 'model/gltf-binary', bytes: fs.statSync(glb).size },
          bounds: { min: [0, 0, 0], max: [9, 9, 9] },
          report: { objects: 3, tagged: 3, triangles: 36, meshes: 3 },
        }).finally(() => made++),
    };
    const plant: DemoPlant = {
      name: 'Plant',
      ...described,
      decks: [],
      tours: [],
      nodes: [],
      links: [],
      tags: [],
      lines: [],
      models: [model],
      loginBackgrounds: [],
    };
    await server.server.seed(plant);
    await server.server.seed(plant);
    expect(made).toBe(1);
    expect((await models('unit')).map((each) => each.id)).toEqual(['DEMO']);
  });
});
