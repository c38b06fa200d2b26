import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { DemoFile, DemoLocation, DemoPlant, Point3 } from '#core';
import type { CodeKind, DemoDocument, DemoNode, TourDemo } from '#plugins/tour';
import { enabledPlugin, LocationStore } from '#core/server';
import { describeOnDatabases, startTestServer, type TestServer } from '#core/testing/server';
import { Tours } from '#plugins/tour';
import {
  updateCode,
  findNodes,
  findSurface,
  getDocument,
  getTag,
  listNodeTags,
  listTourLocations,
  listVisitedNodes,
  openTour,
  searchTags,
  visitNode,
} from '../contract/api.ts';
import manifest from '../plugin.ts';
import {
  buildNodeRow,
  buildTagRow,
  buildTourRow,
  insertTourRows,
  nodeUid,
  tourUid,
} from '../testing/server/tour-rows.ts';
import { tourSchema, type TourTables } from './tables.ts';
import tour from './index.ts';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'walkdown-tour-'));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

/** Creates a panorama, a thumbnail, and range images of 4 metres and of 2.5 metres in all directions. */
async function createFiles(): Promise<{
  readonly panorama: DemoFile;
  readonly range: DemoFile;
  readonly nearer: DemoFile;
  readonly picture: DemoFile;
}> {
  const createFile = async (
    name: string,
    width: number,
    height: number,
    background: { r: number; g: number; b: number },
    mediaType: string,
  ): Promise<DemoFile> => {
    const file = path.join(folder, name);
    const image = sharp({ create: { width, height, channels: 3, background } });
    await (name.endsWith('.webp') ? image.webp({ lossless: true }) : image.jpeg()).toFile(file);
    return { path: file, name, mediaType, bytes: fs.statSync(file).size, width, height };
  };
  return {
    panorama: await createFile('p.jpg', 2048, 1024, { r: 90, g: 120, b: 150 }, 'image/jpeg'),
    range: await createFile('r.webp', 1024, 512, { r: 4000 >> 8, g: 4000 & 255, b: 0 }, 'image/webp'),
    nearer: await createFile('n.webp', 1024, 512, { r: 2500 >> 8, g: 2500 & 255, b: 0 }, 'image/webp'),
    picture: await createFile('t.jpg', 480, 320, { r: 1, g: 2, b: 3 }, 'image/jpeg'),
  };
}

/** A unit with two decks. Two nodes are on the lower deck, one is on the upper deck. */
async function buildPlant(): Promise<DemoPlant & TourDemo> {
  const { panorama, range, nearer, picture } = await createFiles();
  const buildLocation = (
    uid: string,
    parent: string | null,
    locationType: DemoLocation['locationType'],
  ): DemoLocation => ({
    uid,
    name: uid,
    label: uid,
    parent,
    root: 'site',
    locationType,
  });
  const buildDemoNode = (code: string, deck: string, location: string, x: number): DemoNode => ({
    code,
    name: `Node ${code}`,
    tour: 'T1',
    deck,
    location,
    position: [x, 1, 2],
    heading: 30,
    view: { pan: 10, tilt: -5 },
    capturedAt: '2026-03-01T10:00:00.000Z',
    panorama,
    range,
    thumbnail: picture,
  });
  const buildDocument = (
    code: string,
    at: string,
    tags: readonly string[],
    ...revisions: readonly (readonly [revision: string, status: string, issuedOn: string])[]
  ): DemoDocument => ({
    code,
    title: `Data sheet ${code}`,
    location: at,
    tags,
    revisions: revisions.map(([revision, status, issuedOn]) => ({
      revision,
      status,
      issuedOn,
      fileName: `${code}-${revision}.pdf`,
      mediaType: 'application/pdf',
      content: () => Promise.resolve(new TextEncoder().encode(`${code} ${revision}`)),
    })),
  });
  const buildTagView = (at: string, distance: number) => ({ node: at, pan: 12, tilt: 3, distance, visible: 1 });
  const extent = { west: 0, south: 0, east: 40, north: 30 };
  return {
    name: 'Test plant',
    locations: [
      buildLocation('site', null, 'PRIMARY_LOCATION'),
      buildLocation('unit', 'site', 'PLATFORM_UNIT'),
      buildLocation('lower', 'unit', 'LOC_LEVEL'),
      buildLocation('upper', 'unit', 'LOC_LEVEL'),
      buildLocation('empty', 'site', 'PLATFORM_UNIT'),
    ],
    decks: [
      { code: 'D2', name: 'Upper', location: 'upper', elevation: 8, map: picture, extent },
      { code: 'D1', name: 'Lower', location: 'lower', elevation: 0, map: picture, extent },
    ],
    tours: [{ code: 'T1', name: 'Separation', location: 'unit', startNode: 'N1' }],
    nodes: [
      {
        ...buildDemoNode('N1', 'D1', 'lower', 0),
        earlier: [{ capturedAt: '2025-03-01T10:00:00.000Z', panorama, range: nearer }],
      },
      buildDemoNode('N2', 'D1', 'lower', 4),
      buildDemoNode('N3', 'D2', 'upper', 4),
    ],
    links: [
      { from: 'N1', to: 'N2', kind: 'WALK', pan: 90, tilt: -20, distance: 4 },
      { from: 'N2', to: 'N1', kind: 'WALK', pan: 270, tilt: -20, distance: 4 },
      { from: 'N2', to: 'N3', kind: 'STAIR', pan: 0, tilt: 40, distance: 8 },
      { from: 'N3', to: 'N2', kind: 'STAIR', pan: 180, tilt: -50, distance: 8 },
    ],
    documents: [
      buildDocument(
        'DS-101',
        'lower',
        ['V-101', '6"-PG-10021-A1B'],
        ['A', 'S3', '2025-02-17'],
        ['B', 'A1', '2025-06-02'],
      ),
      buildDocument('DS-102', 'upper', ['V-101'], ['A', 'CR', '2026-01-26']),
    ],
    tags: [
      {
        tag: 'V-101',
        kind: 'VESSEL',
        description: 'First stage separator',
        position: [3, 4, 2],
        size: [1, 1, 1],
        deck: 'D1',
        location: 'lower',
        seenFrom: [buildTagView('N1', 3), buildTagView('N2', 5)],
      },
      {
        tag: 'PT-1001',
        kind: 'INSTRUMENT',
        description: 'Separator pressure',
        position: [3, 4, 9],
        size: [1, 1, 1],
        deck: 'D2',
        location: 'upper',
        line: '6"-PG-10021-A1B',
        seenFrom: [buildTagView('N3', 2)],
      },
      {
        tag: 'XV-9',
        kind: 'VALVE',
        description: 'Never seen, 100% hidden',
        position: [0, 0, 0],
        size: [1, 1, 1],
        deck: 'D1',
        location: 'lower',
        seenFrom: [],
      },
    ],
    lines: [
      {
        number: '6"-PG-10021-A1B',
        service: 'Process gas',
        nps: '6',
        dn: 150,
        outsideDiameter: 0.1683,
        from: 'V-101',
        to: 'K-1',
        points: [
          [0, 0, 0],
          [1, 0, 0],
        ],
        seenFrom: [buildTagView('N3', 4)],
      },
    ],
    loginBackgrounds: [],
  };
}

describeOnDatabases('tour', (kind) => {
  let server: TestServer;
  let demoPlant: DemoPlant & TourDemo;
  let userToken: string;

  beforeAll(async () => {
    demoPlant = await buildPlant();
    server = await startTestServer({ database: kind, plugins: [enabledPlugin(manifest, {}, tour)] });
    await server.service(LocationStore).upsert(demoPlant.locations);
    await server.server.seed(demoPlant);
    userToken = await server.signIn();
    const { body } = await server.call(openTour, { params: { location: 'unit' }, query: {}, token: userToken });
    for (const { uid, code } of body.nodes) uids.set(code, uid);
  });
  afterAll(() => server.close());

  /** Uids of nodes by code. */
  const uids = new Map<string, string>();
  const toUid = (code: string): string => uids.get(code) ?? code;
  const listVisited = async (token: string) =>
    (await server.call(listVisitedNodes, { params: { location: 'unit' }, token })).body;

  it('[TOUR-02] returns nodes in walking order with tiles, links, and decks from the lowest up', async () => {
    const { status, body, headers } = await server.call(openTour, {
      params: { location: 'unit' },
      query: {},
      token: userToken,
    });
    expect(status).toBe(200);
    expect(body.tour).toEqual({
      uid: expect.any(String),
      code: 'T1',
      name: 'Separation',
      location: 'unit',
      startNode: toUid('N1'),
    });
    expect(body.nodes.map((node) => node.code)).toEqual(['N1', 'N2', 'N3']);
    expect(body.nodes[0]).toMatchObject({
      position: [0, 1, 2],
      heading: 30,
      view: { pan: 10, tilt: -5 },
      capturedAt: '2026-03-01T10:00:00.000Z',
    });
    expect(body.links).toHaveLength(4);
    expect(body.decks.map((deck) => deck.name)).toEqual(['Lower', 'Upper']);
    expect(body.decks[0]?.plan).toMatchObject({ centre: [20, 15], width: 480, height: 320, heading: 0 });
    expect(await listVisited(userToken)).toEqual([]);
    const picture = body.nodes[2]!.picture!;
    expect(picture).toMatchObject({
      tileSize: 512,
      mesh: true,
      ranges: { width: 1024, height: 512, tileSize: 512 },
      levels: [
        { width: 1024, height: 512, columns: 2, rows: 1 },
        { width: 2048, height: 1024, columns: 4, rows: 2 },
      ],
    });
    for (const [tilePath, bytes] of [
      ['preview.jpg', 500],
      ['1/3_1.jpg', 500],
      ['mesh.u16', 257 * 129 * 2],
      ['range/1_0.webp', 40],
    ] as const) {
      const response = await server.app.inject({
        url: `${picture.address}/${tilePath}`,
        headers: { authorization: `Bearer ${userToken}` },
      });
      expect(response.statusCode).toBe(200);
      expect(response.rawPayload.length).toBeGreaterThanOrEqual(bytes);
      if (tilePath === 'mesh.u16') expect(response.rawPayload.readUInt16LE(2000)).toBe(4000);
    }
    const unchangedReply = await server.call(openTour, {
      params: { location: 'unit' },
      query: {},
      token: userToken,
      headers: { 'if-none-match': String(headers['etag']) },
    });
    expect(unchangedReply.status).toBe(304);
  });

  it('changes nothing when the same plant is seeded twice', async () => {
    const before = await server.call(openTour, { params: { location: 'unit' }, query: {}, token: userToken });
    await server.server.seed(demoPlant);
    expect((await server.call(openTour, { params: { location: 'unit' }, query: {}, token: userToken })).body).toEqual(
      before.body,
    );
  });

  it("[ACC-04] returns only the nodes, links and tags of the decks that the caller's roles allow", async () => {
    const token = await server.signIn({ locations: ['upper'] });
    const { body } = await server.call(openTour, { params: { location: 'upper' }, query: {}, token });
    expect(body.nodes.map((node) => node.code)).toEqual(['N3']);
    expect(body.tour).toMatchObject({ location: 'upper', startNode: toUid('N3') });
    expect(body.links).toEqual([]);
    expect(body.decks.map((deck) => deck.code)).toEqual(['D2']);
    expect((await server.call(openTour, { params: { location: 'unit' }, query: {}, token })).status).toBe(403);
    expect((await server.call(listNodeTags, { params: { location: 'upper', node: toUid('N1') }, token })).status).toBe(
      404,
    );
    expect((await server.call(visitNode, { params: { location: 'upper', node: toUid('N1') }, token })).status).toBe(
      404,
    );
    expect((await server.call(getTag, { params: { location: 'upper', number: 'V-101' }, token })).status).toBe(404);
    expect(
      (await server.call(searchTags, { params: { location: 'upper' }, query: { text: 'separator' }, token })).body.map(
        (hit) => hit.number,
      ),
    ).toEqual(['PT-1001']);
    const picture = (await server.call(openTour, { params: { location: 'unit' }, query: {}, token: userToken })).body
      .nodes[0]!.picture!;
    expect(
      (
        await server.app.inject({
          url: `${picture.address}/preview.jpg`,
          headers: { authorization: `Bearer ${token}` },
        })
      ).statusCode,
    ).toBe(403);
  });

  it('returns an earlier capture of a node with its own tiles', async () => {
    const { body } = await server.call(openTour, { params: { location: 'unit' }, query: {}, token: userToken });
    expect(body.nodes.map((node) => node.captures.length)).toEqual([1, 0, 0]);
    const [{ capturedAt, picture } = { capturedAt: '', picture: undefined }] = body.nodes[0]!.captures;
    expect(capturedAt).toBe('2025-03-01T10:00:00.000Z');
    expect(picture?.id).not.toBe(body.nodes[0]!.picture!.id);
    const response = await server.app.inject({
      url: `${picture!.address}/mesh.u16`,
      headers: { authorization: `Bearer ${userToken}` },
    });
    expect(response.rawPayload.readUInt16LE(2000)).toBe(2500);
    const upperToken = await server.signIn({ locations: ['upper'] });
    expect(
      (
        await server.app.inject({
          url: `${picture!.address}/preview.jpg`,
          headers: { authorization: `Bearer ${upperToken}` },
        })
      ).statusCode,
    ).toBe(403);
  });

  it('finds the surface point in a direction in the panorama of a date', async () => {
    const find = async (query: { pan: number; tilt: number; capturedAt?: string }, node = 'N1') =>
      server.call(findSurface, { params: { location: 'unit', node: toUid(node) }, query, token: userToken });
    const { body } = await find({ pan: 90, tilt: 0 });
    expect(body.point?.map((value) => Number(value.toFixed(6)))).toEqual([4, 1, 2]);
    expect((await find({ pan: 0, tilt: -90, capturedAt: '2025-03-01T10:00:00.000Z' })).body.point?.[2]).toBeCloseTo(
      -0.5,
      6,
    );
    expect((await find({ pan: 0, tilt: 0, capturedAt: '2024-03-01T10:00:00.000Z' })).status).toBe(404);
    expect((await find({ pan: 0, tilt: 0, capturedAt: 'last spring' })).status).toBe(400);
    expect((await find({ pan: 0, tilt: 0 }, 'nowhere')).status).toBe(404);
    const token = await server.signIn({ locations: ['upper'] });
    expect(
      (
        await server.call(findSurface, {
          params: { location: 'upper', node: toUid('N1') },
          query: { pan: 0, tilt: 0 },
          token,
        })
      ).status,
    ).toBe(404);
  });

  it('finds the nodes that see a shape without occlusion', async () => {
    const tours = server.service(Tours);
    // All ranges are four metres.
    const shapes: readonly (readonly Point3[])[] = [
      [[3, 1, 2]],
      [[0, 6, 2]],
      [
        [3, 1, 2],
        [0, 12, 2],
        [0, 13, 2],
      ],
      [[0, 1, 40]],
    ];
    expect(await tours.nodesThatSee(await tours.tourAt('unit'), shapes)).toEqual([
      ['N1', 'N2', 'N3'].map(toUid),
      [],
      [],
      [],
    ]);
    expect(await tours.nodesThatSee('nowhere', shapes)).toEqual([[], [], [], []]);
  });

  it('lists the accessible locations that open a tour', async () => {
    const listLocations = async (token: string) => (await server.call(listTourLocations, { token })).body.toSorted();
    const tourLocations = await listLocations(userToken);
    expect(tourLocations).toEqual(expect.arrayContaining(['lower', 'unit', 'upper']));
    for (const location of ['empty', 'site']) expect(tourLocations).not.toContain(location);
    expect(await listLocations(await server.signIn({ locations: ['upper', 'empty'] }))).toEqual(['upper']);
    // Exactly these locations open a tour.
    for (const location of ['empty', 'lower', 'site', 'unit', 'upper']) {
      const { body } = await server.call(openTour, { params: { location }, query: {}, token: userToken });
      expect([location, (body.nodes ?? []).length > 0]).toEqual([location, tourLocations.includes(location)]);
    }
  });

  it('opens the tour of the unit for a location below it and rejects a location without one', async () => {
    expect(
      (await server.call(openTour, { params: { location: 'lower' }, query: {}, token: userToken })).body.tour.code,
    ).toBe('T1');
    expect((await server.call(openTour, { params: { location: 'empty' }, query: {}, token: userToken })).status).toBe(
      404,
    );
    expect((await server.call(openTour, { params: { location: 'nowhere' }, query: {}, token: userToken })).status).toBe(
      403,
    );
  });

  it('lists the tags visible from a node, nearest first', async () => {
    const { body } = await server.call(listNodeTags, {
      params: { location: 'unit', node: toUid('N3') },
      token: userToken,
    });
    expect(body).toEqual([
      {
        number: 'PT-1001',
        type: 'TAG',
        kind: 'INSTRUMENT',
        description: 'Separator pressure',
        pan: 12,
        tilt: 3,
        distance: 2,
      },
      {
        number: '6"-PG-10021-A1B',
        type: 'LINE',
        kind: 'LINE',
        description: 'Process gas, 6", V-101 to K-1',
        pan: 12,
        tilt: 3,
        distance: 4,
      },
    ]);
  });

  it('returns the nodes that see a tag, and the details of a line', async () => {
    const vessel = await server.call(getTag, { params: { location: 'unit', number: 'V-101' }, token: userToken });
    expect(vessel.body).toMatchObject({
      position: [3, 4, 2],
      line: null,
      pipe: null,
      seenFrom: [
        { node: toUid('N1'), distance: 3, visible: 1 },
        { node: toUid('N2'), distance: 5, visible: 1 },
      ],
    });
    const line = await server.call(getTag, {
      params: { location: 'unit', number: '6"-PG-10021-A1B' },
      token: userToken,
    });
    expect(line.body).toMatchObject({
      type: 'LINE',
      position: null,
      pipe: { service: 'Process gas', nps: '6', outsideDiameter: 0.1683, from: 'V-101', to: 'K-1' },
    });
    expect((await server.call(getTag, { params: { location: 'unit', number: 'none' }, token: userToken })).status).toBe(
      404,
    );
  });

  it('lists the documents of a tag with their latest revisions, and all revisions of one document', async () => {
    const { body } = await server.call(getTag, { params: { location: 'unit', number: 'V-101' }, token: userToken });
    expect(body.documents).toMatchObject([
      { code: 'DS-101', revisions: 2, latest: { revision: 'B', status: 'A1', issuedOn: '2025-06-02', bytes: 8 } },
      { code: 'DS-102', revisions: 1, latest: { revision: 'A', status: 'CR', mediaType: 'application/pdf' } },
    ]);
    const document = await server.call(getDocument, {
      params: { location: 'unit', code: 'DS-101' },
      token: userToken,
    });
    expect(document.body).toMatchObject({
      title: 'Data sheet DS-101',
      formerCodes: [],
      revisions: [{ revision: 'B' }, { revision: 'A' }],
      tags: ['6"-PG-10021-A1B', 'V-101'],
    });
    const read = (url: string, token: string) =>
      server.app.inject({ url, headers: { authorization: `Bearer ${token}` } });
    expect((await read(document.body.revisions[1]!.address, userToken)).body).toBe('DS-101 A');
    expect(
      (await server.call(getDocument, { params: { location: 'unit', code: 'none' }, token: userToken })).status,
    ).toBe(404);
  });

  it('[ACC-04] returns only documents at locations that the caller can access', async () => {
    const token = await server.signIn({ locations: ['lower'] });
    const { body } = await server.call(getTag, { params: { location: 'lower', number: 'V-101' }, token });
    expect(body.documents.map(({ code }) => code)).toEqual(['DS-101']);
    const open = (code: string) => server.call(getDocument, { params: { location: 'lower', code }, token });
    expect((await open('DS-101')).status).toBe(200);
    expect((await open('DS-102')).status).toBe(404);
  });

  it('[TOUR-07:tag] [TOUR-07:line] finds tags and lines by number and returns their types', async () => {
    const find = async (text: string) =>
      (await server.call(searchTags, { params: { location: 'unit' }, query: { text }, token: userToken })).body.map(
        ({ number, type }) => [number, type],
      );
    expect(await find('PT-1001')).toEqual([['PT-1001', 'TAG']]);
    expect(await find('6"-PG-10021')).toEqual([['6"-PG-10021-A1B', 'LINE']]);
  });

  it('finds tags by number in any spelling, then by description, with a wildcard', async () => {
    const find = async (text: string) =>
      (await server.call(searchTags, { params: { location: 'unit' }, query: { text }, token: userToken })).body.map(
        (hit) => hit.number,
      );
    expect(await find('pt 1001')).toEqual(['PT-1001']);
    expect((await find('v'))[0]).toBe('V-101');
    expect(await find('1001')).toEqual(['PT-1001']);
    expect(await find('separator')).toEqual(['PT-1001', 'V-101']);
    expect(await find('6*10021')).toEqual(['6"-PG-10021-A1B']);
    expect(await find('100% h')).toEqual(['XV-9']);
    // No number begins with this text.
    expect(await find('0%')).toEqual(['XV-9']);
    expect(await find('1%1')).toEqual([]);
    expect(await find('_')).toEqual([]);
    expect(await find('zzz')).toEqual([]);
  });

  it('[PID-07] finds tags by prefix, substring and wildcard, with small errors and without separators', async () => {
    const find = async (text: string, type?: 'TAG' | 'LINE') =>
      (
        await server.call(searchTags, {
          params: { location: 'unit' },
          query: { text, ...(type === undefined ? {} : { type }) },
          token: userToken,
        })
      ).body.map(({ number, match }) => [number, match]);
    expect(await find('PT-10')).toEqual([['PT-1001', 'NUMBER']]);
    expect(await find('T1001')).toEqual([['PT-1001', 'NUMBER']]);
    expect(await find('pt*01')).toEqual([['PT-1001', 'NUMBER']]);
    expect(await find('pt1001')).toEqual([['PT-1001', 'NUMBER']]);
    expect(await find('PT-1O01')).toEqual([['PT-1001', 'SIMILAR']]);
    for (const text of ['TP-1001', 'PT-101', 'PT-10001', 'PX1001'])
      expect([text, ...(await find(text, 'TAG'))]).toEqual([text, ['PT-1001', 'SIMILAR']]);
    expect((await find('seperator')).map(([, match]) => match)).toEqual(['SIMILAR', 'SIMILAR']);
    expect(await find('P*O01')).toEqual([]);
    expect(await find('101', 'TAG')).toEqual([['V-101', 'NUMBER']]);
    await insertTourRows(server.database, { tags: [buildTagRow('V 1010', { location: 'lower' })] });
    expect((await find('v101')).map(([number]) => number)).toEqual(['V-101', 'V 1010']);
    await server.database.query(`delete from tour.tag where code = 'V 1010'`);
  });

  it('[PID-07] [ACC-04] finds only tags that are at an accessible location or visible from an accessible node', async () => {
    const below: Readonly<Record<string, readonly string[]>> = {
      site: ['site', 'unit', 'lower', 'upper', 'empty'],
      unit: ['unit', 'lower', 'upper'],
    };
    const rows = await server.database.query<{ readonly code: string; readonly places: readonly string[] }>(
      `select tag.code, array_agg(node.location) || tag.location as places
         from tour.tag left join tour.tag_view on tag_view.tag = tag.uid left join tour.node on node.uid = tag_view.node
         where tag.site = 'site' group by tag.uid`,
    );
    const texts = ['*', 'v', '1', '1001', 'PT-1001', 'v*1', 'separator', 'PT-1O01', 'seperator', 'hidden', '100%'];
    let hitCount = 0;
    for (const role of [['site'], ['unit'], ['lower'], ['upper'], ['lower', 'upper'], ['empty'], []]) {
      const accessibleLocations = role.flatMap((location) => below[location] ?? [location]);
      const accessibleCodes = rows
        .filter(({ places }) => places.some((place) => accessibleLocations.includes(place)))
        .map(({ code }) => code);
      const token = await server.signIn({ locations: role });
      for (const location of ['unit', 'lower', 'upper']) {
        for (const text of texts) {
          const reply = await server.call(searchTags, { params: { location }, query: { text }, token });
          expect([reply.status, role, location]).toEqual([
            accessibleLocations.includes(location) ? 200 : 403,
            role,
            location,
          ]);
          if (reply.status !== 200) continue;
          const numbers = reply.body.map(({ number }) => number);
          expect(numbers.filter((number) => !accessibleCodes.includes(number))).toEqual([]);
          if (text === '*') expect(numbers.toSorted()).toEqual(accessibleCodes.toSorted());
          hitCount += numbers.length;
        }
      }
    }
    expect(hitCount).toBeGreaterThan(50);
  });

  it('records the visited nodes of each person', async () => {
    const token = await server.signIn();
    const visit = (code: string) => server.call(visitNode, { params: { location: 'unit', node: toUid(code) }, token });
    for (const code of ['N2', 'N1', 'N2']) expect((await visit(code)).status).toBe(200);
    expect(await listVisited(token)).toEqual([toUid('N2'), toUid('N1')]);
    expect(await listVisited(userToken)).toEqual([]);
    expect((await server.call(visitNode, { params: { location: 'unit', node: 'nowhere' }, token })).status).toBe(404);
  });

  it('opens a large tour with the nearest nodes', async () => {
    const largeSite = { uid: 'large', label: 'large', name: 'large', parent: null, root: 'large' };
    const buildUnit = (uid: string, parent: string) => ({ ...largeSite, uid, label: uid, name: uid, parent });
    await server.service(LocationStore).upsert([
      { ...largeSite, locationType: 'PRIMARY_LOCATION' },
      { ...buildUnit('large-unit', 'large'), locationType: 'PLATFORM_UNIT' },
      { ...buildUnit('large-open', 'large-unit'), locationType: 'LOC_LEVEL' },
      { ...buildUnit('large-hidden', 'large-unit'), locationType: 'LOC_LEVEL' },
    ]);
    // A row of nodes, 1 m apart, every tenth at another location.
    const row = Array.from({ length: 230 }, (_, index) => ({
      ...buildNodeRow(`L${index}`),
      site: 'large',
      tour: tourUid('TL'),
      position: index,
      x: index,
      location: index % 10 === 9 ? 'large-hidden' : 'large-open',
    }));
    await insertTourRows(server.database, {
      tours: [buildTourRow('TL', { site: 'large', location: 'large-unit', start_node: nodeUid('L0') })],
      nodes: row,
    });
    const fullToken = await server.signIn();
    const limitedToken = await server.signIn({ locations: ['large-open'] });
    const open = async (token: string, query: { first?: 'true'; near?: string }) => {
      const { body } = await server.call(openTour, { params: { location: 'large-open' }, query, token });
      const codes = body.nodes.map(({ code }) => Number(code.slice(1)));
      if (token === limitedToken) expect(codes.filter((code) => code % 10 === 9)).toEqual([]);
      return { complete: body.complete, count: codes.length, from: codes[0], to: codes.at(-1) };
    };
    expect(await open(fullToken, {})).toEqual({ complete: true, count: 230, from: 0, to: 229 });
    expect(await open(fullToken, { first: 'true' })).toEqual({ complete: false, count: 60, from: 0, to: 59 });
    expect(await open(fullToken, { first: 'true', near: 'L200' })).toEqual({
      complete: false,
      count: 60,
      from: 170,
      to: 229,
    });
    expect(await open(fullToken, { first: 'true', near: nodeUid('L200') })).toMatchObject({ from: 170 });
    expect(await open(fullToken, { first: 'true', near: 'nowhere' })).toMatchObject({ from: 0, to: 59 });
    const tables = server.database.of<TourTables>(tourSchema);
    const [from_node, to_node] = [nodeUid('L0'), nodeUid('L229')];
    await tables
      .insertInto('link')
      .values({ from_node, to_node, kind: 'WALK', pan: 0, tilt: 0, distance: 1 })
      .execute();
    await tables
      .updateTable('tour')
      .set(({ eb }) => ({ version: eb('version', '+', 1) }))
      .execute();
    expect(await open(fullToken, { first: 'true' })).toEqual({ complete: false, count: 60, from: 0, to: 229 });
    // The last of 60 accessible nodes in a row of which every tenth is hidden.
    expect(await open(limitedToken, { first: 'true' })).toEqual({ complete: false, count: 60, from: 0, to: 65 });
    expect(await open(limitedToken, { first: 'true', near: 'L209' })).toMatchObject({ from: 0, to: 65 });
    expect(await open(limitedToken, {})).toEqual({ complete: true, count: 207, from: 0, to: 228 });
  });

  it('keeps prepared replies while many codes and nodes of a large tour are requested', async () => {
    const token = await server.signIn();
    const openTourAt = async (query: { first?: 'true'; near?: string }) =>
      (await server.call(openTour, { params: { location: 'large-open' }, query, token })).body;
    const before = [await openTourAt({}), await openTourAt({ first: 'true' })];
    // The version of the tour is unchanged, so only a new reply contains the new name.
    await server.database
      .of<TourTables>(tourSchema)
      .updateTable('node')
      .set({ name: 'Renamed' })
      .where('tour', '=', tourUid('TL'))
      .execute();
    for (let index = 0; index < 70; index++) await openTourAt({ first: 'true', near: `nowhere ${index}` });
    expect(await openTourAt({ first: 'true' })).toEqual(before[1]);
    for (let index = 0; index < 70; index++) await openTourAt({ first: 'true', near: `L${index}` });
    expect(await openTourAt({})).toEqual(before[0]);
  });

  it('reuses the prepared reply until the tour changes', async () => {
    const openTourAt = async (etag?: string) =>
      server.call(openTour, {
        params: { location: 'unit' },
        query: {},
        token: userToken,
        headers: etag === undefined ? {} : { 'if-none-match': etag },
      });
    const first = await openTourAt();
    const etag = String(first.headers['etag']);
    expect((await openTourAt(etag)).status).toBe(304);
    await server.call(updateCode, {
      params: { location: 'unit', kind: 'DECK', uid: first.body.decks[0]!.uid },
      body: { code: 'D1-A' },
      token: await server.signIn({ flags: ['configure'] }),
    });
    const changedReply = await openTourAt(etag);
    expect([changedReply.status, changedReply.body.decks[0]?.code, changedReply.body.decks[0]?.formerCodes]).toEqual([
      200,
      'D1-A',
      ['D1'],
    ]);
  });
});

describeOnDatabases('two sites with the same codes', (kind) => {
  let server: TestServer;
  let userToken: string;
  let adminToken: string;

  /** Returns the plant of another site with the same codes. Its locations have other uids. */
  const moveToOtherSite = (plant: DemoPlant & TourDemo): DemoPlant & TourDemo => {
    const toOtherUid = (uid: string): string => `other-${uid}`;
    return {
      ...plant,
      locations: plant.locations.map((location) => ({
        ...location,
        uid: toOtherUid(location.uid),
        name: `Other ${location.name}`,
        parent: location.parent === null ? null : toOtherUid(location.parent),
        root: toOtherUid('site'),
      })),
      decks: plant.decks.map((deck) => ({ ...deck, location: toOtherUid(deck.location) })),
      tours: plant.tours.map((row) => ({ ...row, location: toOtherUid(row.location) })),
      nodes: plant.nodes.map((node) => ({ ...node, location: toOtherUid(node.location) })),
      tags: plant.tags.map((tag) => ({ ...tag, location: toOtherUid(tag.location), description: 'Of the other site' })),
      documents: plant.documents.map((document) => ({
        ...document,
        location: toOtherUid(document.location),
        title: 'Of the other site',
      })),
    };
  };
  const openTourAt = async (location: string, token = userToken) =>
    (await server.call(openTour, { params: { location }, query: {}, token })).body;
  const find = async (code: string, token = userToken, site?: string) =>
    (await server.call(findNodes, { query: site === undefined ? { code } : { code, site }, token })).body;
  const requestCodeChange = (codeKind: CodeKind, uid: string, code: string, location = 'unit', token = adminToken) =>
    server.call(updateCode, { params: { location, kind: codeKind, uid }, body: { code }, token });
  const findDocument = (location: string, code: string) =>
    server.call(getDocument, { params: { location, code }, token: userToken });
  const findTag = (location: string, number: string) =>
    server.call(getTag, { params: { location, number }, token: userToken });

  beforeAll(async () => {
    server = await startTestServer({ database: kind, plugins: [enabledPlugin(manifest, {}, tour)] });
    for (const demoPlant of [await buildPlant(), moveToOtherSite(await buildPlant())]) {
      await server.service(LocationStore).upsert(demoPlant.locations);
      await server.server.seed(demoPlant);
    }
    userToken = await server.signIn();
    adminToken = await server.signIn({ flags: ['configure'] });
  });
  afterAll(() => server.close());

  it('finds the nodes of many locations, each by the tour of its location', async () => {
    const tours = server.service(Tours);
    const locations = ['unit', 'other-unit', 'upper', 'site', 'other-lower', 'nowhere'];
    const result = await tours.nodesAtEach([...locations, 'unit']);
    expect(locations.map((location) => result.get(location)?.map(({ code }) => code))).toEqual([
      ['N1', 'N2', 'N3'],
      ['N1', 'N2', 'N3'],
      ['N3'],
      ['N1', 'N2', 'N3'],
      ['N1', 'N2'],
      [],
    ]);
    for (const location of locations) expect(await tours.nodesAt(location)).toEqual(result.get(location));
    expect(result.get('unit')).not.toEqual(result.get('other-unit'));
    expect(await tours.nodesAtEach([])).toEqual(new Map());
  });

  it('[ACC-04] omits the number of a tag that is neither at an accessible location nor visible from one', async () => {
    const tours = server.service(Tours);
    const [vessel, pressure, hidden] = await Promise.all(
      ['V-101', 'PT-1001', 'XV-9'].map(async (number) => (await tours.findTags('unit', [number])).get(number)!),
    );
    const uids = [vessel!, pressure!, hidden!];
    const listNumbers = async (...accessibleLocations: readonly string[]) => {
      const result = await tours.tagNumbers([...uids, 'gone'], accessibleLocations);
      return [...uids, 'gone'].map((uid) => result.get(uid));
    };
    expect(await listNumbers('lower', 'upper')).toEqual(['V-101', 'PT-1001', 'XV-9', undefined]);
    expect(await listNumbers('lower')).toEqual(['V-101', null, 'XV-9', undefined]);
    expect(await listNumbers('upper')).toEqual([null, 'PT-1001', null, undefined]);
    expect(await listNumbers()).toEqual([null, null, null, undefined]);
    const buildTagView =
      'insert into tour.tag_view (tag, node, pan, tilt, distance, visible) values ($1, $2, 0, 0, 9, 1)';
    const [node] = await tours.nodesAt('upper');
    await server.database.query(buildTagView, [vessel, node!.uid]);
    expect(await listNumbers('upper')).toEqual(['V-101', 'PT-1001', null, undefined]);
    await server.database.query('delete from tour.tag_view where tag = $1 and node = $2', [vessel, node!.uid]);
  });

  it("changes the version of a location's nodes when its nodes change", async () => {
    const tours = server.service(Tours);
    const readVersions = () => Promise.all(['unit', 'other-unit'].map((location) => tours.nodesVersion([location])));
    const [formerVersion, formerOtherVersion] = await readVersions();
    expect(await readVersions()).toEqual([formerVersion, formerOtherVersion]);
    const [node] = await tours.nodesAt('unit');
    await server.database.query('update tour.node set x = x + 0.5 where uid = $1', [node!.uid]);
    const [changedVersion, otherVersion] = await readVersions();
    expect([changedVersion === formerVersion, otherVersion === formerOtherVersion]).toEqual([false, true]);
  });

  it('[DAT-06:tour] [DAT-06:viewpoint] [DAT-06:deck] [DAT-06:tag] [DAT-06:line] opens the tour of each site with its own nodes, decks, links and tags', async () => {
    const [first, second] = [await openTourAt('unit'), await openTourAt('other-unit')];
    expect([first.tour.code, second.tour.code]).toEqual(['T1', 'T1']);
    for (const property of ['nodes', 'decks'] as const) {
      expect(second[property].map(({ code }) => code)).toEqual(first[property].map(({ code }) => code));
      const uids = new Set([...first[property], ...second[property]].map(({ uid }) => uid));
      expect(uids.size).toBe(first[property].length * 2);
    }
    expect(second.links).toHaveLength(4);
    expect((await findTag('unit', 'V-101')).body.description).toBe('First stage separator');
    expect((await findTag('other-unit', 'V-101')).body.description).toBe('Of the other site');
    const searchNumbers = async (location: string) =>
      (await server.call(searchTags, { params: { location }, query: { text: 'V-101' }, token: userToken })).body.map(
        ({ number, description }) => [number, description],
      );
    expect(await searchNumbers('other-unit')).toEqual([
      ['V-101', 'Of the other site'],
      ['6"-PG-10021-A1B', 'Process gas, 6", V-101 to K-1'],
    ]);
    expect((await findTag('unit', '6"-PG-10021-A1B')).body.uid).not.toBe(
      (await findTag('other-unit', '6"-PG-10021-A1B')).body.uid,
    );
  });

  it('[DAT-06:viewpoint] finds the accessible nodes with a code, one per site', async () => {
    expect((await find('N1')).map(({ site, tour: { location } }) => [site.name, location])).toEqual([
      ['Other site', 'other-unit'],
      ['site', 'unit'],
    ]);
    expect((await find('N1', userToken, 'site')).map(({ site }) => site.uid)).toEqual(['site']);
    const upper = await server.signIn({ locations: ['upper'] });
    expect(await find('N1', upper)).toEqual([]);
    expect((await find('N3', upper)).map(({ tour: { location } }) => location)).toEqual(['upper']);
    expect(await find('N99')).toEqual([]);
  });

  it('[DAT-06:tour] [DAT-06:viewpoint] [DAT-06:deck] [DAT-06:tag] [DAT-06:line] rejects a code that another entity of the same site has or had', async () => {
    const { nodes, decks, tour: openedTour } = await openTourAt('unit');
    const [first, second] = nodes;
    expect((await requestCodeChange('NODE', first!.uid, 'N2')).status).toBe(409);
    expect((await requestCodeChange('NODE', first!.uid, 'N1-new')).status).toBe(200);
    expect((await requestCodeChange('NODE', second!.uid, 'N1')).status).toBe(409);
    expect((await openTourAt('unit')).nodes.map(({ code, formerCodes }) => [code, formerCodes])).toEqual([
      ['N1-new', ['N1']],
      ['N2', []],
      ['N3', []],
    ]);
    expect((await find('N1')).map(({ site, code }) => [site.uid, code])).toEqual([
      ['other-site', 'N1'],
      ['site', 'N1-new'],
    ]);
    expect((await requestCodeChange('NODE', first!.uid, 'N1')).status).toBe(200);
    expect((await openTourAt('unit')).nodes[0]).toMatchObject({ code: 'N1', formerCodes: ['N1-new'] });

    const { uid: vessel } = (await findTag('unit', 'V-101')).body;
    expect((await requestCodeChange('TAG', vessel, 'PT-1001')).status).toBe(409);
    expect((await requestCodeChange('TAG', vessel, '6"-PG-10021-A1B')).status).toBe(409);
    expect((await requestCodeChange('TAG', vessel, 'V-102')).status).toBe(200);
    expect((await findTag('unit', 'V-101')).body).toMatchObject({
      uid: vessel,
      number: 'V-102',
      formerNumbers: ['V-101'],
    });
    expect((await findTag('unit', 'V-102')).body.uid).toBe(vessel);
    expect((await findTag('other-unit', 'V-102')).status).toBe(404);
    expect((await requestCodeChange('DECK', decks[0]!.uid, decks[1]!.code)).status).toBe(409);
    expect((await requestCodeChange('TOUR', openedTour.uid, 'T2')).status).toBe(200);
    expect([(await openTourAt('unit')).tour.code, (await openTourAt('other-unit')).tour.code]).toEqual(['T2', 'T1']);
  });

  it('[DAT-06:document] finds the document of each site by its code and rejects a code that is or was in use', async () => {
    const [document, otherSiteDocument] = [
      (await findDocument('unit', 'DS-101')).body,
      (await findDocument('other-unit', 'DS-101')).body,
    ];
    expect([document.title, otherSiteDocument.title]).toEqual(['Data sheet DS-101', 'Of the other site']);
    expect(document.uid).not.toBe(otherSiteDocument.uid);
    const secondDocument = (await findDocument('unit', 'DS-102')).body;
    expect((await requestCodeChange('DOCUMENT', document.uid, 'DS-102')).status).toBe(409);
    expect((await requestCodeChange('DOCUMENT', document.uid, 'DS-201')).status).toBe(200);
    expect((await requestCodeChange('DOCUMENT', secondDocument.uid, 'DS-101')).status).toBe(409);
    expect((await findDocument('unit', 'DS-101')).body).toMatchObject({
      uid: document.uid,
      code: 'DS-201',
      formerCodes: ['DS-101'],
    });
    expect((await findDocument('unit', 'DS-201')).body.uid).toBe(document.uid);
    expect((await findDocument('other-unit', 'DS-201')).status).toBe(404);
    expect((await requestCodeChange('DOCUMENT', otherSiteDocument.uid, 'DS-201', 'other-unit')).status).toBe(200);
    // Codes of different kinds do not collide.
    expect((await requestCodeChange('DOCUMENT', secondDocument.uid, 'PT-1001')).status).toBe(200);
  });

  it('filters out the nodes of other sites', async () => {
    const [first, second] = [await openTourAt('unit'), await openTourAt('other-unit')];
    const tours = server.service(Tours);
    const uids = [first.nodes[0]!.uid, second.nodes[0]!.uid, 'none'];
    expect([...(await tours.filterNodes('lower', uids))]).toEqual([first.nodes[0]!.uid]);
    expect([...(await tours.filterNodes('other-unit', uids))]).toEqual([second.nodes[0]!.uid]);
    expect([...(await tours.filterNodes('nowhere', uids))]).toEqual([]);
  });

  it('rejects a code change without permission, at another site, or to an empty code', async () => {
    const { nodes } = await openTourAt('unit');
    const uid = nodes[0]!.uid;
    expect((await requestCodeChange('NODE', uid, 'X', 'unit', userToken)).status).toBe(403);
    expect((await requestCodeChange('NODE', uid, 'X', 'other-unit')).status).toBe(404);
    const upper = await server.signIn({ flags: ['configure'], locations: ['upper'] });
    expect((await requestCodeChange('NODE', uid, 'X', 'upper', upper)).status).toBe(404);
    for (const code of ['', ' ', ' X', 'X ', 'a\nb', 'x'.repeat(121)])
      expect((await requestCodeChange('NODE', uid, code)).status).toBe(400);
    const { uid: vessel } = (await findTag('unit', 'V-101')).body;
    expect((await requestCodeChange('TAG', vessel, '--')).status).toBe(400);
    expect((await openTourAt('unit')).nodes[0]?.code).toBe('N1');
  });

  it('assigns a code to only one of three concurrent requests', async () => {
    const { nodes } = await openTourAt('unit');
    const responses = await Promise.all(nodes.map(({ uid }) => requestCodeChange('NODE', uid, 'WANTED')));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect((await openTourAt('unit')).nodes.filter(({ code }) => code === 'WANTED')).toHaveLength(1);
  });
});
