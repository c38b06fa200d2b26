import { afterAll, beforeAll, expect, it } from 'vitest';
import type { LocationRow } from '#core';
import { enabledPlugin, LocationStore } from '#core/server';
import { describeOnDatabases, startTestServer, type TestServer } from '#core/testing/server';
import { updateCode } from '#plugins/tour/api';
import {
  buildNodeRow,
  buildTagRow,
  buildTourRow,
  insertTourRows,
  tour,
  tourManifest,
} from '#plugins/tour/testing/server';
import { listMappings, listModels, listObjects, mapObject, unmapObject, type ModelMapping } from '../contract/api.ts';
import manifest from '../plugin.ts';
import model3d from './index.ts';
import { modelSchema, type ModelTables } from './tables.ts';
import { buildStoredObject, insertPublishedModels } from '../testing/server/model-rows.ts';

const buildLocation = (
  uid: string,
  parent: string | null,
  locationType: LocationRow['locationType'],
  root = 'site',
): LocationRow => ({ uid, name: uid, label: uid, parent, root, locationType });

describeOnDatabases('the mapping endpoints', (kind) => {
  let server: TestServer;
  let admin: string;
  let viewer: string;

  beforeAll(async () => {
    server = await startTestServer({
      database: kind,
      plugins: [enabledPlugin(tourManifest, {}, tour), enabledPlugin(manifest, { engine: 'builtin' }, model3d)],
    });
    await server
      .service(LocationStore)
      .upsert([
        buildLocation('site', null, 'PRIMARY_LOCATION'),
        buildLocation('unit', 'site', 'PLATFORM_UNIT'),
        buildLocation('deck', 'unit', 'LOC_LEVEL'),
        buildLocation('empty', 'site', 'PLATFORM_UNIT'),
        buildLocation('second', null, 'PRIMARY_LOCATION', 'second'),
        buildLocation('second-unit', 'second', 'PLATFORM_UNIT', 'second'),
      ]);
    const second = { site: 'second', location: 'second-unit' };
    await insertTourRows(server.database, {
      tours: [buildTourRow('T1'), buildTourRow('T1', { ...second, uid: 'second-tour' })],
      nodes: [
        buildNodeRow('N1', { location: 'unit' }),
        buildNodeRow('N1', { ...second, uid: 'second-N1', tour: 'second-tour' }),
      ],
      tags: ['V-1', 'V-2', 'V-9'].flatMap((number) => [
        buildTagRow(number, { location: 'unit' }),
        buildTagRow(number, { ...second, uid: `second-${number}` }),
      ]),
    });
    admin = await server.signIn({ flags: ['threeDimensionalAccess', 'configure'] });
    viewer = await server.signIn({ flags: ['threeDimensionalAccess'] });
  });
  afterAll(() => server.close());

  /** Models in both sites with the same names and objects: `<name>` in `unit`, `second-<name>` in `second-unit`. */
  const setup = async (name: string, keys: readonly string[] = ['V-1', 'V-2', 'V-3']) => {
    const { database } = server;
    const tables = database.of<ModelTables>(modelSchema);
    await tables.deleteFrom('model').execute();
    const objects = keys.map((key) => buildStoredObject(key));
    await insertPublishedModels(database, [name], objects, { name });
    await insertPublishedModels(database, [`second-${name}`], objects, { name, location: 'second-unit' });
    const toParams = (site: 'site' | 'second') => ({
      location: site === 'site' ? 'unit' : 'second-unit',
      model: site === 'site' ? name : `second-${name}`,
    });
    return {
      map: (
        object: string,
        mappedKind: ModelMapping['kind'],
        target: string | null,
        site: 'site' | 'second' = 'site',
        token = admin,
      ) => server.call(mapObject, { params: toParams(site), body: { object, kind: mappedKind, target }, token }),
      unmap: (object: string, mappedKind: ModelMapping['kind']) =>
        server.call(unmapObject, { params: toParams('site'), query: { object, kind: mappedKind }, token: admin }),
      mappings: async (location = 'deck') =>
        (await server.call(listMappings, { params: { location }, token: viewer })).body,
      list: async (query: object = {}, location = 'unit', token = admin) =>
        (await server.call(listObjects, { params: { location }, query, token })).body,
      readRows: async () =>
        (await tables.selectFrom('mapping').selectAll().orderBy('model').orderBy('object').execute()).map(
          (row) => [row.model, row.object, row.kind, row.target] as const,
        ),
    };
  };
  const renumberTag = async (uid: string, code: string, location = 'unit') =>
    expect(
      (await server.call(updateCode, { params: { location, kind: 'TAG', uid }, body: { code }, token: admin })).status,
    ).toBe(200);

  it('[TOUR-19] maps objects to tags and nodes until the mapping is deleted', async () => {
    const { map, unmap, mappings, readRows } = await setup('mapped');
    expect((await map('V-1', 'TAG', 'V-2')).body).toEqual({
      model: 'mapped',
      object: 'V-1',
      kind: 'TAG',
      target: 'V-2',
    });
    await map('V-1', 'TAG', 'V-9');
    await map('V-2', 'NODE', 'node-N1');
    await map('V-3', 'TAG', null);
    expect(await readRows()).toEqual([
      ['mapped', 'V-1', 'TAG', 'tag-V-9'],
      ['mapped', 'V-2', 'NODE', 'node-N1'],
      ['mapped', 'V-3', 'TAG', null],
    ]);
    expect(await mappings()).toEqual([
      { model: 'mapped', object: 'V-1', kind: 'TAG', target: 'V-9' },
      { model: 'mapped', object: 'V-2', kind: 'NODE', target: 'node-N1' },
      { model: 'mapped', object: 'V-3', kind: 'TAG', target: null },
    ]);
    await unmap('V-1', 'TAG');
    expect((await mappings()).map(({ object }) => object)).toEqual(['V-2', 'V-3']);
    expect((await map('V-1', 'TAG', 'V-2', 'site', viewer)).status).toBe(403);
  });

  it('[TOUR-19] refuses a tag or a node that the site does not have', async () => {
    const { map, readRows } = await setup('refused');
    for (const [mappedKind, target, refusal] of [
      ['TAG', 'X-1', { message: 'model-3d.refused.noSuchTag', values: { number: 'X-1' } }],
      ['NODE', 'node-N9', { message: 'model-3d.refused.noSuchNode' }],
      ['NODE', 'second-N1', { message: 'model-3d.refused.noSuchNode' }],
      ['NODE', null, { message: 'model-3d.refused.noSuchNode' }],
    ] as const) {
      const response = await map('V-1', mappedKind, target);
      expect(response.status, `${mappedKind} ${target}`).toBe(400);
      expect(response.body as object).toMatchObject({ fields: [{ pointer: '/target' }], refusal });
    }
    expect((await map('V-1', 'TAG', '')).status).toBe(400);
    expect(await readRows()).toEqual([]);
  });

  it('[DAT-06:tag] keeps the mappings of two sites apart when a tag is renumbered', async () => {
    const { map, mappings, list, readRows } = await setup('twin');
    await map('V-3', 'TAG', 'V-9');
    await map('V-3', 'TAG', 'V-9', 'second');
    expect(await readRows()).toEqual([
      ['second-twin', 'V-3', 'TAG', 'second-V-9'],
      ['twin', 'V-3', 'TAG', 'tag-V-9'],
    ]);
    await renumberTag('tag-V-9', 'R-9');
    expect((await mappings()).map(({ model, target }) => [model, target])).toEqual([['twin', 'R-9']]);
    expect((await mappings('second')).map(({ model, target }) => [model, target])).toEqual([['second-twin', 'V-9']]);
    expect((await map('V-1', 'TAG', 'V-9')).body).toMatchObject({ target: 'R-9' });
    expect((await map('V-1', 'TAG', 'R-9', 'second')).status).toBe(400);

    // The files of both sites contain V-1.
    await renumberTag('tag-V-1', 'R-1');
    const listTags = async (location: string) =>
      (await list({}, location)).objects.map(({ model, key, mappedTag, known }) => [
        model,
        key,
        mappedTag?.number,
        known,
      ]);
    expect(await listTags('site')).toEqual([
      ['twin', 'V-1', 'R-9', true],
      ['twin', 'V-2', undefined, true],
      ['twin', 'V-3', 'R-9', true],
    ]);
    expect(await listTags('second')).toEqual([
      ['second-twin', 'V-1', undefined, true],
      ['second-twin', 'V-2', undefined, true],
      ['second-twin', 'V-3', 'V-9', true],
    ]);
    expect((await list({ state: 'TAG_WITHOUT_OBJECT' })).tags).toEqual(['R-1']);
    expect((await list({ state: 'TAG_WITHOUT_OBJECT' }, 'second-unit')).tags).toEqual([]);
    await renumberTag('tag-V-9', 'V-9');
    await renumberTag('tag-V-1', 'V-1');
  });

  it('links an object by the former number of a tag', async () => {
    const { list } = await setup('former', ['V-1', 'V-7']);
    await renumberTag('tag-V-1', 'R-8');
    expect((await list()).objects.map(({ key, tag, known }) => [key, tag, known])).toEqual([
      ['V-1', 'V-1', true],
      ['V-7', 'V-7', false],
    ]);
    expect((await list({ state: 'TAG_WITHOUT_OBJECT' })).tags).toEqual(['V-2', 'V-9']);
    await renumberTag('tag-V-1', 'V-1');
  });

  it('[TOUR-19] lists objects in pages, filtered by state and text', async () => {
    const keys = Array.from({ length: 250 }, (_, index) => `V-${index + 3}`);
    const { map, list } = await setup('listed', ['V-1', ...keys]);
    await map('V-7', 'TAG', 'V-2');
    await map('V-8', 'TAG', null);
    await map('V-10', 'NODE', 'node-N1');
    const firstPage = await list();
    expect(firstPage).toMatchObject({
      total: 251,
      counts: { ALL: 251, LINKED: 250, UNLINKED: 1, MAPPED: 3, UNKNOWN_TAG: 247, TAG_WITHOUT_OBJECT: 0 },
    });
    expect(firstPage.objects).toHaveLength(100);
    expect(firstPage.objects.slice(0, 3).map(({ key }) => key)).toEqual(['V-1', 'V-3', 'V-4']);
    expect((await list({ offset: 200, limit: 200 })).objects).toHaveLength(51);
    expect((await list({ offset: 300 })).total).toBe(251);
    expect((await list({ text: 'plant v-1' })).objects[0]).toEqual({
      model: 'listed',
      key: 'V-1',
      name: 'Object V-1',
      within: ['Plant'],
      tag: 'V-1',
      mappedTag: null,
      mappedNode: null,
      known: true,
    });
    expect((await list({ text: 'NODE n1' })).objects.map(({ key }) => key)).toEqual(['V-10']);
    expect((await list({ text: 'v-2' })).objects[0]).toMatchObject({ key: 'V-7', mappedTag: { number: 'V-2' } });
    expect((await list({ text: '%' })).total).toBe(0);
    expect(
      (await list({ state: 'MAPPED' })).objects.map(({ key, mappedTag, mappedNode, known }) => [
        key,
        mappedTag,
        mappedNode,
        known,
      ]),
    ).toEqual([
      ['V-7', { number: 'V-2', rule: null }, null, true],
      ['V-8', { number: null, rule: null }, null, null],
      ['V-10', null, 'node-N1', false],
    ]);
    expect((await list({ state: 'UNLINKED' })).objects.map(({ key }) => key)).toEqual(['V-8']);
    expect(await list({ state: 'TAG_WITHOUT_OBJECT' })).toMatchObject({ total: 0, objects: [], tags: [] });
    await map('V-7', 'TAG', null);
    expect(await list({ state: 'TAG_WITHOUT_OBJECT', text: '-2' })).toMatchObject({ total: 1, tags: ['V-2'] });
    expect(await list({ state: 'TAG_WITHOUT_OBJECT', text: 'x' })).toMatchObject({ total: 0, tags: [] });
    expect((await server.call(listObjects, { params: { location: 'unit' }, query: {}, token: viewer })).status).toBe(
      403,
    );
    expect(await list({}, 'empty')).toMatchObject({ total: 0, objects: [] });
  });

  it('[ACC-04] shows models, objects and mappings only at accessible locations', async () => {
    const { map, mappings } = await setup('hidden');
    await map('V-1', 'TAG', 'V-2');
    await insertPublishedModels(server.database, ['on-deck'], [buildStoredObject('V-1')], { location: 'deck' });
    const limitedAdmin = await server.signIn({ flags: ['threeDimensionalAccess', 'configure'], locations: ['deck'] });
    const params = { location: 'deck' };
    expect((await server.call(listModels, { params, token: limitedAdmin })).body.map(({ uid }) => uid)).toEqual([
      'on-deck',
    ]);
    expect((await server.call(listMappings, { params, token: limitedAdmin })).body).toEqual([]);
    const { body } = await server.call(listObjects, { params, query: {}, token: limitedAdmin });
    expect(body.objects.map(({ model }) => model)).toEqual(['on-deck']);
    // The tags belong to the unit, which this admin cannot access.
    expect(body.counts.TAG_WITHOUT_OBJECT).toBe(0);
    expect((await mappings('deck')).map(({ model }) => model)).toEqual(['hidden']);
  });
});
