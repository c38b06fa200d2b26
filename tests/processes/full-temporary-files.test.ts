import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Document, NodeIO } from '@gltf-transform/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Job } from '#core/api';
import {
  fillDisk,
  buildServerProgram,
  getSmallDiskPath,
  describeSmallDiskProblem,
  type RunningServer,
  type ServerProgram,
} from '#core/testing/server';
import type { Model } from '#plugins/model-3d';

/** Endpoints that add a location with its admin, and list the states of stored files. */
const setupPlugin = `enabledPlugin(
  { id: 'setup', title: 'setup.title', access: [], requires: [], bridges: [], settings: {} },
  {},
  {
    api: (api, { tables, locations }) => {
      const database = toDatabase(tables);
      const any = { type: 'object', additionalProperties: true, properties: {} };
      const route = (method, path) => ({ method, path, summary: 'For a test.', access: 'public', reply: any });
      api.serve(route('POST', '/api/setup'), async () => {
        await locations.upsert([
          { uid: 'unit', name: 'unit', label: 'unit', parent: null, root: 'unit', locationType: 'PRIMARY_LOCATION' },
        ]);
        const { username, password } = await addPerson(database, { flags: ['threeDimensionalAccess', 'configure'] });
        return { username, password };
      });
      api.serve(route('GET', '/api/setup/files'), async () => ({
        states: (await database.query('select state from core.file')).map(({ state }) => state),
      }));
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
    import { toDatabase } from './core/testing/server/to-database.ts';
  `,
  list: `[
    enabledPlugin(tourManifest, {}, tour), enabledPlugin(modelManifest, { engine: 'builtin' }, model), ${setupPlugin}
  ]`,
};

function buildModel(): Promise<Uint8Array> {
  const document = new Document();
  const buffer = document.createBuffer();
  const scene = document.createScene();
  for (let index = 0; index < 200; index++) {
    const corners = new Float32Array([index, 0, 0, index + 1, 0, 0, index, index, 0]);
    const position = document.createAccessor().setType('VEC3').setArray(corners).setBuffer(buffer);
    const mesh = document.createMesh().addPrimitive(document.createPrimitive().setAttribute('POSITION', position));
    scene.addChild(document.createNode(`Sign ${index}`).setMesh(mesh));
  }
  return new NodeIO().writeBinary(document);
}

const problem = describeSmallDiskProblem();
const title = 'full folder of temporary files';

describe.skipIf(problem !== undefined)(problem === undefined ? title : `${title} (not run: ${problem})`, () => {
  let program: ServerProgram;
  let server: RunningServer;
  let temporary: string;
  let diskFolder: string;
  let file: Uint8Array;
  let token: string;
  beforeAll(async () => {
    program = await buildServerProgram(parts);
    temporary = fs.mkdtempSync(path.join(os.tmpdir(), 'walkdown-temporary-'));
    const disk = { folder: temporary, megabytes: 4 };
    server = await program.start(
      { WALKDOWN_DATA: await program.createDataFolder(), WALKDOWN_REQUESTS_PER_MINUTE: '0', TMPDIR: temporary },
      undefined,
      disk,
    );
    diskFolder = getSmallDiskPath(server.child, disk);
    file = await buildModel();
    const person = await send<{ readonly username: string; readonly password: string }>('POST', '/api/setup');
    const login = await send<{ readonly accessToken: string }>('POST', '/auth/pub/user/login', JSON.stringify(person));
    token = login.accessToken;
  });
  afterAll(async () => {
    await program.remove();
    fs.rmSync(temporary, { recursive: true, force: true });
  });

  async function send<T>(method: string, url: string, body?: string | FormData): Promise<T> {
    const answer = await fetch(server.url + url, {
      method,
      headers: {
        'x-token-transport': 'json',
        ...(typeof body === 'string' ? { 'content-type': 'application/json' } : {}),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      ...(body === undefined ? {} : { body }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${url} was answered with ${answer.status}: ${text}`);
    return JSON.parse(text) as T;
  }

  /** Uploads the model and waits for the end of its import. */
  async function importModel(fields: Readonly<Record<string, string>>): Promise<{ model: string; job: Job }> {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    form.append('file', new Blob([new Uint8Array(file)]), 'plant.glb');
    const { model, job } = await send<{ model: string; job: string }>('POST', '/api/model-3d/unit/models', form);
    const findJob = () => send<Job>('GET', `/api/jobs/${job}`);
    await expect.poll(async () => (await findJob()).status).toBe('COMPLETED');
    return { model, job: await findJob() };
  }

  const findManagedModel = async (uid: string) =>
    (await send<readonly Model[]>('GET', '/api/model-3d/unit/managed-models')).find(
      (candidate) => candidate.uid === uid,
    );
  const readStates = async () => (await send<{ states: readonly string[] }>('GET', '/api/setup/files')).states;
  const message =
    'The server is out of space for temporary files: nothing was imported. Please tell the admin, and repeat the ' +
    'import once there is space.';
  const refusal = { message: 'core.refused.temporaryFilesFull' };

  it.each([
    ['the file', () => 0],
    ['the converted model', () => Math.ceil(file.length / 4096) * 4096],
  ])('ends an import with the reason and deletes its files if %s does not fit', async (_, freeBytes) => {
    const emptyDisk = fillDisk(diskFolder, freeBytes());
    const { model, job } = await importModel({ name: 'Plant' });
    expect(job).toMatchObject({ result: 'FAILED', message, refusal });
    expect(await findManagedModel(model)).toMatchObject({
      state: 'FAILED',
      message,
      refusal,
      version: 0,
      address: null,
    });
    expect(await readStates()).toEqual([]);
    expect(fs.readdirSync(diskFolder)).toEqual(['filler']);
    expect(server.log()).toContain('the folder of temporary files (TMPDIR) is full');

    emptyDisk();
    expect((await importModel({ model })).job).toMatchObject({ result: 'SUCCESS' });
    expect(await findManagedModel(model)).toMatchObject({ state: 'READY', message: null, version: 1 });
    expect(fs.readdirSync(diskFolder)).toEqual([]);
    await send('DELETE', `/api/model-3d/unit/models/${model}`);
    await expect.poll(readStates).toEqual([]);
  });
});
