import { randomUUID } from 'node:crypto';
import { sql, type Transaction } from 'kysely';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { ErrorBody, LocationRow } from '#core';
import { undoChange, type Changed } from '#core/api';
import { enabledPlugin, FileStore, LocationStore } from '#core/server';
import { describeOnDatabases, QueryCounter, startTestServer, type TestServer } from '#core/testing/server';
import { openTour } from '../../contract/api.ts';
import {
  updateDeck,
  updateNodes,
  updateTour,
  createDeck,
  createNodes,
  createTour,
  deleteDeck,
  deleteNodes,
  deleteTour,
  getTourContent,
  placeDeckPlan,
  proposeLinks,
  deleteDeckPlan,
  saveDeckWalls,
  saveLinks,
  type PlanPoint,
} from '../../contract/api/tour-content.ts';
import manifest from '../../plugin.ts';
import plugin from '../index.ts';
import { tourSchema, type TourTables } from '../tables.ts';

const buildLocation = (
  uid: string,
  parent: string | null,
  locationType: LocationRow['locationType'],
  root = 'K',
): LocationRow => ({ uid, name: `Name of ${uid}`, label: '', parent, root, locationType });

describeOnDatabases('tour contents', (database) => {
  let server: TestServer;
  let admin: string;
  beforeAll(async () => {
    server = await startTestServer({ database, plugins: [enabledPlugin(manifest, {}, plugin)] });
    await server
      .service(LocationStore)
      .upsert([
        buildLocation('K', null, 'PRIMARY_LOCATION'),
        buildLocation('K-1', 'K', 'PLATFORM_UNIT'),
        buildLocation('K-1-A', 'K-1', 'LOC_LEVEL'),
        buildLocation('K-1-B', 'K-1', 'LOC_LEVEL'),
        buildLocation('K-2', 'K', 'PLATFORM_UNIT'),
        buildLocation('L', null, 'PRIMARY_LOCATION', 'L'),
      ]);
    admin = await server.signIn({ flags: ['configure'] });
  });
  afterAll(() => server.close());
  const tables = () => server.database.of<TourTables>(tourSchema);
  beforeEach(async () => {
    for (const table of ['node', 'deck', 'tour', 'code', 'tag'] as const) await tables().deleteFrom(table).execute();
  });

  const read = async (location = 'K', token = admin) =>
    (await server.call(getTourContent, { params: { location }, token })).body;
  const addDeck = (changes: object = {}, location = 'K-1-A', token = admin) =>
    server.call(createDeck, {
      params: { location },
      body: { uid: randomUUID(), code: 'MD', name: 'Main deck', elevation: 12, floor: 'GRATED', ...changes },
      token,
    });
  const addTour = (changes: object = {}, location = 'K-1') =>
    server.call(createTour, {
      params: { location },
      body: { uid: randomUUID(), code: 'T1', name: 'Tour of unit 1', ...changes },
      token: admin,
    });
  const buildNode = (code: string, position: readonly [number, number, number], deck: string | null = null) => ({
    uid: randomUUID() as string,
    code,
    name: `Place ${code}`,
    deck,
    position,
    heading: 90,
  });
  const addNodes = async (nodes: ReturnType<typeof buildNode>[]) => {
    const { tours } = await read();
    return server.call(createNodes, { params: { location: 'K', tour: tours[0]!.uid }, body: { nodes }, token: admin });
  };
  const undo = ({ change }: Changed, token = admin) =>
    server.call(undoChange, { params: { change: change ?? '' }, body: {}, token });
  const readMessage = ({ refusal }: { readonly refusal: ErrorBody }) => refusal.refusal?.message;
  const upload = async (deck: string, version: number, width = 800, height = 400) => {
    const image = await sharp({ create: { width, height, channels: 3, background: 'white' } })
      .png()
      .toBuffer();
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(image)]), 'plan.png');
    const url = `${await server.url()}/api/tour-content/K/decks/${deck}/plan?version=${version}`;
    const reply = await fetch(url, { method: 'POST', body: form, headers: { authorization: `Bearer ${admin}` } });
    return { status: reply.status, body: (await reply.json()) as Changed };
  };
  const placePlan = (deck: string, body: object) =>
    server.call(placeDeckPlan, { params: { location: 'K', deck }, body: body as never, token: admin });
  /** A tour of three nodes on one deck: B is 10 m north of A, and C 8 m east of A. */
  const addTourOfThree = async () => {
    await addDeck();
    await addTour();
    const deck = (await read()).decks[0]!.uid;
    const nodes = [
      buildNode('A', [0, 0, 13.7], deck),
      buildNode('B', [0, 10, 13.7], deck),
      buildNode('C', [8, 0, 13.7], deck),
    ];
    await addNodes(nodes);
    return { deck, a: nodes[0]!.uid, b: nodes[1]!.uid, c: nodes[2]!.uid, tour: (await read()).tours[0]!.uid };
  };
  const changeOne = async (uid: string, changes: object) => {
    const { nodes } = await read();
    const { name, deck, position, heading, version, tour } = nodes.find((node) => node.uid === uid)!;
    return server.call(updateNodes, {
      params: { location: 'K', tour },
      body: { nodes: [{ uid, name, deck, position, heading, version, ...changes }] },
      token: admin,
    });
  };

  it('creates one deck per level, changes and deletes it, and undoes the change and the deletion', async () => {
    const createReply = await addDeck();
    expect(createReply.status).toBe(201);
    const [deck] = (await read()).decks;
    expect(deck).toMatchObject({
      code: 'MD',
      name: 'Main deck',
      elevation: 12,
      floor: 'GRATED',
      plan: null,
      version: 1,
    });
    expect(readMessage(await addDeck({ code: 'MD2' }))).toBe('tour.refused.deckExists');
    expect(readMessage(await addDeck({}, 'K-1-B'))).toBe('tour.refused.codeTaken');
    expect(readMessage(await addDeck({ code: 'X' }, 'K-1'))).toBe('tour.refused.noLevel');
    const change = await server.call(updateDeck, {
      params: { location: 'K-1', deck: deck!.uid },
      body: { name: 'Lower deck', elevation: 11.5, floor: 'PLATED', version: 1 },
      token: admin,
    });
    expect((await read()).decks[0]).toMatchObject({ name: 'Lower deck', elevation: 11.5, floor: 'PLATED', version: 2 });
    await undo(change.body);
    expect((await read()).decks[0]).toMatchObject({ name: 'Main deck', elevation: 12, floor: 'GRATED', version: 3 });
    const deletion = await server.call(deleteDeck, {
      params: { location: 'K', deck: deck!.uid },
      query: { version: 3 },
      token: admin,
    });
    expect((await read()).decks).toEqual([]);
    await undo(deletion.body);
    expect((await read()).decks[0]).toMatchObject({ uid: deck!.uid, code: 'MD', version: 3 });
  });

  it.each([{ name: '\u0007' }, { name: 'x\u0000' }, { name: '\u200b' }, { name: ' x' }, { code: '---' }])(
    'refuses the name or code of %j',
    async (changes) => {
      expect((await addDeck(changes)).status).toBe(400);
      expect((await addTour(changes)).status).toBe(400);
    },
  );

  it('returns the first change for a repeated creation', async () => {
    const uid = randomUUID();
    const first = await addDeck({ uid });
    expect(await addDeck({ uid })).toMatchObject({ status: 201, body: first.body });
    const stranger = await server.signIn({ flags: ['configure'] });
    expect((await addDeck({ uid }, 'K-1-A', stranger)).status).toBe(409);
  });

  it('refuses a repeated creation with other content, and creates all nodes of a request or none', async () => {
    const uid = randomUUID();
    await addDeck({ uid });
    expect((await addDeck({ uid, name: 'Another' })).status).toBe(409);
    await addTour();
    const [first, second] = [buildNode('A', [0, 0, 13.7]), buildNode('B', [0, 5, 13.7])];
    const createReply = await addNodes([first]);
    expect(await addNodes([first])).toMatchObject({ status: 201, body: createReply.body });
    const partlyRepeatedReply = await addNodes([first, second]);
    expect(partlyRepeatedReply.status).toBe(409);
    const refusedReply = await addNodes([second, buildNode('A', [0, 0, 0])]);
    expect(refusedReply.refusal.refusal).toMatchObject({ message: 'tour.refused.codeTaken', values: { code: 'A' } });
    await undo(createReply.body);
    await addNodes([buildNode('A', [1, 1, 1])]);
    expect((await addNodes([first])).status).toBe(409);
  });

  it('names the code that is already used or listed twice', async () => {
    await addTourOfThree();
    const readCode = async (codes: readonly string[]) =>
      (await addNodes(codes.map((code) => buildNode(code, [0, 0, 0])))).refusal.refusal?.values?.['code'];
    expect(await readCode(['X', 'Y', 'B'])).toBe('B');
    expect(await readCode(['X', 'Y', 'Y'])).toBe('Y');
    expect(await readCode(['X', 'x'])).toBe('x');
    expect(await readCode(['b'])).toBe('B');
  });

  it('refuses to change an outdated deck, and returns the current deck', async () => {
    await addDeck();
    const { uid } = (await read()).decks[0]!;
    const save = (name: string) =>
      server.call(updateDeck, {
        params: { location: 'K', deck: uid },
        body: { name, elevation: 12, floor: 'GRATED', version: 1 },
        token: admin,
      });
    await save('First');
    const refusedReply = await save('Second');
    expect(refusedReply.status).toBe(409);
    expect(refusedReply.refusal.current).toMatchObject({ name: 'First', version: 2 });
    expect((await read()).decks[0]).toMatchObject({ name: 'First' });
  });

  it('[DAT-02] rounds walls to millimetres, replaces all walls of a deck, and undoes it', async () => {
    await addDeck();
    const { uid } = (await read()).decks[0]!;
    const save = (version: number, ...walls: { number: number; points: [number, number][] }[]) =>
      server.call(saveDeckWalls, { params: { location: 'K', deck: uid }, body: { version, walls }, token: admin });
    const first: [number, number] = [0, 0];
    const second: [number, number] = [6_600_000.12345, -0.0001];
    const saveReply = await save(
      1,
      { number: 2, points: [first, second, second] },
      { number: 1, points: [second, first] },
    );
    expect(saveReply.status).toBe(200);
    const walls = [
      { number: 1, points: [[6_600_000.123, 0], first] },
      { number: 2, points: [first, [6_600_000.123, 0]] },
    ];
    expect((await read()).decks[0]).toMatchObject({ walls, version: 2 });
    expect((await save(1)).refusal.current).toMatchObject({ walls });
    expect(readMessage(await save(2, { number: 1, points: [first, [0.0001, 0]] }))).toBe(
      'tour.refused.wallWithoutLength',
    );
    const wall = { number: 1, points: [first, second] };
    expect(readMessage(await save(2, wall, wall))).toBe('tour.refused.wallTwice');
    await undo(saveReply.body);
    expect((await read()).decks[0]).toMatchObject({ walls: [], version: 3 });
  });

  it('places a plan by points in a rotated frame, keeps the placement for an image of higher resolution, and undoes it', async () => {
    await addDeck();
    const { uid } = (await read()).decks[0]!;
    expect((await placePlan(uid, { version: 1, centre: [0, 0], scale: 1, heading: 0 })).status).toBe(404);
    expect((await upload(uid, 1)).status).toBe(200);
    // 0.1 m per pixel; the upper edge points 30 degrees from north.
    const [sin, cos] = [Math.sin(Math.PI / 6), Math.cos(Math.PI / 6)];
    const toPoint = (x: number, y: number): PlanPoint => {
      const [right, up] = [(x - 0.5) * 80, (0.5 - y) * 40];
      return { x, y, east: 500_000 + right * cos + up * sin, north: 6_600_000 - right * sin + up * cos };
    };
    const points = [toPoint(0.1, 0.1), toPoint(0.9, 0.2), toPoint(0.4, 0.95)];
    const placeReply = await placePlan(uid, { version: 2, points });
    expect(placeReply.status).toBe(200);
    const { plan } = (await read()).decks[0]!;
    expect(plan).toMatchObject({ width: 800, height: 400, points });
    expect(plan!.placement!.scale).toBeCloseTo(0.1, 9);
    expect(plan!.placement!.heading).toBeCloseTo(30, 6);
    expect(plan!.placement!.centre[0]).toBeCloseTo(500_000, 5);
    expect(plan!.placement!.centre[1]).toBeCloseTo(6_600_000, 5);

    await upload(uid, 3, 1600, 800);
    expect((await read()).decks[0]!.plan).toMatchObject({ width: 1600, points });
    expect((await read()).decks[0]!.plan!.placement!.scale).toBeCloseTo(0.05, 9);
    await upload(uid, 4, 900, 800);
    expect((await read()).decks[0]!.plan).toMatchObject({ width: 900, placement: null, points: [] });
    const removeReply = await server.call(deleteDeckPlan, {
      params: { location: 'K', deck: uid },
      query: { version: 5 },
      token: admin,
    });
    expect((await read()).decks[0]!.plan).toBeNull();
    await undo(removeReply.body);
    expect((await read()).decks[0]!.plan).toMatchObject({ width: 900 });
    const mirroredPoints = points.map(({ x, y, east, north }) => ({ x, y, east: 1_000_000 - east, north }));
    expect(readMessage(await placePlan(uid, { version: 7, points: mirroredPoints }))).toBe(
      'tour.refused.placementMirrored',
    );
    expect(readMessage(await placePlan(uid, { version: 7, points: [toPoint(0.1, 0.1), toPoint(0.1, 0.1)] }))).toBe(
      'tour.refused.placementSamePlace',
    );
  });

  it('shows visitors a node once it has a panorama', async () => {
    const { a } = await addTourOfThree();
    const open = async () =>
      (await server.call(openTour, { params: { location: 'K-1' }, query: {}, token: admin })).body;
    expect(await open()).toMatchObject({ nodes: [], decks: [] });
    await tables()
      .updateTable('node')
      .set({ panorama_file: 'picture', captured_at: new Date('2026-03-01T10:00:00Z') })
      .where('uid', '=', a)
      .execute();
    await changeOne(a, { name: 'Entrance' });
    const openedTour = await open();
    expect(openedTour.nodes.map(({ name }) => name)).toEqual(['Entrance']);
    expect(openedTour.decks).toMatchObject([{ code: 'MD', plan: null }]);
    expect(openedTour.tour.startNode).toBe(a);
  });

  it('assigns a node to the location of its deck', async () => {
    const { a, deck } = await addTourOfThree();
    expect((await read()).nodes[0]).toMatchObject({ uid: a, location: 'K-1-A', heading: 90, hasPanorama: false });
    await server.call(createDeck, {
      params: { location: 'K-1-B' },
      body: { uid: randomUUID(), code: 'UD', name: 'Upper deck', elevation: 20, floor: 'UNKNOWN' },
      token: admin,
    });
    const upper = (await read()).decks.find(({ uid }) => uid !== deck)!.uid;
    await changeOne(a, { deck: upper });
    expect((await read()).nodes[0]).toMatchObject({ deck: upper, location: 'K-1-B' });
    expect((await changeOne(a, { deck: randomUUID() })).status).toBe(400);
  });

  it('moves the files of a node to the location of its new deck, and back', async () => {
    const { a, deck } = await addTourOfThree();
    await addDeck({ code: 'UD', elevation: 20 }, 'K-1-B');
    const upper = (await read()).decks.find(({ uid }) => uid !== deck)!.uid;
    const store = server.service(FileStore);
    const put = async (name: string) =>
      (
        await store.put(
          { name, mediaType: 'image/jpeg', audience: { kind: 'location', location: 'K-1-A' } },
          Buffer.from('x'),
        )
      ).id;
    const [current, earlier, other] = [await put('a.jpg'), await put('b.jpg'), await put('c.jpg')];
    const captured_at = new Date('2026-03-01T10:00:00Z');
    await tables().updateTable('node').set({ panorama_file: current, captured_at }).where('uid', '=', a).execute();
    await tables()
      .insertInto('capture')
      .values({
        uid: 'c',
        node: a,
        captured_at,
        heading: 0,
        panorama_file: earlier,
        range_file: null,
        pyramid_file: null,
        pyramid: null,
      })
      .execute();
    const readLocations = async () =>
      [...(await store.findAll([current, earlier, other])).values()]
        .map(({ name, audience }) => [name, audience.kind === 'location' && audience.location])
        .toSorted();
    const moveReply = await changeOne(a, { deck: upper });
    expect(await readLocations()).toEqual([
      ['a.jpg', 'K-1-B'],
      ['b.jpg', 'K-1-B'],
      ['c.jpg', 'K-1-A'],
    ]);
    await undo(moveReply.body);
    expect(await readLocations()).toEqual([
      ['a.jpg', 'K-1-A'],
      ['b.jpg', 'K-1-A'],
      ['c.jpg', 'K-1-A'],
    ]);
  });

  it('recomputes directions of links and tags of a moved node, also after an undo', async () => {
    const { a, b, tour } = await addTourOfThree();
    await server.call(saveLinks, {
      params: { location: 'K', tour },
      body: { saved: [{ a, b, kind: 'WALK' }], removed: [] },
      token: admin,
    });
    await tables()
      .insertInto('tag')
      .values({
        uid: 't',
        site: 'K',
        code: 'P-1',
        type: 'TAG',
        kind: 'PUMP',
        description: '',
        x: 5,
        y: 0,
        z: 13.7,
        location: 'K-1-A',
        line: null,
        search_key: 'P1',
      })
      .execute();
    await tables()
      .insertInto('tag_view')
      .values({ tag: 't', node: a, pan: 90, tilt: 0, distance: 5, visible: null })
      .execute();
    const readDirections = async () => [
      ...(await tables().selectFrom('link').selectAll().orderBy('pan').execute()),
      ...(await tables().selectFrom('tag_view').selectAll().execute()),
    ];
    const before = await readDirections();
    // The foot of the other node is 1.7 m below its camera.
    const tilt = (-Math.atan2(1.7, 10) * 180) / Math.PI;
    expect(before).toMatchObject([
      { from_node: a, pan: 0, tilt: expect.closeTo(tilt, 9), distance: 10 },
      { from_node: b, pan: 180, distance: 10 },
      { pan: 90, distance: 5 },
    ]);
    const moveReply = await changeOne(a, { position: [0, 20, 13.7] });
    const after = await readDirections();
    expect(after.map(({ pan }) => pan)).toEqual([0, 180, expect.closeTo(165.9638, 4)]);
    expect(after[0]).toMatchObject({ from_node: b });
    await changeOne(b, { name: 'Renamed' });
    await undo(moveReply.body);
    expect(await readDirections()).toEqual(before);
    expect((await read()).nodes[1]).toMatchObject({ name: 'Renamed' });
  });

  it('points links to the deck of the other node, also after its elevation is changed and changed back', async () => {
    const { deck, tour, a, b } = await addTourOfThree();
    await server.call(saveLinks, {
      params: { location: 'K', tour },
      body: { saved: [{ a, b, kind: 'WALK' }], removed: [] },
      token: admin,
    });
    const readTilt = async () =>
      (await tables().selectFrom('link').select('tilt').where('from_node', '=', a).executeTakeFirstOrThrow()).tilt;
    const toTilt = (elevation: number) => (Math.atan2(elevation - 13.7, 10) * 180) / Math.PI;
    const { version } = (await read()).decks[0]!;
    const updateReply = await server.call(updateDeck, {
      params: { location: 'K-1-A', deck },
      body: { name: 'Main deck', elevation: 11.5, floor: 'GRATED', version },
      token: admin,
    });
    expect(await readTilt()).toBeCloseTo(toTilt(11.5), 9);
    await undo(updateReply.body);
    expect(await readTilt()).toBeCloseTo(toTilt(12), 9);
  });

  it('deletes nodes with their dependent rows, and restores both by an undo', async () => {
    const { a, b, c, tour } = await addTourOfThree();
    await server.call(saveLinks, {
      params: { location: 'K', tour },
      body: {
        saved: [
          { a, b, kind: 'WALK' },
          { a: b, b: c, kind: 'STAIR' },
        ],
        removed: [],
      },
      token: admin,
    });
    const before = await read();
    const deletion = await server.call(deleteNodes, {
      params: { location: 'K', tour },
      body: {
        nodes: [
          { uid: a, version: 1 },
          { uid: b, version: 1 },
        ],
      },
      token: admin,
    });
    expect(deletion.status).toBe(200);
    expect(await read()).toMatchObject({ nodes: [{ uid: c }], links: [], tours: [{ startNode: c }] });
    expect((await undo(deletion.body)).status).toBe(200);
    const after = await read();
    expect({ ...after, tours: [] }).toEqual({ ...before, tours: [] });
    expect(after.tours[0]!.startNode).toBe(a);
  });

  it('refuses to delete a node while its panorama is imported, and restores failed imports', async () => {
    const { a, tour } = await addTourOfThree();
    const incomingRow = {
      uid: 'i',
      node: a,
      captured_at: '2026-03-01T10:00:00Z',
      heading: 0,
      panorama_file: 'picture',
      job: 'j',
      message: null,
      refusal: null,
    };
    await tables().insertInto('incoming').values(incomingRow).execute();
    const remove = () =>
      server.call(deleteNodes, {
        params: { location: 'K', tour },
        body: { nodes: [{ uid: a, version: 1 }] },
        token: admin,
      });
    expect(readMessage(await remove())).toBe('tour.refused.panoramaPending');
    const refusal = { message: 'tour.refused.codeTaken', values: { code: 'é' } };
    await tables()
      .updateTable('incoming')
      .set({ message: 'Failed', refusal: JSON.stringify(refusal) })
      .execute();
    const deleteReply = await remove();
    expect((await undo(deleteReply.body)).status).toBe(200);
    expect(await tables().selectFrom('incoming').selectAll().execute()).toMatchObject([{ uid: 'i', refusal }]);
  });

  it('needs the same number of statements to remove many links as for one', async () => {
    const { deck } = await addTourOfThree();
    const nodes = Array.from({ length: 40 }, (_, index) => buildNode(`L${index}`, [index, 3, 13.7], deck));
    await addNodes(nodes);
    const tour = (await read()).tours[0]!.uid;
    const pairs = nodes.slice(1).map(({ uid }, index) => ({ a: nodes[index]!.uid, b: uid }));
    const save = (body: { saved: ((typeof pairs)[number] & { kind: 'WALK' })[]; removed: typeof pairs }) =>
      new QueryCounter(server.database).record(() =>
        server.call(saveLinks, { params: { location: 'K', tour }, body, token: admin }),
      );
    await save({ saved: pairs.map((pair) => ({ ...pair, kind: 'WALK' })), removed: [] });
    const firstRemoval = await save({ saved: [], removed: pairs.slice(0, 1) });
    const secondRemoval = await save({ saved: [], removed: pairs.slice(1).map(({ a, b }) => ({ a: b, b: a })) });
    expect(secondRemoval.statements).toHaveLength(firstRemoval.statements.length);
    expect((await read()).links).toEqual([]);
  });

  it('deletes the codes of nodes, but not those of another entity with the same uid', async () => {
    const { deck, tour } = await addTourOfThree();
    const node = { ...buildNode('D', [0, 0, 0], deck), uid: deck };
    await addNodes([node]);
    const deletion = await server.call(deleteNodes, {
      params: { location: 'K', tour },
      body: { nodes: [{ uid: deck, version: 1 }] },
      token: admin,
    });
    expect(deletion.status).toBe(200);
    const codes = await tables().selectFrom('code').select(['kind', 'code']).where('entity', '=', deck).execute();
    expect(codes).toEqual([{ kind: 'DECK', code: 'MD' }]);
  });

  it('changes or clears the time of a pose only on request, and undoes it', async () => {
    const { a } = await addTourOfThree();
    const former = new Date('2126-06-01T08:00:00.123Z');
    await tables().updateTable('node').set({ posed_at: former }).where('uid', '=', a).execute();
    const readTime = async () =>
      (await tables().selectFrom('node').select('posed_at').where('uid', '=', a).executeTakeFirstOrThrow()).posed_at;
    await changeOne(a, { position: [1, 0, 13.7] });
    expect(await readTime()).toEqual(former);
    const newer = '2126-09-01T08:00:00.000Z';
    const retimed = await changeOne(a, { posedAt: newer });
    expect(await readTime()).toEqual(new Date(newer));
    await undo(retimed.body);
    expect(await readTime()).toEqual(former);
    await changeOne(a, { posedAt: null });
    expect(await readTime()).toBeNull();
  });

  it('keeps the tilt of a pose without a request, changes or clears it on request, and undoes it', async () => {
    const { a, tour, deck } = await addTourOfThree();
    const findTilt = async (uid: string) => (await read()).nodes.find((node) => node.uid === uid)!.posedTilt;
    expect(await findTilt(a)).toBeNull();
    const tilted = { ...buildNode('D', [0, 5, 13.7], deck), posedTilt: { pitch: 2.5, roll: -1 } };
    const params = { location: 'K', tour };
    await server.call(createNodes, { params, body: { nodes: [tilted] }, token: admin });
    expect(await findTilt(tilted.uid)).toEqual(tilted.posedTilt);
    await changeOne(tilted.uid, { position: [1, 5, 13.7] });
    expect(await findTilt(tilted.uid)).toEqual(tilted.posedTilt);
    const turned = await changeOne(tilted.uid, { posedTilt: { pitch: 0.5, roll: 3 } });
    expect(await findTilt(tilted.uid)).toEqual({ pitch: 0.5, roll: 3 });
    await undo(turned.body);
    expect(await findTilt(tilted.uid)).toEqual(tilted.posedTilt);
    const cleared = await changeOne(tilted.uid, { posedTilt: null });
    expect(await findTilt(tilted.uid)).toBeNull();
    await undo(cleared.body);
    const { uid, version } = (await read()).nodes.find(({ code }) => code === 'D')!;
    const deletion = await server.call(deleteNodes, { params, body: { nodes: [{ uid, version }] }, token: admin });
    expect(deletion.status).toBe(200);
    await undo(deletion.body);
    expect(await findTilt(uid)).toEqual(tilted.posedTilt);
  });

  it('changes all nodes of a request or none', async () => {
    const { a, b, tour } = await addTourOfThree();
    await changeOne(b, { name: 'Other' });
    const { nodes } = await read();
    const refusedReply = await server.call(updateNodes, {
      params: { location: 'K', tour },
      body: {
        nodes: [a, b].map((uid) => {
          const { deck, position } = nodes.find((node) => node.uid === uid)!;
          return { uid, name: 'New', deck, position, heading: 0, version: 1 };
        }),
      },
      token: admin,
    });
    expect(refusedReply.status).toBe(409);
    expect(refusedReply.refusal.current).toMatchObject({ uid: b, name: 'Other' });
    expect((await read()).nodes.map(({ name }) => name)).toEqual(['Place A', 'Other', 'Place C']);
  });

  it('proposes links between near nodes that have no other node between them', async () => {
    const { a, b, c, tour, deck } = await addTourOfThree();
    await addNodes([buildNode('D', [0, 5, 13.7], deck), buildNode('E', [1, 1, 13.7], null)]);
    const d = (await read()).nodes.find(({ code }) => code === 'D')!.uid;
    const load = async (distance: number) =>
      (await server.call(proposeLinks, { params: { location: 'K', tour }, query: { distance }, token: admin })).body;
    const propose = async (distance: number) =>
      (await load(distance)).links.map((link) => [link.a, link.b].toSorted().join());
    const join = (one: string, other: string) => [one, other].toSorted().join();
    expect((await propose(12)).toSorted()).toEqual([join(a, c), join(a, d), join(b, d), join(c, d)].toSorted());
    expect((await propose(6)).toSorted()).toEqual([join(a, d), join(b, d)].toSorted());
    const setRanges = async (metres: number) => {
      const channels = { r: Math.floor((metres * 1000) / 256), g: (metres * 1000) % 256, b: 0 };
      const image = await sharp({ create: { width: 64, height: 32, channels: 3, background: channels } })
        .png()
        .toBuffer();
      const audience = { kind: 'location', location: 'K' } as const;
      const file = await server.service(FileStore).put({ name: 'r.png', mediaType: 'image/png', audience }, image);
      await tables().updateTable('node').set({ range_file: file.id }).where('uid', '=', a).execute();
    };
    await setRanges(1);
    expect(await load(12)).toMatchObject({ blocked: 2, unknown: 2 });
    expect((await propose(12)).toSorted()).toEqual([join(b, d), join(c, d)].toSorted());
    await setRanges(20);
    expect(await load(12)).toMatchObject({ blocked: 0, unknown: 2 });
    await server.call(saveLinks, {
      params: { location: 'K', tour },
      body: { saved: [{ a: d, b: a, kind: 'LADDER' }], removed: [] },
      token: admin,
    });
    expect(await propose(6)).toEqual([join(b, d)]);
    const { links } = await read();
    expect(links).toEqual([{ a: [a, d].toSorted()[0], b: [a, d].toSorted()[1], kind: 'LADDER' }]);
    const unlinkReply = await server.call(saveLinks, {
      params: { location: 'K', tour },
      body: { saved: [], removed: [{ a, b: d }] },
      token: admin,
    });
    expect((await read()).links).toEqual([]);
    await undo(unlinkReply.body);
    expect((await read()).links).toEqual(links);
  });

  it('refuses to delete a tour with nodes, and deletes an empty tour', async () => {
    const { tour } = await addTourOfThree();
    const remove = async (version: number) =>
      server.call(deleteTour, { params: { location: 'K', tour }, query: { version }, token: admin });
    const { version } = (await read()).tours[0]!;
    expect(readMessage(await remove(version))).toBe('tour.refused.tourHasPlaces');
    const { nodes } = await read();
    await server.call(deleteNodes, {
      params: { location: 'K', tour },
      body: { nodes: nodes.map(({ uid, version: nodeVersion }) => ({ uid, version: nodeVersion })) },
      token: admin,
    });
    const [current] = (await read()).tours;
    expect(current!.startNode).toBeNull();
    const renameReply = await server.call(updateTour, {
      params: { location: 'K', tour },
      body: { name: 'Renamed', startNode: null, version: current!.version },
      token: admin,
    });
    expect(renameReply.status).toBe(200);
    expect((await remove(current!.version)).status).toBe(409);
    expect((await remove(current!.version + 1)).status).toBe(200);
    expect(readMessage(await addTour({ code: 'T2' }))).toBeUndefined();
    expect(readMessage(await addTour({ code: 'T3' }))).toBe('tour.refused.tourExists');
  });

  it('hides contents from people without access to their location', async () => {
    const { deck } = await addTourOfThree();
    const token = await server.signIn({ flags: ['configure'], locations: ['K-2'] });
    expect((await server.call(getTourContent, { params: { location: 'K-1' }, token })).status).toBe(403);
    const change = await server.call(updateDeck, {
      params: { location: 'K-2', deck },
      body: { name: 'Mine', elevation: 0, floor: 'PLATED', version: 1 },
      token,
    });
    expect(change.status).toBe(404);
  });

  it('allows changes within a level to people who can access only the level', async () => {
    const { a, b, deck, tour } = await addTourOfThree();
    await tables().updateTable('node').set({ location: 'K-1' }).where('code', '=', 'C').execute();
    const token = await server.signIn({ flags: ['configure'], locations: ['K-1-A'] });
    const levelContent = await read('K-1-A', token);
    expect([levelContent.tours.length, levelContent.nodes.length]).toEqual([1, 2]);
    const move = (uid: string, changes: object = {}) => {
      const { name, position, heading } = buildNode('A', [1, 1, 13.7]);
      return server.call(updateNodes, {
        params: { location: 'K-1-A', tour },
        body: { nodes: [{ uid, name, deck, position, heading, version: 1, ...changes }] },
        token,
      });
    };
    const moveReply = await move(a);
    expect(moveReply.status).toBe(200);
    expect((await undo(moveReply.body, token)).status).toBe(200);
    const linkReply = await server.call(saveLinks, {
      params: { location: 'K-1-A', tour },
      body: { saved: [{ a, b, kind: 'WALK' }], removed: [] },
      token,
    });
    expect((await undo(linkReply.body, token)).status).toBe(200);
    const { version: nodeVersion } = (await read()).nodes.find(({ uid }) => uid === a)!;
    const deleteReply = await server.call(deleteNodes, {
      params: { location: 'K-1-A', tour },
      body: { nodes: [{ uid: a, version: nodeVersion }] },
      token,
    });
    expect((await undo(deleteReply.body, token)).status).toBe(200);
    const inaccessibleNode = (await read()).nodes.find(({ code }) => code === 'C')!;
    expect((await move(inaccessibleNode.uid)).status).toBe(404);
    const creation = await server.call(createNodes, {
      params: { location: 'K-1-A', tour },
      body: { nodes: [buildNode('X', [0, 0, 0])] },
      token,
    });
    expect(creation.status).toBe(403);
    const { name, version } = levelContent.tours[0]!;
    const rename = await server.call(updateTour, {
      params: { location: 'K-1-A', tour },
      body: { name: `${name} of mine`, startNode: a, version },
      token,
    });
    expect(rename.status).toBe(403);
    const deletion = await server.call(deleteTour, {
      params: { location: 'K-1-A', tour },
      query: { version },
      token,
    });
    expect(deletion.status).toBe(403);
  });

  const waitForLock = async (): Promise<void> => {
    const isWaiting = async () =>
      (await sql`select 1 from pg_locks where not granted`.execute(tables())).rows.length > 0;
    await expect.poll(isWaiting, { timeout: 10_000 }).toBe(true);
  };
  /** Runs `first`, sends a request that waits for its locks, and then runs `second` in the same transaction. */
  const interleave = async <Reply>(
    first: (transaction: Transaction<TourTables>) => Promise<unknown>,
    send: () => Promise<Reply>,
    second: (transaction: Transaction<TourTables>) => Promise<unknown>,
  ): Promise<Reply> => {
    let release = (): void => undefined;
    const releaseSignal = new Promise<void>((resolve) => (release = resolve));
    let completion = Promise.resolve();
    await new Promise<void>((resolve) => {
      completion = tables()
        .transaction()
        .execute(async (transaction) => {
          await first(transaction);
          resolve();
          await releaseSignal;
          await second(transaction);
        });
    });
    const reply = send();
    await waitForLock();
    release();
    await completion;
    return reply;
  };

  it.runIf(database === 'postgres')('lock a node before its tour, as an import does', async () => {
    const { a, tour } = await addTourOfThree();
    const lockNode = (transaction: Transaction<TourTables>) =>
      transaction.selectFrom('node').select('uid').where('uid', '=', a).forUpdate().execute();
    const touchTour = (transaction: Transaction<TourTables>) =>
      sql`update tour.tour set version = version + 1`.execute(transaction);
    const remove = () =>
      server.call(deleteNodes, {
        params: { location: 'K', tour },
        body: { nodes: [{ uid: a, version: 1 }] },
        token: admin,
      });
    const deletion = await interleave(lockNode, remove, touchTour);
    expect(deletion.status).toBe(200);
    const undone = await undo(deletion.body);
    const redone = await interleave(lockNode, () => undo(undone.body), touchTour);
    expect(redone.status).toBe(200);
  });

  it.runIf(database === 'postgres')('refuse nodes of a deck or tour that was deleted in the meantime', async () => {
    const { a, deck, tour } = await addTourOfThree();
    const waitForTurn = (transaction: Transaction<TourTables>) =>
      sql`select pg_advisory_xact_lock(hashtext('core.change.tour'))`.execute(transaction);
    const deleteIt = (transaction: Transaction<TourTables>) =>
      transaction.deleteFrom('deck').where('uid', '=', deck).execute();
    const moveReply = await interleave(waitForTurn, () => changeOne(a, { position: [1, 1, 1] }), deleteIt);
    expect(moveReply.status).toBe(400);
    const addReply = await interleave(
      waitForTurn,
      () => addNodes([buildNode('Z', [0, 0, 0])]),
      (transaction) => transaction.deleteFrom('tour').where('uid', '=', tour).execute(),
    );
    expect(addReply.status).toBe(404);
  });

  it('refuses to delete a deck with inaccessible nodes, and lets authors undo their own deletions', async () => {
    const { a, b, deck, tour } = await addTourOfThree();
    const token = await server.signIn({ flags: ['configure'], locations: ['K-1-A'] });
    const params = { location: 'K-1-A', tour };
    const deletion = await server.call(deleteNodes, { params, body: { nodes: [{ uid: a, version: 1 }] }, token });
    expect((await read()).tours[0]!.startNode).toBe(b);
    expect((await undo(deletion.body, token)).status).toBe(200);
    await tables().updateTable('node').set({ location: 'K-1' }).where('uid', '=', b).execute();
    const remove = (as: string) =>
      server.call(deleteDeck, { params: { location: 'K-1-A', deck }, query: { version: 1 }, token: as });
    expect((await remove(token)).status).toBe(403);
    const removeReply = await remove(admin);
    expect((await undo(removeReply.body, token)).status).toBe(403);
    expect((await undo(removeReply.body)).status).toBe(200);
  });

  it('needs the same number of statements for 100 nodes as for 3', async () => {
    const { deck } = await addTourOfThree();
    const countChange = async (size: number) => {
      const nodes = Array.from({ length: size }, (_, index) =>
        buildNode(`S${size}-${index}`, [index, size, 13.7], deck),
      );
      const creation = await new QueryCounter(server.database).record(() => addNodes(nodes));
      const tour = (await read()).tours[0]!.uid;
      const change = await new QueryCounter(server.database).record(() =>
        server.call(updateNodes, {
          params: { location: 'K', tour },
          body: { nodes: nodes.map(({ code: _, ...node }) => ({ ...node, heading: 12, version: 1 })) },
          token: admin,
        }),
      );
      expect(change.result.status).toBe(200);
      return [creation, change].map(
        ({ statements }) => statements.filter((statement) => /tour|change_row/.test(statement)).length,
      );
    };
    expect(await countChange(100)).toEqual(await countChange(3));
  });
});
