import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import type { LocationRow } from '#core';
import { enabledPlugin, LocationStore } from '#core/server';
import {
  describeOnDatabases,
  EventReader,
  createTestDatabase,
  startTestServer,
  type TestDatabase,
  type TestServer,
} from '#core/testing/server';
import type { AnnotationInput, MeasurementInput, SnapshotInput } from '#plugins/annotate';
import {
  deleteAnnotation,
  deleteMeasurement,
  listAnnotations,
  putAnnotation,
  putComment,
  putMeasurement,
  putSnapshot,
} from '../contract/api.ts';
import manifest from '../plugin.ts';
import annotate from './index.ts';

const locationRow = (
  uid: string,
  parent: string | null,
  locationType: LocationRow['locationType'] = 'LOC_LEVEL',
): LocationRow => ({ uid, label: uid, name: uid, parent, root: 'site', locationType });

const toUid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const point = { point: [1, 2, 3], sigma: null, source: 'MODEL', edge: false } as const;
const commonFields = { name: 'Secret name', tour: 'T1', node: null, view: null, shared: true, version: 0 };
const buildAnnotation = (changes: Partial<AnnotationInput> = {}): AnnotationInput => ({
  ...commonFields,
  kind: 'TEXT_LABEL',
  text: 'Secret text',
  temperature: null,
  status: 'OPEN',
  points: [{ ...point, point: [1, 2, 3] }],
  ...changes,
});
const buildMeasurement = (changes: Partial<MeasurementInput> = {}): MeasurementInput => ({
  ...commonFields,
  kind: 'CORDINATES',
  points: [{ ...point, point: [1, 2, 3] }],
  result: { value: null, sigma: null, details: {} },
  unit: 'm',
  ...changes,
});
const buildSnapshot = (changes: Partial<SnapshotInput> = {}): SnapshotInput => ({
  ...commonFields,
  text: '',
  tag: null,
  marks: [],
  ...changes,
});

const plugins = [enabledPlugin(manifest, {}, annotate)];
const addLocations = (server: TestServer): Promise<void> =>
  server
    .service(LocationStore)
    .upsert([
      locationRow('site', null, 'PRIMARY_LOCATION'),
      locationRow('lower', 'site'),
      locationRow('upper', 'site'),
    ]);

const readers: EventReader[] = [];
afterEach(() => Promise.all(readers.splice(0).map((reader) => reader.close())));

/** Tests that `listener` announces the changes made at `writer`. Both are one server or share one database. */
function testAnnouncements(servers: () => { readonly writer: TestServer; readonly listener: TestServer }): void {
  const connectReader = async (token: string): Promise<EventReader> => {
    const reader = await EventReader.connect(await servers().listener.url(), token);
    readers.push(reader);
    return reader;
  };
  /** Makes a final change at a location and returns the events that the reader received before it. */
  const readChanges = async (reader: EventReader, location = 'lower'): Promise<unknown[]> => {
    const { writer } = servers();
    const uid = crypto.randomUUID();
    const token = await writer.signIn();
    await writer.call(putMeasurement, { params: { location, uid }, body: buildMeasurement(), token });
    await reader.waitFor(({ data }) => (data as { uid?: string }).uid === uid);
    return reader.events
      .filter(({ topic }) => topic === 'annotate.annotationChanged' || topic === 'annotate.snapshotChanged')
      .map(({ topic, data }) => [topic.replace('annotate.', ''), data]);
  };

  it('[TOUR-22] announces changes of a shared annotation to everyone who can access its location, without its content', async () => {
    const { writer, listener } = servers();
    const ann = await writer.signIn();
    const [ben, upper] = [
      await connectReader(await listener.signIn({ locations: ['lower'] })),
      await connectReader(await listener.signIn({ locations: ['upper'] })),
    ];
    const uid = crypto.randomUUID();
    const put = (version: number, changes: Partial<AnnotationInput> = {}) =>
      writer.call(putAnnotation, {
        params: { location: 'lower', uid },
        body: buildAnnotation({ version, ...changes }),
        token: ann,
      });
    await put(0);
    await put(1, { text: 'changed' });
    await writer.call(putComment, {
      params: { location: 'lower', uid, comment: crypto.randomUUID() },
      body: { text: 'Secret comment' },
      token: ann,
    });
    await put(2, { shared: false });
    await put(3, { text: 'changed while private', shared: false });
    await put(4, { shared: true });
    await writer.call(deleteAnnotation, { params: { location: 'lower', uid }, token: ann });
    const buildChange = (version: number, comments: number, deleted = false) => [
      'annotationChanged',
      { uid, location: 'lower', version, deleted, comments },
    ];
    expect(await readChanges(ben)).toEqual([
      buildChange(1, 0),
      buildChange(2, 0),
      buildChange(2, 1),
      buildChange(3, 1),
      buildChange(5, 1),
      buildChange(5, 0, true),
    ]);
    expect(await readChanges(upper, 'upper')).toEqual([]);
  });

  it('[TOUR-22] announces a private annotation only to its author', async () => {
    const { writer, listener } = servers();
    const person = await writer.addPerson();
    const [token, own, other] = [
      await writer.signIn(person),
      await connectReader(await listener.signIn(person)),
      await connectReader(await listener.signIn()),
    ];
    const uid = crypto.randomUUID();
    await writer.call(putAnnotation, {
      params: { location: 'lower', uid },
      body: buildAnnotation({ shared: false }),
      token,
    });
    await writer.call(deleteAnnotation, { params: { location: 'lower', uid }, token });
    expect(await readChanges(own)).toHaveLength(2);
    expect(await readChanges(other)).toEqual([]);
  });

  it('[TOUR-22] does not announce repeated or refused requests', async () => {
    const { writer, listener } = servers();
    const [ann, ben, reader] = [
      await writer.signIn(),
      await writer.signIn(),
      await connectReader(await listener.signIn()),
    ];
    const params = { location: 'lower', uid: crypto.randomUUID() };
    await writer.call(putAnnotation, { params, body: buildAnnotation(), token: ann });
    const replies = [
      await writer.call(putAnnotation, { params, body: buildAnnotation(), token: ann }),
      await writer.call(putAnnotation, { params, body: buildAnnotation({ version: 1 }), token: ben }),
      await writer.call(putAnnotation, { params, body: buildAnnotation({ text: 'other', version: 0 }), token: ann }),
      await writer.call(deleteAnnotation, { params, token: ben }),
    ];
    expect(replies.map(({ status }) => status)).toEqual([200, 403, 409, 403]);
    expect(await readChanges(reader)).toHaveLength(1);
  });

  it('[TOUR-22] announces a snapshot to other people after its picture is uploaded', async () => {
    const { writer, listener } = servers();
    const [ann, reader] = [await writer.signIn(), await connectReader(await listener.signIn())];
    const uid = crypto.randomUUID();
    await writer.call(putSnapshot, { params: { location: 'lower', uid }, body: buildSnapshot(), token: ann });
    expect(await readChanges(reader)).toEqual([]);
    const form = new FormData();
    const jpeg = await sharp({ create: { width: 16, height: 16, channels: 3, background: 'red' } })
      .jpeg()
      .toBuffer();
    for (const part of ['picture', 'thumbnail']) form.append(part, new Blob([new Uint8Array(jpeg)]), `${part}.jpg`);
    const { status } = await fetch(`${await writer.url()}/api/annotate/lower/snapshots/${uid}/picture`, {
      method: 'PUT',
      body: form,
      headers: { authorization: `Bearer ${ann}` },
    });
    expect(status).toBe(200);
    expect(await readChanges(reader)).toEqual([
      ['snapshotChanged', { uid, location: 'lower', version: 1, deleted: false }],
    ]);
  });
}

describeOnDatabases('live changes', (kind) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ database: kind, plugins });
    await addLocations(server);
  });
  afterAll(() => server.close());

  testAnnouncements(() => ({ writer: server, listener: server }));

  it('[TOUR-22] lists only the requested annotations that the caller can see', async () => {
    const [ann, ben] = [await server.signIn(), await server.signIn()];
    for (const [n, shared] of [true, false, true].entries())
      await server.call(putAnnotation, {
        params: { location: 'lower', uid: toUid(n) },
        body: buildAnnotation({ shared }),
        token: ann,
      });
    await server.call(deleteAnnotation, { params: { location: 'lower', uid: toUid(2) }, token: ann });
    const listUids = async (token: string, uids: readonly string[]) =>
      (
        await server.call(listAnnotations, { params: { location: 'site' }, query: { uids: [...uids] }, token })
      ).body.rows.map(({ uid }) => uid);
    expect((await listUids(ann, [0, 1, 2].map(toUid))).toSorted()).toEqual([toUid(0), toUid(1)]);
    expect(await listUids(ben, [0, 1, 2].map(toUid))).toEqual([toUid(0)]);
    expect(await listUids(ben, [toUid(1)])).toEqual([]);
    const manyUids = Array.from({ length: 51 }, (_, n) => toUid(n));
    const reply = await server.call(listAnnotations, {
      params: { location: 'site' },
      query: { uids: manyUids },
      token: ann,
    });
    expect(reply.status).toBe(400);
  });

  it("[TOUR-22] audits and announces a deletion of another person's measurement once", async () => {
    const [ann, cleo] = [await server.signIn(), await server.signIn({ flags: ['configure'] })];
    const reader = await EventReader.connect(await server.url(), ann);
    readers.push(reader);
    const uid = crypto.randomUUID();
    const params = { location: 'lower', uid };
    await server.call(putMeasurement, { params, body: buildMeasurement(), token: ann });
    await Promise.all([cleo, cleo].map((token) => server.call(deleteMeasurement, { params, token })));
    await reader.waitFor(({ data }) => (data as { deleted?: boolean }).deleted === true);
    await server.call(putMeasurement, { params, body: buildMeasurement({ version: 1 }), token: ann });
    await reader.waitFor(({ data }) => (data as { version?: number }).version === 2);
    expect(
      reader.events.filter(({ topic }) => topic === 'annotate.measurementChanged').map(({ data }) => data),
    ).toMatchObject([
      { uid, version: 1, deleted: false },
      { uid, version: 1, deleted: true },
      { uid, version: 2, deleted: false },
    ]);
  });
});

const postgres = inject('postgres');
describe.skipIf('missing' in postgres)(
  `live changes of two servers over one PostgreSQL${'missing' in postgres ? ` (not run: ${postgres.missing})` : ''}`,
  () => {
    let sharedDatabase: TestDatabase;
    let first: TestServer;
    let second: TestServer;
    beforeAll(async () => {
      sharedDatabase = await createTestDatabase('postgres');
      first = await startTestServer({ database: sharedDatabase, plugins });
      second = await startTestServer({ database: sharedDatabase, plugins });
      await addLocations(first);
    });
    afterAll(async () => {
      await first.close();
      await second.close();
      await sharedDatabase.remove();
    });

    testAnnouncements(() => ({ writer: first, listener: second }));
  },
);
