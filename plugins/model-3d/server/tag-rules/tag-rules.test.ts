import { afterAll, beforeAll, expect, it } from 'vitest';
import type { LocationRow } from '#core';
import { undoChange } from '#core/api';
import { enabledPlugin, Jobs, LocationStore } from '#core/server';
import { describeOnDatabases, QueryCounter, startTestServer, type TestServer } from '#core/testing/server';
import { Tours } from '#plugins/tour';
import { buildTagRow, insertTourRows, tour, tourManifest } from '#plugins/tour/testing/server';
import { listMappings, listObjects, mapObject, unmapObject } from '../../contract/api.ts';
import {
  countTagPositions,
  getTagRules,
  placeModelTags,
  saveTagRules,
  tryTagRules,
  type TagRule,
} from '../../contract/api/tag-rules.ts';
import type { TrialState } from '../../contract/values/tag-rules.ts';
import manifest from '../../plugin.ts';
import { buildStoredObject, insertPublishedModels } from '../../testing/server/model-rows.ts';
import { exportedPlant, writePlantModel, type PlantNode } from '../../testing/server/plant-model.ts';
import model3d from '../index.ts';
import { modelSchema, type ModelTables } from '../tables.ts';

const wholeName: TagRule = { kind: 'NAME', part: 'WHOLE' };
const fromParent: TagRule = { kind: 'PARENT', part: 'WHOLE' };
const fromExtras: TagRule = { kind: 'EXTRAS', path: 'attributes.DESIGN.Tag', part: 'WHOLE' };
const allRules: readonly TagRule[] = [fromExtras, wholeName, { kind: 'NAME', part: 'BEFORE_SUFFIX' }, fromParent];

describeOnDatabases('the tag rules of a model', (kind) => {
  let server: TestServer;
  let admin: string;

  beforeAll(async () => {
    server = await startTestServer({
      database: kind,
      plugins: [enabledPlugin(tourManifest, {}, tour), enabledPlugin(manifest, { engine: 'builtin' }, model3d)],
    });
    const buildLocation = (
      uid: string,
      parent: string | null,
      locationType: LocationRow['locationType'],
    ): LocationRow => ({ uid, name: uid, label: uid, parent, root: 'site', locationType });
    await server
      .service(LocationStore)
      .upsert([
        buildLocation('site', null, 'PRIMARY_LOCATION'),
        buildLocation('unit', 'site', 'PLATFORM_UNIT'),
        buildLocation('other', 'site', 'PLATFORM_UNIT'),
      ]);
    await insertTourRows(server.database, {
      tags: [
        ...['V-2101', 'V-2102', 'P-2103A', 'PSV-2104', 'T-2105', 'X.1', 'X_1', 'V-9'].map((number) =>
          buildTagRow(number, { location: 'unit' }),
        ),
        buildTagRow('V-7', { location: 'other' }),
        buildTagRow('10-PG-1', { location: 'unit', type: 'LINE' }),
      ],
    });
    admin = await server.signIn({ flags: ['threeDimensionalAccess', 'configure'] });
  });
  afterAll(() => server.close());

  const uploadModel = async (nodes: readonly PlantNode[], model?: string): Promise<string> => {
    const form = new FormData();
    if (model !== undefined) form.append('model', model);
    form.append('file', new Blob([new Uint8Array(await writePlantModel(nodes))]), 'plant.glb');
    const response = await fetch(`${await server.url()}/api/model-3d/unit/models`, {
      method: 'POST',
      body: form,
      headers: { authorization: `Bearer ${admin}` },
    });
    expect(response.status).toBe(201);
    const body = (await response.json()) as { readonly model: string; readonly job: string };
    expect((await server.service(Jobs).waitForCompletion(body.job)).result).toBe('SUCCESS');
    return body.model;
  };

  const setup = async (model: string, token = admin) => {
    const params = { location: 'unit', model };
    const tables = server.database.of<ModelTables>(modelSchema);
    const waitForRules = async (): Promise<void> => {
      await server.service(Jobs).notifyRunners();
      const { rules_job: job } = await tables
        .selectFrom('model')
        .select('rules_job')
        .where('uid', '=', model)
        .executeTakeFirstOrThrow();
      expect(await server.service(Jobs).waitForCompletion(job ?? '')).toMatchObject({ result: 'SUCCESS' });
    };
    return {
      params,
      waitForRules,
      read: async () => (await server.call(getTagRules, { params, token })).body,
      tryRules: async (rules: readonly TagRule[], state: TrialState = 'MATCHED', body: object = {}) =>
        server.call(tryTagRules, { params, body: { rules: [...rules], state, ...body }, token }),
      save: async (rules: readonly TagRule[], version: number) => {
        const reply = await server.call(saveTagRules, { params, body: { rules: [...rules], version }, token });
        if (reply.status === 200) await waitForRules();
        return reply;
      },
      readMappings: async () =>
        (
          await tables
            .selectFrom('mapping')
            .select(['object', 'target', 'rule'])
            .where('model', '=', model)
            .orderBy('object')
            .execute()
        ).map(({ object, target, rule }) => [object, target, rule]),
      map: (object: string, target: string | null) =>
        server.call(mapObject, { params, body: { object, kind: 'TAG', target }, token }),
    };
  };

  it('[TOUR-26] finds the tags of an exported model by rules that are tried without being saved, and lists objects without a tag', async () => {
    const { read, tryRules, readMappings } = await setup(await uploadModel(exportedPlant));
    const initialState = await read();
    expect(initialState).toMatchObject({ rules: [], version: 0, job: null });
    expect(initialState.paths).toEqual([
      { path: 'attributes.DESIGN.Owner', count: 1, example: 'AREA-21' },
      { path: 'attributes.DESIGN.Tag', count: 1, example: 'PSV-2104' },
      { path: 'attributes.list.Spec', count: 1, example: 'A1A' },
    ]);
    expect((await tryRules([])).body.counts).toMatchObject({ objects: 14, MATCHED: 0, UNMATCHED: 14 });

    const matchedReply = await tryRules(allRules);
    expect(matchedReply.body.counts).toEqual({
      objects: 14,
      MATCHED: 10,
      AMBIGUOUS: 1,
      UNMATCHED: 3,
      TAG_WITHOUT_OBJECT: 5,
      byNumber: 1,
      byParent: 4,
      manual: 0,
      byRule: [1, 4, 1, 4],
    });
    expect(matchedReply.body.rows.map(({ name, tag, rule, exact }) => [name, tag, rule, exact])).toEqual([
      ['/V-2101', 'V-2101', 'NAME', true],
      ['object', 'V-2101', 'PARENT', true],
      ['object#2', 'V-2101', 'PARENT', true],
      ['NOZZLE 1 of EQUIPMENT /V-2101', 'V-2101', 'PARENT', true],
      ['/V-2101/N1', 'V-2101', 'PARENT', true],
      ['P-2103A-body', 'P-2103A', 'NAME', true],
      ['V 2102', 'V-2102', 'NAME', false],
      ['EQUI 77', 'PSV-2104', 'EXTRAS', true],
      ['/T-2105', 'T-2105', 'NAME', true],
      ['/T-2105', 'T-2105', 'NAME', true],
    ]);
    const ambiguous = await tryRules(allRules, 'AMBIGUOUS');
    expect(ambiguous.body.rows).toMatchObject([
      { name: '/X-1', within: ['/SITE-1', '/ZONE-21'], tag: null, text: '/X-1', candidates: ['X.1', 'X_1'] },
    ]);
    const unmatchedReply = await tryRules(allRules, 'UNMATCHED');
    expect(unmatchedReply.body.rows.map(({ name }) => name)).toEqual(['/SITE-1', '/ZONE-21', 'HANDRAIL 12']);
    const searchReply = await tryRules(allRules, 'UNMATCHED', { text: 'handrail ZONE' });
    expect(searchReply.body).toMatchObject({ total: 1, rows: [{ name: 'HANDRAIL 12', text: 'HANDRAIL 12' }] });
    expect((await tryRules(allRules, 'UNMATCHED', { offset: 1, limit: 1 })).body).toMatchObject({
      total: 3,
      rows: [{ name: '/ZONE-21' }],
    });
    const withoutObject = await tryRules(allRules, 'TAG_WITHOUT_OBJECT');
    expect(withoutObject.body.rows.map(({ tag }) => tag)).toEqual(['10-PG-1', 'V-7', 'V-9', 'X.1', 'X_1']);
    // Nothing was saved.
    expect(await read()).toEqual(initialState);
    expect(await readMappings()).toEqual([]);
  });

  it('[TOUR-26] applies saved rules, keeps the mappings of admins, and undoes a change', async () => {
    const nodes = [{ name: '/V-2101' }, { name: '/V-2101/N1' }, { name: 'V 2102' }, { name: 'other' }];
    const model = await uploadModel(nodes);
    const { params, read, save, map, readMappings, tryRules, waitForRules } = await setup(model);
    await map('V 2102', 'V-9');
    await map('other', null);
    const beforeSlash: TagRule = { kind: 'NAME', part: 'BEFORE_SLASH' };
    const first = await save([beforeSlash], 0);
    expect(first.body).toEqual({ change: expect.any(String) as string });
    expect(await read()).toMatchObject({ rules: [beforeSlash], version: 1, job: null, failure: null });
    const manual = [
      ['V 2102', 'tag-V-9', null],
      ['other', null, null],
    ];
    const byRule = [
      ['/V-2101', 'tag-V-2101', 'NAME'],
      ['/V-2101/N1', 'tag-V-2101', 'NAME'],
    ];
    expect(await readMappings()).toEqual([...byRule, ...manual]);
    expect((await tryRules([beforeSlash])).body.counts).toMatchObject({ MATCHED: 4, manual: 2 });
    const objectsReply = await server.call(listObjects, { params: { location: 'unit' }, query: {}, token: admin });
    expect(
      objectsReply.body.objects.filter((object) => object.model === model).map(({ mappedTag }) => mappedTag),
    ).toEqual([
      { number: 'V-2101', rule: 'NAME' },
      { number: 'V-2101', rule: 'NAME' },
      { number: 'V-9', rule: null },
      { number: null, rule: null },
    ]);

    const conflict = await save([wholeName], 0);
    expect(conflict.status).toBe(409);
    expect(conflict.body as object).toMatchObject({
      refusal: { message: 'model-3d.refused.rulesChanged' },
      current: { rules: [beforeSlash], version: 1 },
    });

    const second = await save([wholeName], 1);
    expect(await readMappings()).toEqual([byRule[0], ...manual]);
    await server.call(undoChange, { params: { change: second.body.change ?? '' }, body: {}, token: admin });
    await waitForRules();
    expect((await read()).rules).toEqual([beforeSlash]);
    expect(await readMappings()).toEqual([...byRule, ...manual]);

    // Without its mapping by an admin, the object has the tag that the rules find.
    await server.call(unmapObject, { params, query: { object: 'V 2102', kind: 'TAG' }, token: admin });
    await waitForRules();
    expect(await readMappings()).toContainEqual(['V 2102', 'tag-V-2102', 'NAME']);

    await uploadModel([...nodes, { name: '/P-2103A' }], model);
    await waitForRules();
    expect(await readMappings()).toContainEqual(['/P-2103A', 'tag-P-2103A', 'NAME']);
  });

  it('applies unchanged rules again, because the site may have other tags', async () => {
    const { save, readMappings } = await setup(await uploadModel([{ name: 'K-1' }]));
    await save([wholeName], 0);
    expect(await readMappings()).toEqual([]);
    await insertTourRows(server.database, { tags: [buildTagRow('K-1', { location: 'unit' })] });
    expect((await save([wholeName], 1)).body).toEqual({ change: null });
    expect(await readMappings()).toEqual([['K-1', 'tag-K-1', 'NAME']]);
  });

  it('does not send mappings of parts to browsers, because their tag is that of the object above', async () => {
    const parts = [{ name: 'shell' }, { name: 'head', extras: { tag: 'unknown' } }];
    const model = await uploadModel([{ name: '/V-2101', parts }]);
    const { save } = await setup(model);
    await save([wholeName, fromParent], 0);
    const mappings = await server.call(listMappings, { params: { location: 'unit' }, token: admin });
    expect(mappings.body.filter((mapping) => mapping.model === model).map(({ object }) => object)).toEqual([
      '/V-2101',
      'unknown',
    ]);
  });

  it('refuses rules that cannot be applied, and names them', async () => {
    await insertPublishedModels(server.database, ['refused'], [buildStoredObject('a')]);
    const { tryRules, save } = await setup('refused');
    const cases: readonly (readonly [TagRule, string, string])[] = [
      [{ kind: 'EXTRAS', part: 'WHOLE' }, 'rulePath', 'path'],
      [{ kind: 'IFC_PROPERTY', path: ' ', part: 'WHOLE' }, 'rulePath', 'path'],
      [{ kind: 'NAME', part: 'PATTERN' }, 'rulePattern', 'pattern'],
      [{ kind: 'NAME', part: 'PATTERN', pattern: '(a' }, 'rulePattern', 'pattern'],
      [{ kind: 'NAME', part: 'PATTERN', pattern: '((a{99}){99}){99}' }, 'rulePattern', 'pattern'],
    ];
    for (const [rule, refusal, field] of cases)
      for (const reply of [await tryRules([wholeName, rule]), await save([wholeName, rule], 0)]) {
        expect(reply.status).toBe(400);
        expect(reply.body as object).toMatchObject({
          refusal: { message: `model-3d.refused.${refusal}`, values: { number: 2 } },
          fields: [{ pointer: `/rules/1/${field}` }],
        });
      }
  });

  it('sends the same number of statements for 3,000 objects as for 3', async () => {
    const counter = new QueryCounter(server.database);
    const counts = [];
    for (const size of [3, 3_000]) {
      const objects = Array.from({ length: size }, (_, index) => buildStoredObject(`o${index}`, { tag: undefined }));
      await insertPublishedModels(server.database, [`size-${size}`], objects);
      const { tryRules } = await setup(`size-${size}`);
      const { result, statements } = await counter.record(() => tryRules(allRules, 'UNMATCHED', { limit: 200 }));
      expect(result.body.total).toBe(size);
      counts.push(statements.length);
    }
    expect(counts[0]).toBe(counts[1]);
  });

  it('shows no number of a tag that the caller cannot access', async () => {
    const token = await server.signIn({ flags: ['threeDimensionalAccess', 'configure'], locations: ['unit'] });
    await insertPublishedModels(server.database, ['hidden'], [buildStoredObject('a', { tag: 'V-7' })]);
    const { tryRules } = await setup('hidden', token);
    expect((await tryRules([])).body.rows).toMatchObject([{ key: 'a', tag: null, rule: 'FILE' }]);
    const withoutObject = await tryRules([], 'TAG_WITHOUT_OBJECT', { text: 'v-7' });
    expect(withoutObject.body.total).toBe(0);
  });

  it('[TOUR-26] gives tags without a position the centre of their object, and reports it', async () => {
    const model = await uploadModel([
      { name: '/V-2101', at: [10, 20, 2], parts: [{ at: [0, 0, 0] }, { name: '/V-2101', at: [3, 0, 0] }] },
      { name: '/T-2105' },
      { name: '/T-2105' },
      { name: 'V-7' },
      { name: '10-PG-1' },
    ]);
    const { params, save, tryRules } = await setup(model, admin);
    await save([wholeName, fromParent], 0);
    const readPosition = async (number: string) =>
      (await server.service(Tours).siteTags('unit')).find((tag) => tag.number === number)?.position;
    const token = await server.signIn({ flags: ['threeDimensionalAccess', 'configure'], locations: ['unit'] });
    const countReply = await server.call(countTagPositions, { params, token });
    expect(countReply.body).toEqual({ placeable: 1, several: 1 });
    const reply = await server.call(placeModelTags, { params, body: {}, token });
    expect(reply.body).toEqual({ change: expect.any(String) as string, placed: 1 });
    expect(await readPosition('V-2101')).toEqual([12, 19.5, 2.5].map((value) => expect.closeTo(value, 3) as number));
    expect(await readPosition('V-7')).toBeNull();
    const listPlaced = async () =>
      (await tryRules([wholeName])).body.rows.flatMap(({ name, placed }) => (placed ? name : []));
    expect(await listPlaced()).toEqual(['/V-2101', '/V-2101']);
    expect((await server.call(placeModelTags, { params, body: {}, token })).body).toEqual({ change: null, placed: 0 });
    await server.call(undoChange, { params: { change: reply.body.change ?? '' }, body: {}, token });
    expect(await readPosition('V-2101')).toBeNull();
  });
});
