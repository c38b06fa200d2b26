import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { DemoPlant, ErrorBody } from '#core';
import type { DemoMarker, VrDemo } from '#plugins/vr';
import { Callers, enabledPlugin, FileStore, LocationStore, serverPlugin, SiteContents } from '#core/server';
import { buildSiteImport, describeOnDatabases, startTestServer, type TestServer } from '#core/testing/server';
import { Tours } from '#plugins/tour';
import { buildTours, tourManifest } from '#plugins/tour/testing/server';
import { deleteMarker, listMarkers, putMarker, type MarkerInput } from '../contract/api.ts';
import manifest from '../plugin.ts';
import vr from './index.ts';
import { vrSchema, type VrTables } from './tables.ts';

const locations = [
  ['site', null, 'PRIMARY_LOCATION'],
  ['unit', 'site', 'PLATFORM_UNIT'],
  ['lower', 'unit', 'LOC_LEVEL'],
  ['upper', 'unit', 'LOC_LEVEL'],
] as const;
/** A tour with one node, from which all markers are visible. */
const tour = serverPlugin<typeof tourManifest>()({
  api: (_, context) =>
    context.provide(
      Tours,
      buildTours({
        nodesThatSee: async (_tour, shapes) => shapes.map(() => ['N1']),
        findTags: async (_location, numbers) =>
          new Map(numbers.filter((number) => number !== 'none').map((number) => [number, `tag-${number}`])),
        tagNumbers: async (uids) => new Map(uids.map((uid) => [uid, uid.replace('tag-', '')])),
      }),
    ),
});

const note: MarkerInput = {
  kind: 'NOTE',
  shape: 'POLYGON',
  name: 'Drip pan',
  text: 'Keep dry',
  points: [
    [0, 0, 0],
    [1, 0, 0],
    [1, 1, 0],
  ],
  target: null,
  file: null,
  version: 0,
};

/** Builds a PNG whose header declares more pixels than the file has. */
function buildTruncatedPng(width: number, height: number): Buffer<ArrayBuffer> {
  const buildChunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const lengthAndChecksum = Buffer.alloc(8);
    lengthAndChecksum.writeUInt32BE(data.length, 0);
    lengthAndChecksum.writeUInt32BE(crc32(body), 4);
    return Buffer.concat([lengthAndChecksum.subarray(0, 4), body, lengthAndChecksum.subarray(4)]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    buildChunk('IHDR', header),
    buildChunk('IDAT', deflateSync(Buffer.alloc(1000))),
    buildChunk('IEND', Buffer.alloc(0)),
  ]);
}

describeOnDatabases('the marker endpoints', (kind) => {
  let server: TestServer;
  let editor: string;
  beforeAll(async () => {
    server = await startTestServer({
      database: kind,
      plugins: [enabledPlugin(tourManifest, {}, tour), enabledPlugin(manifest, { hoverNavigation: false }, vr)],
    });
    await server.service(LocationStore).upsert(
      locations.map(([uid, parent, locationType]) => ({
        uid,
        label: uid,
        name: uid,
        parent,
        root: 'site',
        locationType,
      })),
    );
    editor = await server.signIn({ flags: ['vrAccess', 'configure'] });
  });
  afterAll(() => server.close());

  const saveMarker = (uid: string, changes: Partial<MarkerInput> = {}, { token = editor, location = 'lower' } = {}) =>
    server.call(putMarker, { params: { location, uid }, body: { ...note, ...changes }, token });
  const listNames = async (token = editor, location = 'unit') =>
    (await server.call(listMarkers, { params: { location }, token })).body.map(({ name }) => name);

  it('stores the target of a tag marker by uid', async () => {
    const uid = randomUUID();
    const tag: Partial<MarkerInput> = { kind: 'TAG', shape: 'POINT', points: [[0, 0, 0]], target: 'V-101' };
    expect((await saveMarker(uid, tag)).body).toMatchObject({ kind: 'TAG', target: 'V-101' });
    const storedMarker = await server.database
      .of<VrTables>(vrSchema)
      .selectFrom('marker')
      .select('target')
      .where('uid', '=', uid)
      .executeTakeFirst();
    expect(storedMarker?.target).toBe('tag-V-101');
    // Repeats the request, as a client does whose first reply was lost.
    expect((await saveMarker(uid, tag)).body).toMatchObject({ version: 1, target: 'V-101' });
    const response = await saveMarker(randomUUID(), { ...tag, target: 'none' });
    expect(response.status).toBe(400);
    expect(response.body as object).toMatchObject({ fields: [{ pointer: '/target' }] });
    await server.call(deleteMarker, { params: { location: 'lower', uid }, token: editor });
  });

  it('updates and deletes a marker only at its current version', async () => {
    const uid = randomUUID();
    const createReply = await saveMarker(uid);
    expect(createReply.body).toMatchObject({
      uid,
      location: 'lower',
      version: 1,
      seenFrom: ['N1'],
      points: note.points,
      file: null,
      author: expect.stringMatching(/^Person /),
    });
    expect((await saveMarker(uid, { name: 'Drip tray', version: 1 })).body).toMatchObject({
      name: 'Drip tray',
      version: 2,
    });
    // Repeats the request, as a client does whose first reply was lost.
    expect((await saveMarker(uid, { name: 'Drip tray', version: 1 })).body).toMatchObject({ version: 2 });
    expect((await saveMarker(uid, { name: 'Another', version: 1 })).status).toBe(409);
    expect(await listNames()).toContain('Drip tray');
    expect((await server.call(deleteMarker, { params: { location: 'lower', uid }, token: editor })).status).toBe(200);
    expect((await server.call(deleteMarker, { params: { location: 'lower', uid }, token: editor })).status).toBe(200);
    expect(await listNames()).not.toContain('Drip tray');
  });

  it.each<[string, Partial<MarkerInput>]>([
    [
      'an area with two corners',
      {
        points: [
          [0, 0, 0],
          [1, 0, 0],
        ],
      },
    ],
    ['a point with three positions', { shape: 'POINT' }],
    ['a tag marker without tag', { kind: 'TAG' }],
    ['a document without file or address', { kind: 'DOCUMENT' }],
    ['a document at an address that runs code', { kind: 'DOCUMENT', target: 'javascript:alert(1)' }],
    ['an empty name', { name: '' }],
  ])('rejects %s', async (_, changes) => {
    expect((await saveMarker(randomUUID(), changes)).status).toBe(400);
  });

  const upload = async (location: string, type = 'application/pdf', bytes = Buffer.from('%PDF-1.4\n%%EOF\n')) => {
    const form = new FormData();
    form.append('file', new Blob([bytes], { type }), 'sheet.pdf');
    const request = new Request('http://test/', { method: 'POST', body: form });
    return server.app.inject({
      method: 'POST',
      url: `/api/vr/${location}/documents`,
      headers: { authorization: `Bearer ${editor}`, 'content-type': request.headers.get('content-type') ?? '' },
      payload: Buffer.from(await request.arrayBuffer()),
    });
  };

  it('stores an uploaded document and deletes it with its marker', async () => {
    const uploadResponse = await upload('lower');
    expect(uploadResponse.statusCode).toBe(201);
    const file = uploadResponse.json<{ id: string; name: string; address: string }>();
    expect((await upload('lower', 'text/html', Buffer.from('<html>'))).statusCode).toBe(400);
    const uid = randomUUID();
    const createReply = await saveMarker(uid, { kind: 'DOCUMENT', shape: 'POINT', points: [[1, 2, 3]], file: file.id });
    expect(createReply.body.file).toMatchObject({ id: file.id, name: 'sheet.pdf' });
    expect((await saveMarker(randomUUID(), { kind: 'DOCUMENT', file: file.id }, { location: 'upper' })).status).toBe(
      404,
    );
    const upperViewer = await server.signIn({ locations: ['upper'], flags: ['vrAccess'] });
    expect(
      (await server.app.inject({ url: file.address, headers: { authorization: `Bearer ${upperViewer}` } })).statusCode,
    ).toBe(403);
    await server.call(deleteMarker, { params: { location: 'lower', uid }, token: editor });
    expect(
      (await server.app.inject({ url: file.address, headers: { authorization: `Bearer ${editor}` } })).statusCode,
    ).toBe(404);
  });

  it('rejects pictures that are damaged, too large or of another type', async () => {
    const { id } = (await upload('lower')).json<{ id: string }>();
    const uid = randomUUID();
    const { body: previous } = await saveMarker(uid, { kind: 'DOCUMENT', file: id });
    const picture = sharp({ create: { width: 640, height: 480, channels: 3, background: 'red' } });
    for (const type of ['jpeg', 'png', 'webp'] as const)
      expect((await upload('lower', `image/${type}`, await picture.toFormat(type).toBuffer())).statusCode).toBe(201);
    const [gif, jpeg] = [await picture.gif().toBuffer(), await picture.jpeg().toBuffer()];
    for (const [bytes, message] of [
      [gif, /\.gif/],
      [jpeg.subarray(0, jpeg.length * 0.7), /damaged/],
      [buildTruncatedPng(30_000, 30_000), /too many pixels/],
    ] as const) {
      const response = await upload('lower', 'image/png', bytes);
      expect([response.statusCode, response.json<ErrorBody>().message]).toEqual([400, expect.stringMatching(message)]);
    }
    const { body } = await server.call(listMarkers, { params: { location: 'unit' }, token: editor });
    expect(body.find((marker) => marker.uid === uid)).toEqual(previous);
  });

  it('[IMP-09] keeps the document of a marker if its replacement is rejected', async () => {
    const { id, address } = (await upload('lower')).json<{ id: string; address: string }>();
    const uid = randomUUID();
    const { body: previous } = await saveMarker(uid, { kind: 'DOCUMENT', file: id });
    expect((await upload('lower', 'text/html', Buffer.from('<html>'))).statusCode).toBe(400);
    expect((await saveMarker(uid, { kind: 'DOCUMENT', file: 'none', version: 1 })).status).toBe(404);
    expect((await saveMarker(uid, { kind: 'DOCUMENT', target: 'http://plain.example', version: 1 })).status).toBe(400);
    const { body } = await server.call(listMarkers, { params: { location: 'unit' }, token: editor });
    expect(body.find((marker) => marker.uid === uid)).toEqual(previous);
    expect((await server.app.inject({ url: address, headers: { authorization: `Bearer ${editor}` } })).statusCode).toBe(
      200,
    );
  });

  it('deletes documents that no marker used within a day', async () => {
    const uid = randomUUID();
    const [unused, used] = [
      (await upload('lower')).json<{ id: string; address: string }>(),
      (await upload('lower')).json<{ id: string; address: string }>(),
    ];
    await saveMarker(uid, { kind: 'DOCUMENT', file: used.id });
    const documents = server.database.of<VrTables>(vrSchema);
    await documents
      .updateTable('document')
      .set({ uploaded_at: new Date(Date.now() - 25 * 3_600_000) })
      .where('file', 'in', [unused.id, used.id])
      .execute();
    const recent = (await upload('lower')).json<{ address: string }>();
    const statuses = await Promise.all(
      [unused, used, recent].map(
        async ({ address }) =>
          (await server.app.inject({ url: address, headers: { authorization: `Bearer ${editor}` } })).statusCode,
      ),
    );
    expect(statuses).toEqual([404, 200, 200]);
  });

  it('rejects a file that was not uploaded as a document or belongs to another marker', async () => {
    const picture = await server
      .service(FileStore)
      .put(
        { name: 'panorama.jpg', mediaType: 'image/jpeg', audience: { kind: 'location', location: 'lower' } },
        Buffer.from('a picture'),
      );
    expect((await saveMarker(randomUUID(), { kind: 'DOCUMENT', file: picture.id })).status).toBe(404);
    const { id } = (await upload('lower')).json<{ id: string }>();
    const uid = randomUUID();
    expect((await saveMarker(uid, { kind: 'DOCUMENT', file: id })).status).toBe(200);
    expect((await saveMarker(randomUUID(), { kind: 'DOCUMENT', file: id })).status).toBe(404);
    const secondFile = (await upload('lower')).json<{ id: string }>();
    expect((await saveMarker(uid, { kind: 'DOCUMENT', file: secondFile.id, version: 1 })).body).toMatchObject({
      version: 2,
      file: { id: secondFile.id },
    });
    // An outdated version is refused before the document is checked.
    expect((await saveMarker(uid, { kind: 'DOCUMENT', name: 'Late', file: id, version: 1 })).status).toBe(409);
  });

  it('[ACC-04] limits markers to accessible locations and their changes to admins', async () => {
    await saveMarker(randomUUID(), { name: 'Below' });
    await saveMarker(randomUUID(), { name: 'Above' }, { location: 'upper' });
    const upperOnly = await server.signIn({ locations: ['upper'], flags: ['vrAccess'] });
    expect(await listNames(upperOnly, 'upper')).toEqual(['Above']);
    expect((await server.call(listMarkers, { params: { location: 'unit' }, token: upperOnly })).status).toBe(403);
    expect((await saveMarker(randomUUID(), {}, { token: upperOnly, location: 'upper' })).status).toBe(403);
    const withoutVr = await server.signIn({ flags: ['scanAccess'] });
    expect((await server.call(listMarkers, { params: { location: 'unit' }, token: withoutVr })).status).toBe(403);
    const uid = randomUUID();
    await saveMarker(uid);
    expect((await saveMarker(uid, { version: 1 }, { location: 'upper' })).status).toBe(404);
  });

  it('imports only markers of a site that an admin could save', async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'walkdown-markers-'));
    const { uid } = await server.addPerson({ flags: ['vrAccess', 'configure'] });
    const author = { caller: (await server.service(Callers).find({ uid }))!, requestId: 'site' };
    const content = server
      .service(SiteContents)
      .list()
      .find(({ key }) => key === 'vr.markers')!;
    const { file: _file, version: _version, ...fields } = note;
    const otherFields = { ...fields, name: 'Imported', location: 'lower', document: null, author: 'Ada' };
    const build = (changes: object, files: Readonly<Record<string, string | Buffer>> = {}) => {
      const marker = { ...otherFields, uid: randomUUID(), updatedAt: '2026-01-01T00:00:00.000Z', ...changes };
      return buildSiteImport({ folder, site: 'site', author, files: { ...files, 'markers.json': [marker] } });
    };
    const document = { file: 'sheet.pdf', name: 'sheet.pdf' };
    for (const [changes, files] of [
      [{ kind: 'DOCUMENT', target: 'javascript:alert(1)' }],
      [{ kind: 'DOCUMENT' }],
      [{ kind: 'TAG' }],
      [{ document }, { 'sheet.pdf': '%PDF-1.4' }],
      [{ uid: 'own' }],
      [{ kind: 'DOCUMENT', document }, { 'sheet.pdf': '<script>alert(1)</script>' }],
      [{ kind: 'DOCUMENT', document }, { 'sheet.pdf': Buffer.alloc(21 * 1024 * 1024, '%PDF-1.4') }],
    ] as const)
      await expect(content.check!(await build(changes, files))).rejects.toMatchObject({ code: expect.any(String) });
    const source = await build({ kind: 'DOCUMENT', document }, { 'sheet.pdf': '%PDF-1.4' });
    await content.check!(source);
    expect(await content.import(source)).toEqual({ added: 1, changed: 0, unchanged: 0 });
    expect(await listNames()).toContain('Imported');
    await rm(folder, { recursive: true });
  });

  it('seeds the demo markers once', async () => {
    const marker: DemoMarker = {
      name: 'Sheet',
      text: '',
      kind: 'DOCUMENT',
      points: [[0, 0, 0]],
      location: 'lower',
      document: { name: 'a.pdf', mediaType: 'application/pdf', content: () => Buffer.from('%PDF') },
    };
    const plant: DemoPlant & VrDemo = {
      name: 'P',
      locations: [],
      loginBackgrounds: [],
      markers: [marker],
    };
    await server.server.seed(plant);
    await server.server.seed(plant);
    expect((await listNames()).filter((name) => name === 'Sheet')).toHaveLength(1);
  });
});
