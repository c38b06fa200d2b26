import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { minus, computeShortestTurn, toPanTilt, type ErrorBody, type LocationRow, type Point3 } from '#core';
import { undoChange } from '#core/api';
import { enabledPlugin, FileStore, LocationStore } from '#core/server';
import { describeOnDatabases, QueryCounter, startTestServer, type TestServer } from '#core/testing/server';
import { toAxes, toCameraFrame } from '../../common/alignment/camera-pose.ts';
import { composeTilt } from '../../common/alignment/compose-tilt.ts';
import { alignNode, getAlignment } from '../../contract/api/alignment.ts';
import { updateNodes, getTourContent } from '../../contract/api/tour-content.ts';
import manifest from '../../plugin.ts';
import { buildNodeRow, buildTourRow, insertTourRows } from '../../testing/server/tour-rows.ts';
import plugin from '../index.ts';
import { tourSchema, type TourTables } from '../tables.ts';

const buildLocation = (uid: string, parent: string | null, locationType: LocationRow['locationType']): LocationRow => ({
  uid,
  name: uid,
  label: '',
  parent,
  root: 'site',
  locationType,
});

describeOnDatabases('alignment of viewpoints', (database) => {
  let server: TestServer;
  let admin: string;
  let uids: { readonly a: string; readonly b: string; readonly c: string; readonly empty: string };
  beforeAll(async () => {
    server = await startTestServer({ database, plugins: [enabledPlugin(manifest, {}, plugin)] });
    await server
      .service(LocationStore)
      .upsert([
        buildLocation('site', null, 'PRIMARY_LOCATION'),
        buildLocation('unit', 'site', 'PLATFORM_UNIT'),
        buildLocation('lower', 'unit', 'LOC_LEVEL'),
        buildLocation('upper', 'unit', 'LOC_LEVEL'),
      ]);
    admin = await server.signIn({ flags: ['configure'] });
  });
  afterAll(() => server.close());
  const tables = () => server.database.of<TourTables>(tourSchema);
  beforeEach(async () => {
    for (const table of ['node', 'tour', 'code'] as const) await tables().deleteFrom(table).execute();
    const build = (code: string, changes: object = {}) =>
      buildNodeRow(code, { uid: randomUUID(), heading: 350, ...changes });
    const nodes = [
      build('A', { view_pan: 20 }),
      build('B', { x: 10 }),
      build('C', { x: 20, location: 'upper' }),
      build('D', { captured_at: null, panorama_file: null }),
    ];
    await insertTourRows(server.database, { tours: [buildTourRow('T1', { location: 'unit' })], nodes });
    const [a, b, c, empty] = nodes.map(({ uid }) => uid) as [string, string, string, string];
    uids = { a, b, c, empty };
  });

  const read = async () => (await server.call(getTourContent, { params: { location: 'site' }, token: admin })).body;
  const readNode = async (uid: string) => (await read()).nodes.find((node) => node.uid === uid)!;
  const readMessage = ({ refusal }: { readonly refusal: ErrorBody }) => refusal.refusal?.message;
  const undo = ({ change }: { readonly change: string | null }) =>
    server.call(undoChange, { params: { change: change ?? '' }, body: {}, token: admin });
  const position: Point3 = [0.3, -0.2, 2.1];
  /** Ties of a picture at the position with the heading 20, `offset` degrees apart. */
  const buildTies = (offset = 0) =>
    (
      [
        [4, 1, 2],
        [-3, 5, 4],
        [-2, -4, 1],
      ] as const
    ).map((point) => {
      const { pan, tilt } = toPanTilt(minus(point, position));
      return { pan: computeShortestTurn(20, pan) + offset, tilt, point, used: true };
    });
  const align = (changes: object = {}, { node = uids.a, location = 'site', token = admin } = {}) =>
    server.call(alignNode, {
      params: { location, node },
      body: { version: 1, position, heading: -340, ties: buildTies(0.2), correction: 'POSE', others: [], ...changes },
      token,
    });
  const readTies = async (token = admin, location = 'site') =>
    server.call(getAlignment, { params: { location, node: uids.a }, token });

  it('moves and turns the viewpoint, and lists the alignment with residual and ties', async () => {
    const reply = await align({ ties: [...buildTies(0.2), { pan: 90, tilt: 0, point: [0, 9, 2], used: false }] });
    expect(reply.status).toBe(200);
    expect(await readNode(uids.a)).toMatchObject({ position, heading: 20, version: 2 });
    expect(
      (await tables().selectFrom('node').select('view_pan').where('uid', '=', uids.a).executeTakeFirst())?.view_pan,
    ).toBe(50);
    const { alignments } = await read();
    expect(alignments).toEqual([
      { node: uids.a, residual: expect.closeTo(0.2, 2), ties: 3, alignedAt: expect.stringMatching(/Z$/) },
    ]);
    expect((await readTies()).body.ties).toHaveLength(4);
    const { rows } = await server.database.pool.query<{ action: string }>(
      `select action from core.audit_log where details ->> 'change' = $1`,
      [reply.body.change],
    );
    expect(rows).toEqual([{ action: 'tour.nodesAligned' }]);
  });

  it('undoes and redoes an alignment with its pose', async () => {
    const alignReply = await align();
    const undone = await undo(alignReply.body);
    expect(await readNode(uids.a)).toMatchObject({ position: [0, 0, 2], heading: 350 });
    expect((await read()).alignments).toEqual([]);
    await undo(undone.body as { change: string | null });
    expect(await readNode(uids.a)).toMatchObject({ position, heading: 20 });
    expect((await read()).alignments).toHaveLength(1);
  });

  it('ends when the viewpoint is moved or its picture is replaced, and is valid again when the viewpoint is moved back', async () => {
    await align();
    const { name, deck, tour, version, heading } = await readNode(uids.a);
    const change = (changes: object) =>
      server.call(updateNodes, {
        params: { location: 'site', tour },
        body: { nodes: [{ uid: uids.a, name, deck, position, heading, version, ...changes }] },
        token: admin,
      });
    const turnReply = await change({ heading: 21 });
    expect((await read()).alignments).toEqual([]);
    expect((await readTies()).body.ties).toHaveLength(3);
    await undo(turnReply.body);
    expect((await read()).alignments).toHaveLength(1);
    await tables().updateTable('node').set({ panorama_file: 'another' }).where('uid', '=', uids.a).execute();
    expect((await read()).alignments).toEqual([]);
    expect((await readTies()).body.ties).toEqual([]);
  });

  it('corrects other viewpoints by the same amounts in one change', async () => {
    const otherNodes = [uids.b, uids.c].map((uid) => ({ uid, version: 1 }));
    const alignReply = await align({ others: otherNodes });
    expect(await readNode(uids.b)).toMatchObject({ position: [10.3, -0.2, expect.closeTo(2.1, 9)], heading: 20 });
    expect(await readNode(uids.c)).toMatchObject({ position: [20.3, -0.2, expect.closeTo(2.1, 9)], heading: 20 });
    expect((await read()).alignments).toHaveLength(1);
    await undo(alignReply.body);
    expect(await readNode(uids.b)).toMatchObject({ position: [10, 0, 2], heading: 350 });
    await align({ others: otherNodes.map(({ uid }) => ({ uid, version: 3 })), correction: 'HEADING', version: 3 });
    expect(await readNode(uids.c)).toMatchObject({ position: [20, 0, 2], heading: 20 });
  });

  it('levels the picture by pitch and roll in a job, and restores the former picture by an undo', async () => {
    const put = async (content: Uint8Array) =>
      (
        await server
          .service(FileStore)
          .put({ name: 'a.jpg', mediaType: 'image/jpeg', audience: { kind: 'location', location: 'unit' } }, content)
      ).id;
    const picture = await sharp({ create: { width: 1024, height: 512, channels: 3, background: '#888' } })
      .jpeg()
      .toBuffer();
    await tables()
      .updateTable('node')
      .set({ panorama_file: await put(picture), thumbnail_file: await put(picture), pitch: 2, roll: -1 })
      .where('uid', '=', uids.a)
      .execute();
    const readPicture = () =>
      tables()
        .selectFrom('node')
        .select(['heading', 'pitch', 'roll', 'pyramid_file', 'thumbnail_file'])
        .where('uid', '=', uids.a)
        .executeTakeFirstOrThrow();
    const before = await readPicture();
    const shownOrientation = { heading: 20, pitch: 3, roll: 4 };
    const ties = buildTies().map(({ point }) => {
      const { pan, tilt } = toPanTilt(toCameraFrame(toAxes(shownOrientation), minus(point, position)));
      return { pan: computeShortestTurn(0, pan), tilt, point, used: true };
    });
    const alignReply = await align({ ...shownOrientation, ties });
    const cameraOrientation = composeTilt(shownOrientation, { pitch: 2, roll: -1 });
    await expect
      .poll(async () => (await readPicture()).pyramid_file, { timeout: 10_000 })
      .not.toBe(before.pyramid_file);
    const after = await readPicture();
    expect(after).toMatchObject(cameraOrientation);
    expect(after.thumbnail_file).not.toBe(before.thumbnail_file);
    expect((await read()).alignments).toMatchObject([{ residual: expect.closeTo(0, 5) }]);
    await undo(alignReply.body);
    await expect.poll(async () => (await readPicture()).pyramid_file, { timeout: 10_000 }).not.toBe(after.pyramid_file);
    expect(await readPicture()).toMatchObject({ heading: 350, pitch: 2, roll: -1 });
  });

  it('needs the same number of statements for many viewpoints as for one', async () => {
    const manyNodes = Array.from({ length: 40 }, (_, index) => buildNodeRow(`M${index}`, { uid: randomUUID() }));
    await insertTourRows(server.database, { nodes: manyNodes });
    const count = async (send: () => ReturnType<typeof align>) => {
      const { result, statements } = await new QueryCounter(server.database).record(send);
      expect(result.status).toBe(200);
      return statements.length;
    };
    await align();
    const statementCount = await count(() => align({ version: 2, others: [{ uid: uids.b, version: 1 }] }));
    const { version } = await readNode(uids.a);
    expect(await count(() => align({ version, others: manyNodes.map(({ uid }) => ({ uid, version: 1 })) }))).toBe(
      statementCount,
    );
    expect(statementCount).toBeGreaterThan(0);
  });

  it('refuses an outdated version, and returns the current viewpoint', async () => {
    const lateReply = await align({ version: 0 });
    expect([lateReply.status, readMessage(lateReply)]).toEqual([409, 'tour.refused.contentChanged']);
    const otherReply = await align({ others: [{ uid: uids.b, version: 7 }] });
    expect(otherReply.status).toBe(409);
    expect(await readNode(uids.a)).toMatchObject({ heading: 350, version: 1 });
  });

  it('refuses a viewpoint without a panorama, and contradictory or missing ties', async () => {
    expect(readMessage(await align({}, { node: uids.empty }))).toBe('tour.refused.alignmentNoPicture');
    expect(readMessage(await align({ ties: buildTies(12) }))).toBe('tour.refused.alignmentDisagrees');
    expect((await align({ ties: buildTies().map((tie) => ({ ...tie, used: false })) })).status).toBe(400);
    expect((await align({ others: [{ uid: uids.a, version: 1 }] })).status).toBe(400);
  });

  it('requires access to the viewpoint and to all that it corrects', async () => {
    const limitedToken = await server.signIn({ flags: ['configure'], locations: ['lower'] });
    expect((await align({}, { token: limitedToken, location: 'lower' })).status).toBe(200);
    expect((await align({}, { token: limitedToken, location: 'lower', node: uids.c })).status).toBe(404);
    const otherNodes = [{ uid: uids.c, version: 1 }];
    expect((await align({ others: otherNodes, version: 2 }, { token: limitedToken, location: 'lower' })).status).toBe(
      404,
    );
    expect((await readTies(limitedToken, 'lower')).body.ties).toHaveLength(3);
  });
});
