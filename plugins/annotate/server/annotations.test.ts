import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ErrorBody, LocationRow } from '#core';
import { enabledPlugin, LocationStore } from '#core/server';
import { describeOnDatabases, startTestServer, type TestServer } from '#core/testing/server';
import type { Annotation, AnnotationInput } from '#plugins/annotate';
import { annotationKinds, deleteAnnotation, listAnnotations, putAnnotation, putComment } from '../contract/api.ts';
import manifest from '../plugin.ts';
import annotate from './index.ts';

const row = (uid: string, parent: string | null, locationType: LocationRow['locationType']): LocationRow => ({
  uid,
  label: uid,
  name: uid,
  parent,
  root: 'site',
  locationType,
});
const toUid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

const written = (changes: Partial<AnnotationInput> = {}): AnnotationInput => ({
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
  /** Has the flag `configure`. */
  let cleo: string;

  beforeAll(async () => {
    server = await startTestServer({ database: kind, plugins: [enabledPlugin(manifest, {}, annotate)] });
    await server
      .service(LocationStore)
      .upsert([
        row('site', null, 'PRIMARY_LOCATION'),
        row('unit', 'site', 'PLATFORM_UNIT'),
        row('lower', 'unit', 'LOC_LEVEL'),
        row('upper', 'unit', 'LOC_LEVEL'),
      ]);
    [ann, ben, cleo] = [await server.signIn(), await server.signIn(), await server.signIn({ flags: ['configure'] })];
  });
  afterAll(() => server.close());

  const put = (token: string, uid: string, body: AnnotationInput, location = 'lower') =>
    server.call(putAnnotation, { params: { location, uid }, body, token });
  const list = async (token: string, location = 'unit') =>
    (await server.call(listAnnotations, { params: { location }, query: {}, token })).body.rows;
  const comment = (token: string, uid: string, n: number, text: string, location = 'lower') =>
    server.call(putComment, { params: { location, uid, comment: toUid(n) }, body: { text }, token });

  it.each(annotationKinds.map((each, index) => [each, index]))(
    '[TOUR-09] saves %s as sent, with its author',
    async (each, index) => {
      const body = written({ kind: each, name: each, temperature: each === 'TEMPERATURE' ? 84.5 : null });
      const answer = await put(ann, toUid(100 + index), body);
      expect(answer.status).toBe(200);
      expect(answer.body).toMatchObject({
        ...body,
        version: 1,
        uid: toUid(100 + index),
        location: 'lower',
        own: true,
        comments: [],
      });
      expect((await list(ann)).find(({ name }) => name === each)).toEqual(answer.body);
      expect(await list(ben)).toEqual([]);
      expect((await put(ben, toUid(100 + index), { ...body, version: 1 })).status).toBe(404);
    },
  );

  it('[TOUR-09] shows a shared one only to people who can access its location', async () => {
    await put(ann, toUid(2), written({ name: 'Shared', shared: true }));
    const [upper, lower] = [
      await server.signIn({ locations: ['upper'] }),
      await server.signIn({ locations: ['lower'] }),
    ];
    expect((await list(ben)).map(({ name }) => name)).toEqual(['Shared']);
    expect((await list(lower, 'lower')).map(({ name }) => name)).toEqual(['Shared']);
    expect(await list(upper, 'upper')).toEqual([]);
    expect((await put(upper, toUid(2), written({ version: 1, shared: true }))).status).toBe(403);
    expect((await put(upper, toUid(2), written({ version: 1, shared: true }), 'upper')).status).toBe(404);
    expect((await comment(upper, toUid(2), 50, 'Seen', 'upper')).status).toBe(404);
  });

  it('[TOUR-09] lets the author and people with `configure` set the status, and returns the current version on conflict', async () => {
    expect((await put(ben, toUid(2), written({ status: 'DONE', shared: true, version: 1 }))).status).toBe(403);
    expect((await list(ben)).map(({ status, editable }) => [status, editable])).toEqual([['OPEN', false]]);
    expect((await put(cleo, toUid(2), written({ status: 'DONE', shared: true, version: 1 }))).body).toMatchObject({
      status: 'DONE',
      version: 2,
      own: false,
      author: expect.any(String),
    });
    const refused = await put(ann, toUid(2), written({ text: 'Worse', shared: true, version: 1 }));
    expect(refused.status).toBe(409);
    const { code, current } = refused.body as unknown as ErrorBody;
    expect(code).toBe('E007');
    expect(current as Annotation).toMatchObject({ status: 'DONE', version: 2, own: true });
    expect((await put(ann, toUid(2), written({ text: 'Worse', shared: true, version: 2 }))).body).toMatchObject({
      status: 'OPEN',
      version: 3,
    });
    expect((await put(cleo, toUid(2), written({ shared: false, version: 3 }))).status).toBe(403);
  });

  it('[TOUR-09] accepts comments from everyone who can see it, each once, oldest first', async () => {
    expect((await comment(ben, toUid(2), 11, 'Seen it too')).status).toBe(200);
    const twice = await Promise.all([
      comment(ann, toUid(2), 12, 'Ordered a gasket'),
      comment(ann, toUid(2), 12, 'Ordered a gasket'),
    ]);
    expect(twice.map(({ status }) => status)).toEqual([200, 200]);
    const [shared] = (await list(ben)).filter(({ uid }) => uid === toUid(2));
    expect(shared!.comments.map(({ text }) => text)).toEqual(['Seen it too', 'Ordered a gasket']);
    expect(shared!.version).toBe(3);
    expect((await comment(ben, toUid(2), 12, "Somebody else's uid")).status).toBe(404);
    expect((await comment(ben, toUid(100), 13, 'Not mine to see')).status).toBe(404);
    expect((await comment(ben, toUid(2), 14, '  ')).status).toBe(400);
    expect(
      (await put(ann, toUid(2), written({ name: 'Renamed', shared: true, version: 3 }))).body.comments,
    ).toHaveLength(2);
  });

  it('[TOUR-09] saves a repeated request once, also if both are simultaneous', async () => {
    const answers = await Promise.all([
      put(ann, toUid(3), written({ name: 'Once' })),
      put(ann, toUid(3), written({ name: 'Once' })),
    ]);
    expect(answers.map(({ status, body }) => [status, body.version])).toEqual([
      [200, 1],
      [200, 1],
    ]);
  });

  it('[TOUR-09] deletes for the author, with the comments', async () => {
    const remove = (token: string, uid: string) =>
      server.call(deleteAnnotation, { params: { location: 'lower', uid }, token });
    expect((await remove(ben, toUid(2))).status).toBe(403);
    expect((await remove(ben, toUid(3))).status).toBe(404);
    expect((await remove(ann, toUid(2))).status).toBe(200);
    expect((await remove(ann, toUid(2))).status).toBe(200);
    expect(await list(ben)).toEqual([]);
    expect((await put(ann, toUid(2), written({ name: 'Back', shared: true, version: 4 }))).body).toMatchObject({
      version: 5,
      comments: [],
    });
  });

  it.each([[{ kind: 'CLOUD' }], [{ name: '' }], [{ points: [] }], [{ status: 'LATER' }], [{ temperature: -300 }]])(
    'refuses %j',
    async (wrong) => {
      expect((await put(ann, toUid(9), { ...written(), ...wrong } as AnnotationInput)).status).toBe(400);
    },
  );
});
