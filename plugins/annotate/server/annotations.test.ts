import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ErrorBody, LocationRow } from '#core';
import { enabledPlugin, LocationStore } from '#core/server';
import { describeOnDatabases, startTestServer, type TestServer } from '#core/testing/server';
import type { Annotation, AnnotationInput } from '#plugins/annotate';
import { annotationKinds, deleteAnnotation, listAnnotations, putAnnotation, putComment } from '../contract/api.ts';
import manifest from '../plugin.ts';
import annotate from './index.ts';

const buildLocation = (uid: string, parent: string | null, locationType: LocationRow['locationType']): LocationRow => ({
  uid,
  label: uid,
  name: uid,
  parent,
  root: 'site',
  locationType,
});
const toUid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

const buildInput = (changes: Partial<AnnotationInput> = {}): AnnotationInput => ({
  kind: 'ARROW',
  name: 'Leak',
  text: 'Drips at the flange',
  temperature: null,
  status: 'OPEN',
  points: [
    { point: [1, 2, 3.000_000_1], sigma: 0.002, source: 'RANGE_IMAGE', edge: false },
    { point: [4, 6, 3], sigma: null, source: 'MODEL', edge: true },
  ],
  tour: 'T1',
  node: 'N1',
  view: 'node=N1&pan=10',
  shared: false,
  version: 0,
  ...changes,
});

describeOnDatabases('annotations', (kind) => {
  let server: TestServer;
  let ann: string;
  let ben: string;
  /** The token of a person with the flag `configure`. */
  let cleo: string;

  beforeAll(async () => {
    server = await startTestServer({ database: kind, plugins: [enabledPlugin(manifest, {}, annotate)] });
    await server
      .service(LocationStore)
      .upsert([
        buildLocation('site', null, 'PRIMARY_LOCATION'),
        buildLocation('unit', 'site', 'PLATFORM_UNIT'),
        buildLocation('lower', 'unit', 'LOC_LEVEL'),
        buildLocation('upper', 'unit', 'LOC_LEVEL'),
      ]);
    [ann, ben, cleo] = [await server.signIn(), await server.signIn(), await server.signIn({ flags: ['configure'] })];
  });
  afterAll(() => server.close());

  const put = (token: string, uid: string, body: AnnotationInput, location = 'lower') =>
    server.call(putAnnotation, { params: { location, uid }, body, token });
  const list = async (token: string, location = 'unit') =>
    (await server.call(listAnnotations, { params: { location }, query: {}, token })).body.rows;
  const sendComment = (token: string, uid: string, n: number, text: string, location = 'lower') =>
    server.call(putComment, { params: { location, uid, comment: toUid(n) }, body: { text }, token });

  it.each(annotationKinds.map((annotationKind, index) => [annotationKind, index]))(
    '[TOUR-09] saves %s as sent, with its author',
    async (annotationKind, index) => {
      const body = buildInput({
        kind: annotationKind,
        name: annotationKind,
        temperature: annotationKind === 'TEMPERATURE' ? 84.5 : null,
      });
      const reply = await put(ann, toUid(100 + index), body);
      expect(reply.status).toBe(200);
      expect(reply.body).toMatchObject({
        ...body,
        version: 1,
        uid: toUid(100 + index),
        location: 'lower',
        own: true,
        comments: [],
      });
      expect((await list(ann)).find(({ name }) => name === annotationKind)).toEqual(reply.body);
      expect(await list(ben)).toEqual([]);
      expect((await put(ben, toUid(100 + index), { ...body, version: 1 })).status).toBe(404);
    },
  );

  it('[TOUR-09] shows a shared annotation only to people who can access its location', async () => {
    await put(ann, toUid(2), buildInput({ name: 'Shared', shared: true }));
    const [upper, lower] = [
      await server.signIn({ locations: ['upper'] }),
      await server.signIn({ locations: ['lower'] }),
    ];
    expect((await list(ben)).map(({ name }) => name)).toEqual(['Shared']);
    expect((await list(lower, 'lower')).map(({ name }) => name)).toEqual(['Shared']);
    expect(await list(upper, 'upper')).toEqual([]);
    expect((await put(upper, toUid(2), buildInput({ version: 1, shared: true }))).status).toBe(403);
    expect((await put(upper, toUid(2), buildInput({ version: 1, shared: true }), 'upper')).status).toBe(404);
    expect((await sendComment(upper, toUid(2), 50, 'Seen', 'upper')).status).toBe(404);
  });

  it('[TOUR-09] lets the author and people with `configure` set the status, and returns the current version on conflict', async () => {
    expect((await put(ben, toUid(2), buildInput({ status: 'DONE', shared: true, version: 1 }))).status).toBe(403);
    expect((await list(ben)).map(({ status, editable }) => [status, editable])).toEqual([['OPEN', false]]);
    expect((await put(cleo, toUid(2), buildInput({ status: 'DONE', shared: true, version: 1 }))).body).toMatchObject({
      status: 'DONE',
      version: 2,
      own: false,
      author: expect.any(String),
    });
    const reply = await put(ann, toUid(2), buildInput({ text: 'Worse', shared: true, version: 1 }));
    expect(reply.status).toBe(409);
    const { code, current } = reply.body as unknown as ErrorBody;
    expect(code).toBe('E007');
    expect(current as Annotation).toMatchObject({ status: 'DONE', version: 2, own: true });
    expect((await put(ann, toUid(2), buildInput({ text: 'Worse', shared: true, version: 2 }))).body).toMatchObject({
      status: 'OPEN',
      version: 3,
    });
    expect((await put(cleo, toUid(2), buildInput({ shared: false, version: 3 }))).status).toBe(403);
  });

  it('[TOUR-09] saves each comment once, from everyone who can see the annotation', async () => {
    expect((await sendComment(ben, toUid(2), 11, 'Seen it too')).status).toBe(200);
    const replies = await Promise.all([
      sendComment(ann, toUid(2), 12, 'Ordered a gasket'),
      sendComment(ann, toUid(2), 12, 'Ordered a gasket'),
    ]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    const [shared] = (await list(ben)).filter(({ uid }) => uid === toUid(2));
    expect(shared!.comments.map(({ text }) => text)).toEqual(['Seen it too', 'Ordered a gasket']);
    expect(shared!.version).toBe(3);
    expect((await sendComment(ben, toUid(2), 12, "Somebody else's uid")).status).toBe(404);
    expect((await sendComment(ben, toUid(100), 13, 'Not mine to see')).status).toBe(404);
    expect((await sendComment(ben, toUid(2), 14, '  ')).status).toBe(400);
    expect(
      (await put(ann, toUid(2), buildInput({ name: 'Renamed', shared: true, version: 3 }))).body.comments,
    ).toHaveLength(2);
  });

  it('[TOUR-09] saves a repeated request once, also if both are simultaneous', async () => {
    const replies = await Promise.all([
      put(ann, toUid(3), buildInput({ name: 'Once' })),
      put(ann, toUid(3), buildInput({ name: 'Once' })),
    ]);
    expect(replies.map(({ status, body }) => [status, body.version])).toEqual([
      [200, 1],
      [200, 1],
    ]);
  });

  it('[TOUR-09] lets only the author delete the annotation and its comments', async () => {
    const remove = (token: string, uid: string) =>
      server.call(deleteAnnotation, { params: { location: 'lower', uid }, token });
    expect((await remove(ben, toUid(2))).status).toBe(403);
    expect((await remove(ben, toUid(3))).status).toBe(404);
    expect((await remove(ann, toUid(2))).status).toBe(200);
    expect((await remove(ann, toUid(2))).status).toBe(200);
    expect(await list(ben)).toEqual([]);
    expect((await put(ann, toUid(2), buildInput({ name: 'Back', shared: true, version: 4 }))).body).toMatchObject({
      version: 5,
      comments: [],
    });
  });

  it.each([[{ kind: 'CLOUD' }], [{ name: '' }], [{ points: [] }], [{ status: 'LATER' }], [{ temperature: -300 }]])(
    'refuses the invalid input %j',
    async (changes) => {
      expect((await put(ann, toUid(9), { ...buildInput(), ...changes } as AnnotationInput)).status).toBe(400);
    },
  );
});
