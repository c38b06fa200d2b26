import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { BodyOf, ErrorBody, LocationRow } from '#core';
import { undoChange, type Changed } from '#core/api';
import { enabledPlugin, FileStore, LocationStore } from '#core/server';
import { describeOnDatabases, QueryCounter, startTestServer, type TestServer } from '#core/testing/server';
import { updateCode, getDocument, getTag, listNodeTags, searchTags } from '../../contract/api.ts';
import {
  updateDocument,
  updateRevision,
  createDocument,
  deleteDocument,
  deleteRevision,
  getContentDocument,
  listContentDocuments,
  saveDocumentLinks,
} from '../../contract/api/document-content.ts';
import {
  updateTag,
  createTag,
  deleteTag,
  getContentTag,
  listContentTags,
  placeTag,
  previewTagViews,
} from '../../contract/api/tag-content.ts';
import { updateNodes, deleteNodes } from '../../contract/api/tour-content.ts';
import manifest from '../../plugin.ts';
import { buildNodeRow, buildTourRow, insertTourRows, nodeUid, tourUid } from '../../testing/server/tour-rows.ts';
import plugin from '../index.ts';
import { tourSchema, type TourTables } from '../tables.ts';

const buildLocation = (
  uid: string,
  parent: string | null,
  locationType: LocationRow['locationType'],
  root = 'K',
): LocationRow => ({ uid, name: uid, label: '', parent, root, locationType });

type TagInput = BodyOf<typeof createTag>;
const buildTag = (number: string, changes: Partial<TagInput> = {}): TagInput => ({
  uid: randomUUID(),
  number,
  type: 'TAG',
  kind: 'VALVE',
  description: '',
  location: 'K-1',
  line: null,
  position: null,
  pipe: null,
  ...changes,
});
const buildLine = (number: string, changes: Partial<TagInput> = {}): TagInput =>
  buildTag(number, {
    type: 'LINE',
    kind: 'LINE',
    pipe: { service: 'PG', nps: '6', dn: 150, outsideDiameter: 0.1683, from: 'V-1', to: '' },
    ...changes,
  });

describeOnDatabases('tags and documents', (database) => {
  let server: TestServer;
  let admin: string;
  let otherUnitAdmin: string;
  beforeAll(async () => {
    server = await startTestServer({ database, plugins: [enabledPlugin(manifest, {}, plugin)] });
    await server
      .service(LocationStore)
      .upsert([
        buildLocation('K', null, 'PRIMARY_LOCATION'),
        buildLocation('K-1', 'K', 'PLATFORM_UNIT'),
        buildLocation('K-2', 'K', 'PLATFORM_UNIT'),
        buildLocation('L', null, 'PRIMARY_LOCATION', 'L'),
      ]);
    admin = await server.signIn({ flags: ['configure'] });
    otherUnitAdmin = await server.signIn({ flags: ['configure'], locations: ['K-2'] });
  });
  afterAll(() => server.close());
  const tables = () => server.database.of<TourTables>(tourSchema);
  /** A tour of three nodes: B is 10 m and C 40 m north of A, all at x = 0 and 2 m high. */
  beforeEach(async () => {
    for (const table of ['node', 'tour', 'code', 'tag', 'document'] as const)
      await tables().deleteFrom(table).execute();
    const unit = { site: 'K', location: 'K-1' };
    await insertTourRows(server.database, {
      tours: [buildTourRow('T1', unit)],
      nodes: [0, 10, 40].map((y, position) => buildNodeRow('ABC'[position]!, { ...unit, y, position })),
    });
  });

  const undo = ({ change }: Changed, token = admin) =>
    server.call(undoChange, { params: { change: change ?? '' }, body: {}, token });
  const readMessage = ({ refusal }: { readonly refusal: ErrorBody }) => refusal.refusal?.message;
  const add = (tag: TagInput, token = admin, location = 'K') =>
    server.call(createTag, { params: { location }, body: tag, token });
  const read = async (tag: string) =>
    (await server.call(getContentTag, { params: { location: 'K', tag }, token: admin })).body;
  const list = async (query: object = {}, location = 'K') =>
    (await server.call(listContentTags, { params: { location }, query, token: admin })).body;
  const change = ({ uid, ...tag }: TagInput, version = 1, token = admin, location = 'K') =>
    server.call(updateTag, { params: { location, tag: uid }, body: { ...tag, version }, token });
  const place = (tag: string, position: readonly [number, number, number] | null, version = 1) =>
    server.call(placeTag, { params: { location: 'K', tag }, body: { position, version }, token: admin });
  const remove = (tag: string, version = 1, token = admin, location = 'K') =>
    server.call(deleteTag, { params: { location, tag }, query: { version }, token });
  const readViews = async (tag: string) =>
    (await read(tag)).seenFrom.map(({ code, visible }) => [code, visible] as const);

  it('lists tags in pages, with search, order and filters', async () => {
    const line = buildLine('6"-PG-10021-A1B', { location: 'K-2' });
    for (const tag of [
      line,
      buildTag('PT-1001', { kind: 'INSTRUMENT', description: 'Inlet pressure of V-1', line: line.uid }),
      buildTag('V-1', { kind: 'VESSEL', position: [1, 2, 3], description: 'Test separator' }),
    ])
      expect((await add(tag)).status).toBe(201);
    const numbers = async (query: object, location?: string) =>
      (await list(query, location)).rows.map(({ number }) => number);
    expect(await numbers({})).toEqual(['6"-PG-10021-A1B', 'PT-1001', 'V-1']);
    expect(await numbers({ sort: 'description', descending: 'true' })).toEqual(['V-1', 'PT-1001', '6"-PG-10021-A1B']);
    expect(await numbers({ text: 'pt1001' })).toEqual(['PT-1001']);
    expect(await numbers({ text: 'separ' })).toEqual(['V-1']);
    expect(await numbers({ text: 'V-1' })).toEqual(['V-1', 'PT-1001']);
    expect(await numbers({ type: 'LINE' })).toEqual(['6"-PG-10021-A1B']);
    expect(await numbers({ kind: 'VESSEL', place: 'PLACED' })).toEqual(['V-1']);
    expect(await numbers({ place: 'UNPLACED' }, 'K-1')).toEqual(['PT-1001']);
    expect(await list({ offset: 1, limit: 1 })).toMatchObject({
      total: 3,
      offset: 1,
      rows: [{ number: 'PT-1001', line: { uid: line.uid, number: line.number }, position: null, version: 1 }],
    });
  });

  it('[DAT-03] creates, changes, renames and deletes tags, and undoes each change', async () => {
    const tag = buildTag('V-1', { kind: 'VESSEL' });
    const createReply = await add(tag);
    expect(await add(tag)).toMatchObject({ status: 201, body: createReply.body });
    expect((await add({ ...tag, description: 'Other' })).status).toBe(409);
    const duplicateReply = await add(buildTag('v-1'));
    expect(readMessage(duplicateReply)).toBe('tour.refused.codeTaken');
    expect(duplicateReply.refusal.fields).toEqual([
      { pointer: '/number', message: 'core.validation.duplicate', values: { value: 'V-1' } },
    ]);
    const renameReply = await change({ ...tag, number: 'V-100', description: 'Test separator' });
    expect(await read(tag.uid)).toMatchObject({ number: 'V-100', formerNumbers: ['V-1'], version: 2 });
    const find = async (text: string) =>
      (await server.call(searchTags, { params: { location: 'K-1' }, query: { text }, token: admin })).body;
    expect(await find('V-100')).toMatchObject([{ number: 'V-100' }]);
    const visitReply = await server.call(getTag, { params: { location: 'K-1', number: 'V-1' }, token: admin });
    expect(visitReply.body).toMatchObject({ number: 'V-100', formerNumbers: ['V-1'] });
    expect(readMessage(await add(buildTag('V-1')))).toBe('tour.refused.codeTaken');
    expect((await change({ ...tag, number: 'V-2' }, 1)).refusal.current).toMatchObject({ number: 'V-100', version: 2 });
    await undo(renameReply.body);
    expect(await read(tag.uid)).toMatchObject({ number: 'V-1', formerNumbers: [], description: '', version: 3 });
    expect(await find('V100')).toEqual([]);
    const deleteReply = await remove(tag.uid, 3);
    expect((await list()).total).toBe(0);
    await undo(deleteReply.body);
    expect(await read(tag.uid)).toMatchObject({ number: 'V-1', kind: 'VESSEL' });
  });

  it('renames a tag to a former number, and to another case of the current number', async () => {
    const tag = buildTag('V-1');
    await add(tag);
    expect((await change({ ...tag, number: 'v-1' }, 1)).status).toBe(200);
    expect((await change({ ...tag, number: 'V-2' }, 2)).status).toBe(200);
    expect((await change({ ...tag, number: 'V-1' }, 3)).status).toBe(200);
    expect((await read(tag.uid)).number).toBe('V-1');
  });

  it.each<Partial<TagInput>>([
    { number: '---' },
    { number: ' V' },
    { kind: 'LINE' },
    { type: 'LINE' },
    { pipe: buildLine('x').pipe },
    { location: 'L' },
    { line: 'nothing' },
    { description: 'a\u0007' },
  ])('refuse %j', async (changes) => {
    expect((await add(buildTag('V-1', changes))).status).toBe(400);
    expect((await list()).total).toBe(0);
  });

  it('increments the version if only the number is changed', async () => {
    const tag = buildTag('V-1');
    await add(tag);
    const params = { location: 'K', kind: 'TAG' as const, uid: tag.uid };
    expect((await server.call(updateCode, { params, body: { code: 'V-9' }, token: admin })).status).toBe(200);
    expect(await read(tag.uid)).toMatchObject({ number: 'V-9', version: 2 });
    expect((await change(tag)).status).toBe(409);
  });

  it('[DAT-03] assigns tags to lines, and keeps the tags of a line until it is deleted', async () => {
    const line = buildLine('6-PG-1');
    const valve = buildTag('HV-1', { line: line.uid });
    await add(line);
    await add(valve);
    expect(await read(line.uid)).toMatchObject({ tagsOnLine: 1, pipe: line.pipe });
    expect(readMessage(await change({ ...line, type: 'TAG', kind: 'OTHER', pipe: null }))).toBe(
      'tour.refused.lineHasTags',
    );
    const changeReply = await change({ ...line, pipe: { ...line.pipe!, nps: '8', dn: 200, outsideDiameter: 0.2191 } });
    expect(await read(line.uid)).toMatchObject({ pipe: { nps: '8', dn: 200 }, version: 2 });
    expect((await change(line, 1)).status).toBe(409);
    await undo(changeReply.body);
    const { pipe, version } = await read(line.uid);
    expect(pipe).toEqual(line.pipe);
    const deleteReply = await remove(line.uid, version);
    expect((await read(valve.uid)).line).toBeNull();
    await undo(deleteReply.body);
    expect((await read(valve.uid)).line).toEqual({ uid: line.uid, number: '6-PG-1' });
    expect((await read(line.uid)).pipe).toEqual(line.pipe);
  });

  it('treats a line with a course as placed, and shows it from the viewpoint nearest to the course', async () => {
    const line = buildLine('6-PG-1', { location: 'K-1' });
    await add(line);
    const visit = async () =>
      (await server.call(getTag, { params: { location: 'K-1', number: '6-PG-1' }, token: admin })).body.seenFrom;
    expect([await visit(), (await list()).rows[0]?.hasCourse]).toEqual([[], undefined]);
    const points = JSON.stringify([
      [-100, 12, 2],
      [100, 12, 2],
    ]);
    await tables().updateTable('pipe').set({ points }).where('line', '=', line.uid).execute();
    expect(await visit()).toEqual([{ node: nodeUid('B'), pan: 0, tilt: 0, distance: 2, visible: 1 }]);
    expect((await list()).rows[0]).toMatchObject({ position: null, views: 0, hasCourse: true });
  });

  it('[DAT-03] computes the viewpoints within 25 m, also after a move, a new viewpoint and an undo', async () => {
    const tag = buildTag('V-1', { position: [0, 20, 2] });
    const createReply = await add(tag);
    expect((await list()).rows[0]).toMatchObject({ views: 3 });
    expect((await readViews(tag.uid)).map(([code]) => code)).toEqual(['B', 'A', 'C']);
    const visitReply = await server.call(getTag, { params: { location: 'K-1', number: 'V-1' }, token: admin });
    expect(visitReply.body.seenFrom[0]).toEqual({ node: nodeUid('B'), pan: 0, tilt: 0, distance: 10, visible: 1 });
    const moveReply = await place(tag.uid, [0, 5, 3]);
    expect((await readViews(tag.uid)).map(([code]) => code)).toEqual(['A', 'B']);
    const nodes = [{ uid: nodeUid('C'), name: 'C', deck: null, position: [0, 8, 2] as const, heading: 0, version: 1 }];
    const nearer = await server.call(updateNodes, {
      params: { location: 'K', tour: tourUid('T1') },
      body: { nodes },
      token: admin,
    });
    expect((await readViews(tag.uid)).map(([code]) => code)).toEqual(['C', 'A', 'B']);
    await undo(moveReply.body);
    expect((await readViews(tag.uid)).map(([code]) => code)).toEqual(['B', 'C', 'A']);
    await undo(nearer.body);
    expect((await readViews(tag.uid)).map(([code]) => code)).toEqual(['B', 'A', 'C']);
    const unplaceReply = await place(tag.uid, null, 3);
    expect(await readViews(tag.uid)).toEqual([]);
    await undo(unplaceReply.body);
    const deleteReply = await server.call(deleteNodes, {
      params: { location: 'K', tour: tourUid('T1') },
      body: { nodes: [{ uid: nodeUid('B'), version: 1 }] },
      token: admin,
    });
    expect((await readViews(tag.uid)).map(([code]) => code)).toEqual(['A', 'C']);
    await undo(deleteReply.body);
    expect((await readViews(tag.uid)).map(([code]) => code)).toEqual(['B', 'A', 'C']);
    await undo(createReply.body);
    expect((await list()).total).toBe(0);
  });

  it('lists equally distant viewpoints by their codes', async () => {
    const tag = buildTag('V-1', { position: [0, 20, 2] });
    await add(tag);
    await tables().updateTable('node').set({ code: 'Z' }).where('uid', '=', nodeUid('A')).execute();
    expect((await readViews(tag.uid)).map(([code]) => code)).toEqual(['B', 'C', 'Z']);
  });

  it('keeps the views of a line without a position after the line is changed, and after its deletion is undone', async () => {
    const line = buildLine('6-PG-1');
    await add(line);
    const givenView = { pan: 1, tilt: 2, distance: 3, visible: 0.5 };
    const view = { tag: line.uid, node: nodeUid('A'), ...givenView };
    await tables()
      .insertInto('tag_view')
      .values({ ...view, given: null })
      .execute();
    await change({ ...line, description: 'New' });
    const deleteReply = await remove(line.uid, 2);
    await undo(deleteReply.body);
    expect(await tables().selectFrom('tag_view').selectAll().execute()).toEqual([{ ...view, given: givenView }]);
  });

  /** Stores a range image of a wall at this distance, metres, in all directions. */
  const putRange = async (metres: number) => {
    const background = { r: (metres * 1000) >> 8, g: (metres * 1000) & 255, b: 0 };
    const range = await sharp({ create: { width: 64, height: 32, channels: 3, background } })
      .webp({ lossless: true })
      .toBuffer();
    const audience = { kind: 'location', location: 'K-1' } as const;
    return (await server.service(FileStore).put({ name: 'a.webp', mediaType: 'image/webp', audience }, range)).id;
  };

  it('hides tags even if the range image of another viewpoint is unreadable', async () => {
    // The first one by uid is checked first.
    const [unreadable, whole] = ['A', 'B'].toSorted((a, b) => (nodeUid(a) < nodeUid(b) ? -1 : 1)) as [string, string];
    await tables().updateTable('node').set({ range_file: 'gone' }).where('code', '=', unreadable).execute();
    await tables()
      .updateTable('node')
      .set({ range_file: await putRange(2) })
      .where('code', '=', whole)
      .execute();
    const tag = buildTag('V-1', { position: [0, 5, 2] });
    await add(tag);
    await expect.poll(() => readViews(tag.uid), { timeout: 10_000 }).toEqual([[unreadable, null]]);
  });

  it('[DAT-03] hides tags behind a nearer surface of a range image', async () => {
    // A wall 5 m around A; the nodes B and C have no range image.
    const id = await putRange(5);
    await tables().updateTable('node').set({ range_file: id }).where('code', '=', 'A').execute();
    const [near, far] = [buildTag('V-1', { position: [0, 4, 2] }), buildTag('V-2', { position: [0, 12, 2] })];
    await add(near);
    await add(far);
    await expect
      .poll(() => readViews(near.uid), { timeout: 10_000 })
      .toEqual([
        ['A', 1],
        ['B', null],
      ]);
    await expect.poll(() => readViews(far.uid), { timeout: 10_000 }).toEqual([['B', null]]);
    const pins = await server.call(listNodeTags, { params: { location: 'K-1', node: nodeUid('A') }, token: admin });
    expect(pins.body.map(({ number }) => number)).toEqual(['V-1']);
    const moveReply = await place(far.uid, [4, 0, 2]);
    await expect
      .poll(() => readViews(far.uid), { timeout: 10_000 })
      .toEqual([
        ['A', 1],
        ['B', null],
      ]);
    await undo(moveReply.body);
    await expect.poll(() => readViews(far.uid), { timeout: 10_000 }).toEqual([['B', null]]);
  });

  it('[DAT-03] previews the viewpoints that will see a tag at a position, the same as after the tag is placed', async () => {
    const id = await putRange(5);
    await tables().updateTable('node').set({ range_file: id }).where('code', '=', 'A').execute();
    const tag = buildTag('V-1', { position: null });
    await add(tag);
    const preview = async ([east, north, up]: readonly [number, number, number]) =>
      (
        await server.call(previewTagViews, {
          params: { location: 'K', tag: tag.uid },
          query: { east, north, up },
          token: admin,
        })
      ).body;
    const farPreview = await preview([0, 12, 2]);
    expect([farPreview.hidden, farPreview.views.map(({ code, visible }) => [code, visible])]).toEqual([
      1,
      [['B', null]],
    ]);
    const nearPreview = await preview([0, 4, 2]);
    expect([nearPreview.hidden, nearPreview.views.map(({ code, visible }) => [code, visible])]).toEqual([
      0,
      [
        ['A', 1],
        ['B', null],
      ],
    ]);
    expect(await readViews(tag.uid)).toEqual([]);
    await place(tag.uid, [0, 4, 2], 1);
    await expect
      .poll(() => readViews(tag.uid), { timeout: 10_000 })
      .toEqual([
        ['A', 1],
        ['B', null],
      ]);
  });

  it('hides tags from people without access to their location', async () => {
    const line = buildLine('6-PG-1', { location: 'K-2' });
    const valve = buildTag('HV-1', { line: line.uid });
    await add(line);
    await add(valve);
    expect((await add(buildTag('V-9'), otherUnitAdmin, 'K-2')).status).toBe(403);
    expect((await change(valve, 1, otherUnitAdmin, 'K-2')).status).toBe(404);
    expect((await change({ ...line, location: 'K-1' }, 1, otherUnitAdmin, 'K-2')).status).toBe(403);
    expect((await remove(line.uid, 1, otherUnitAdmin, 'K-2')).status).toBe(403);
    const listReply = await server.call(listContentTags, {
      params: { location: 'K-2' },
      query: {},
      token: otherUnitAdmin,
    });
    expect(listReply.body.rows.map(({ number }) => number)).toEqual(['6-PG-1']);
    expect(
      (await server.call(listContentTags, { params: { location: 'K' }, query: {}, token: otherUnitAdmin })).status,
    ).toBe(403);
  });

  it('needs the same number of statements for 300 tags as for 3', async () => {
    const count = async (size: number) => {
      await tables().deleteFrom('tag').execute();
      await sql`
        insert into tour.tag (uid, site, code, type, kind, description, x, y, z, location, search_key)
        select 'b' || n, 'K', 'B-' || n, 'TAG', 'VALVE', '', 0, 35, 2, 'K-1', 'B' || n
        from generate_series(1, ${size}::int) n`.execute(tables());
      const counter = new QueryCounter(server.database);
      // Loads the locations.
      await list();
      const listRecording = await counter.record(() => list());
      expect(listRecording.result.total).toBe(size);
      const { version } = await tables()
        .selectFrom('node')
        .select('row_version as version')
        .where('code', '=', 'C')
        .executeTakeFirstOrThrow();
      const moveRecording = await counter.record(() =>
        server.call(updateNodes, {
          params: { location: 'K', tour: tourUid('T1') },
          body: { nodes: [{ uid: nodeUid('C'), name: 'C', deck: null, position: [0, size, 2], heading: 0, version }] },
          token: admin,
        }),
      );
      expect(moveRecording.result.status).toBe(200);
      return [
        listRecording.statements.length,
        moveRecording.statements.filter((text) => /tour|change/.test(text)).length,
      ];
    };
    expect(await count(30)).toEqual(await count(3));
  });

  const addOne = (code: string, changes: object = {}) => {
    const body = { uid: randomUUID() as string, code, title: `Title of ${code}`, location: 'K-1', ...changes };
    return { body, sent: server.call(createDocument, { params: { location: 'K' }, body, token: admin }) };
  };
  const readOne = async (document: string) =>
    (await server.call(getContentDocument, { params: { location: 'K', document }, token: admin })).body;
  const upload = async (document: string, content: Buffer, query: string, name = 'sheet.pdf') => {
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(content)]), name);
    const url = `${await server.url()}/api/document-content/K/documents/${document}/revisions?${query}`;
    const reply = await fetch(url, { method: 'POST', body: form, headers: { authorization: `Bearer ${admin}` } });
    return { status: reply.status, body: (await reply.json()) as Changed & ErrorBody };
  };
  const pdf = Buffer.from('%PDF-1.7\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n');
  const visit = async (code: string) => server.call(getDocument, { params: { location: 'K-1', code }, token: admin });

  it('[DAT-03] lists revisions of documents newest first, changes and deletes them, and undoes it', async () => {
    const { body: document, sent } = addOne('PG-DS-1');
    expect((await sent).status).toBe(201);
    expect(readMessage(await addOne('pg-ds-1').sent)).toBe('tour.refused.codeTaken');
    const second = await upload(document.uid, pdf, 'revision=B&status=S2&issuedOn=2026-02-01');
    expect(second.status).toBe(200);
    await upload(document.uid, pdf, 'revision=A&status=A1&issuedOn=2026-01-01');
    const duplicateReply = await upload(document.uid, pdf, 'revision=A&status=A1&issuedOn=2026-01-01');
    expect(duplicateReply.body.refusal?.message).toBe('tour.refused.revisionTaken');
    expect((await readOne(document.uid)).revisions).toMatchObject([
      { revision: 'B', status: 'S2', issuedOn: '2026-02-01', fileName: 'sheet.pdf', mediaType: 'application/pdf' },
      { revision: 'A', status: 'A1' },
    ]);
    expect((await visit('PG-DS-1')).body.revisions.map(({ revision }) => revision)).toEqual(['B', 'A']);
    const params = { location: 'K', document: document.uid, revision: 'A' };
    const updateReply = await server.call(updateRevision, {
      params,
      body: { status: 'A2', issuedOn: '2026-03-01', version: 1 },
      token: admin,
    });
    expect((await readOne(document.uid)).revisions[0]).toMatchObject({ revision: 'A', status: 'A2', version: 2 });
    await undo(updateReply.body);
    const deleteReply = await server.call(deleteRevision, { params, query: { version: 3 }, token: admin });
    expect((await visit('PG-DS-1')).body.revisions.map(({ revision }) => revision)).toEqual(['B']);
    await undo(deleteReply.body);
    await undo(second.body);
    const [left] = (await readOne(document.uid)).revisions;
    const file = await server.app.inject({ url: left!.address, headers: { authorization: `Bearer ${admin}` } });
    expect([left!.revision, left!.status, file.rawPayload.equals(pdf)]).toEqual(['A', 'A1', true]);
    const renameReply = await server.call(updateDocument, {
      params: { location: 'K', document: document.uid },
      body: { code: 'DS-2', title: 'New', location: 'K-2', version: 1 },
      token: admin,
    });
    expect(renameReply.status).toBe(200);
    expect(await readOne(document.uid)).toMatchObject({ code: 'DS-2', formerCodes: ['PG-DS-1'], title: 'New' });
    // The file moves with the document.
    const seenByOther = await server.app.inject({
      url: left!.address,
      headers: { authorization: `Bearer ${otherUnitAdmin}` },
    });
    expect(seenByOther.statusCode).toBe(200);
    const deleteDocumentReply = await server.call(deleteDocument, {
      params: { location: 'K', document: document.uid },
      query: { version: 2 },
      token: admin,
    });
    expect((await visit('DS-2')).status).toBe(404);
    await undo(deleteDocumentReply.body);
    expect((await visit('PG-DS-1')).body).toMatchObject({ code: 'DS-2', revisions: [{ revision: 'A' }] });
  });

  it('moves a restored revision to the location of its moved document', async () => {
    const { body: document, sent } = addOne('M-1');
    await sent;
    await upload(document.uid, pdf, 'revision=A&status=A1&issuedOn=2026-01-01');
    const [revision] = (await readOne(document.uid)).revisions;
    const params = { location: 'K', document: document.uid };
    const deleteReply = await server.call(deleteRevision, {
      params: { ...params, revision: 'A' },
      query: { version: 1 },
      token: admin,
    });
    await server.call(updateDocument, {
      params,
      body: { code: 'M-1', title: 'Moved', location: 'K-2', version: 1 },
      token: admin,
    });
    await undo(deleteReply.body);
    const readAs = async (token: string) =>
      (await server.app.inject({ url: revision!.address, headers: { authorization: `Bearer ${token}` } })).statusCode;
    const formerReader = await server.signIn({ locations: ['K-1'] });
    expect([await readAs(otherUnitAdmin), await readAs(formerReader)]).toEqual([200, 403]);
  });

  it('refuses files that are not documents', async () => {
    const { body: document, sent } = addOne('D-1');
    await sent;
    const query = 'revision=A&status=A1&issuedOn=2026-01-01';
    expect((await upload(document.uid, Buffer.from('hello'), query)).status).toBe(400);
    const cut = await upload(document.uid, pdf.subarray(0, 20), query);
    expect(cut.body.refusal?.message).toBe('tour.refused.pdfCutOff');
    const brokenImage = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(64)]);
    expect((await upload(document.uid, brokenImage, query, 'a.png')).status).toBe(400);
    expect((await upload(document.uid, pdf, 'revision=A&status=X9&issuedOn=2026-01-01')).status).toBe(400);
    expect((await upload(document.uid, pdf, 'revision=A&status=A1&issuedOn=2026-02-30')).status).toBe(400);
    expect((await readOne(document.uid)).revisions).toEqual([]);
  });

  it('[DAT-03] links tags to documents, and shows the links to visitors', async () => {
    const tag = buildTag('V-1');
    await add(tag);
    const { body: document, sent } = addOne('D-1');
    await sent;
    await upload(document.uid, pdf, 'revision=A&status=A1&issuedOn=2026-01-01');
    const link = { tag: tag.uid, document: document.uid };
    const save = (savedLinks: object[], removedLinks: object[], token = admin, location = 'K') =>
      server.call(saveDocumentLinks, {
        params: { location },
        body: { saved: savedLinks, removed: removedLinks } as never,
        token,
      });
    const linkReply = await save([link], []);
    const readCodes = async () =>
      (await server.call(getTag, { params: { location: 'K-1', number: 'V-1' }, token: admin })).body.documents.map(
        ({ code }) => code,
      );
    expect(await readCodes()).toEqual(['D-1']);
    expect((await read(tag.uid)).linkedDocuments).toMatchObject([{ uid: document.uid, code: 'D-1' }]);
    expect((await readOne(document.uid)).linkedTags).toMatchObject([{ uid: tag.uid, number: 'V-1' }]);
    const unlinkReply = await save([], [link]);
    expect(await readCodes()).toEqual([]);
    await undo(unlinkReply.body);
    expect(await readCodes()).toEqual(['D-1']);
    await undo(linkReply.body);
    expect(await readCodes()).toEqual([]);
    expect(readMessage(await save([{ ...link, tag: 'x' }], []))).toBe('tour.refused.noSuchLink');
    expect((await save([link], [], otherUnitAdmin, 'K-2')).status).toBe(400);
    await save([link], []);
    const deleteReply = await remove(tag.uid);
    expect((await readOne(document.uid)).tags).toBe(0);
    await undo(deleteReply.body);
    expect((await readOne(document.uid)).tags).toBe(1);
  });

  it('lists documents by code or title, with search and pages', async () => {
    for (const code of ['B-2', 'A-1', 'C-3']) await addOne(code, code === 'C-3' ? { title: 'Data sheet' } : {}).sent;
    const find = async (query: object) => {
      const { body } = await server.call(listContentDocuments, { params: { location: 'K' }, query, token: admin });
      return [body.total, ...body.rows.map(({ code }) => code)];
    };
    expect(await find({})).toEqual([3, 'A-1', 'B-2', 'C-3']);
    expect(await find({ text: 'data' })).toEqual([1, 'C-3']);
    expect(await find({ sort: 'title', limit: 1 })).toEqual([3, 'C-3']);
    expect(await find({ descending: 'true', offset: 2 })).toEqual([3, 'A-1']);
  });
});
