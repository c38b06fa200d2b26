import { setTimeout as pause } from 'node:timers/promises';
import { Document, NodeIO } from '@gltf-transform/core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnDatabases, createRestartableServer, soakCount, type RestartableServer } from '#core/testing/server';
import type { Model } from '#plugins/model-3d';

const killCount = soakCount(2, 20);

/** An endpoint that adds a location with its admin. */
const setupPlugin = `enabledPlugin(
  { id: 'setup', title: 'setup.title', access: [], requires: [], bridges: [], settings: {} },
  {},
  {
    api: (api, { tables, locations }) => {
      const text = { type: 'string' };
      const reply = { type: 'object', properties: { username: text, password: text } };
      api.serve({ method: 'POST', path: '/api/setup', summary: 'Adds a location and its admin.', access: 'public', reply }, async () => {
        await locations.upsert([
          { uid: 'unit', name: 'unit', label: 'unit', parent: null, root: 'unit', locationType: 'PRIMARY_LOCATION' },
        ]);
        const database = toDatabase(tables);
        const place = { site: 'unit', location: 'unit' };
        await insertTourRows(database, { tours: [buildTourRow('T1', place)], nodes: [buildNodeRow('N1', place)] });
        // Ranges that were computed from the model, and views that a failed job has left.
        await database.query("update tour.node set range_file = 'ranges', range_source = 'MODEL'");
        await database.query("insert into tour.moved_place (type, uid, site) select 'NODE', uid, site from tour.node");
        return addPerson(database, { flags: ['threeDimensionalAccess', 'configure'] });
      });
      const count = { type: 'object', properties: { ranges: { type: 'number' }, moved: { type: 'number' } } };
      api.serve({ method: 'GET', path: '/api/setup/left', summary: 'Counts.', access: 'public', reply: count }, async () =>
        (await toDatabase(tables).query(
          'select (select count(*)::int from tour.node where range_source is not null) as ranges, (select count(*)::int from tour.moved_place) as moved'))[0]);
    },
  },
)`;
const parts = {
  imports: `
    import tourManifest from './plugins/tour/plugin.ts';
    import tour from './plugins/tour/server/index.ts';
    import modelManifest from './plugins/model-3d/plugin.ts';
    import model from './plugins/model-3d/server/index.ts';
    import { addPerson } from './core/testing/server/test-people.ts';
    import { buildNodeRow, buildTourRow, insertTourRows } from './plugins/tour/testing/server/tour-rows.ts';
    import { toDatabase } from './core/testing/server/to-database.ts';
  `,
  list: `[
    enabledPlugin(tourManifest, {}, tour), enabledPlugin(modelManifest, { engine: 'builtin' }, model), ${setupPlugin}
  ]`,
};

function buildModel(count: number): Promise<Uint8Array> {
  const document = new Document();
  const buffer = document.createBuffer();
  const scene = document.createScene();
  for (let index = 0; index < count; index++) {
    const corners = new Float32Array([index, 0, 0, index + 1, 0, 0, index, 3, 0]);
    const position = document.createAccessor().setType('VEC3').setArray(corners).setBuffer(buffer);
    const mesh = document.createMesh().addPrimitive(document.createPrimitive().setAttribute('POSITION', position));
    scene.addChild(document.createNode(`Sign ${index}`).setMesh(mesh));
  }
  return new NodeIO().writeBinary(document);
}

describeOnDatabases('a new version of a model', (kind) => {
  let program: RestartableServer;
  beforeAll(async () => {
    program = await createRestartableServer(kind, parts, {
      WALKDOWN_REQUESTS_PER_MINUTE: '0',
      WALKDOWN_JOB_LEASE_MS: '500',
    });
  });
  afterAll(() => program.remove());

  it('[IMP-09] is shown completely or not at all, with its pose, after any kill of the server', async () => {
    let server = await program.start();
    const send = async <T>(path: string, token?: string, body?: object | FormData): Promise<T> => {
      const isForm = body instanceof FormData;
      const answer = await fetch(server.url + path, {
        method: token !== undefined && body === undefined ? 'GET' : 'POST',
        headers: {
          'x-token-transport': 'json',
          ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        },
        ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
      });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}: ${text}`);
      return JSON.parse(text) as T;
    };
    const person = await send<{ readonly username: string; readonly password: string }>('/api/setup');
    const { accessToken } = await send<{ readonly accessToken: string }>('/auth/pub/user/login', undefined, person);
    const upload = (file: Uint8Array, fields: Readonly<Record<string, string>>) => {
      const form = new FormData();
      for (const [name, value] of Object.entries(fields)) form.append(name, value);
      form.append('file', new Blob([new Uint8Array(file)]), 'plant.glb');
      return send<{ readonly model: string }>('/api/model-3d/unit/models', accessToken, form);
    };
    /** Returns the version, the number of objects and the easting of the shown model. */
    const readShownModel = async () => {
      const [model] = await send<readonly Model[]>('/api/model-3d/unit/models', accessToken);
      return model && [model.version, model.objects, model.pose.position[0]];
    };
    const formatPose = (east: number): string => JSON.stringify({ position: [east, 0, 0], heading: 0, scale: 1 });
    const [oldVersion, newVersion] = [
      [1, 2, 10],
      [2, 300, 20],
    ];

    const { model } = await upload(await buildModel(2), { name: 'Plant', pose: formatPose(10) });
    await expect.poll(readShownModel).toEqual(oldVersion);
    await upload(await buildModel(300), { model, pose: formatPose(20) });
    for (let killIndex = 0; killIndex < killCount; killIndex++) {
      await pause(Math.random() * 300);
      await server.kill();
      server = await program.start();
      expect([oldVersion, newVersion]).toContainEqual(await readShownModel());
    }
    await expect
      .poll(async () => {
        const shownModel = await readShownModel();
        expect([oldVersion, newVersion]).toContainEqual(shownModel);
        return shownModel;
      })
      .toEqual(newVersion);
    // The follow-up work of a change is completed, even if the process was killed after the change.
    const readLeft = async () => (await fetch(`${server.url}/api/setup/left`)).json();
    await expect.poll(readLeft).toEqual({ ranges: 0, moved: 0 });
    expect(await server.stop()).toBe(0);
  });
});
