import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { decodeViewState, encodeViewState, type LocationRow } from '#core';
import { enabledPlugin, LocationStore } from '#core/server';
import { describeOnDatabases, startTestServer, type TestServer } from '#core/testing/server';
import { updateCode, findNodes, findTagTours } from '../contract/api.ts';
import { linkCodeAlphabet, openViewLink, saveViewLink } from '../contract/api/links.ts';
import manifest from '../plugin.ts';
import {
  buildNodeRow,
  buildTagRow,
  buildTourRow,
  insertTourRows,
  nodeUid,
  tagUid,
  tourUid,
} from '../testing/server/tour-rows.ts';
import tour from './index.ts';
import { tourSchema, type TourTables } from './tables.ts';

const buildLocation = (
  uid: string,
  parent: string | null,
  root: string,
  locationType: LocationRow['locationType'],
): LocationRow => ({ uid, name: uid, label: uid, parent, root, locationType });

/** Two tours of the site `site`: one of `unit` with two decks, and one of `other-unit`. One tour of `site-2`. */
async function insertRows(server: TestServer): Promise<void> {
  await server
    .service(LocationStore)
    .upsert([
      buildLocation('site', null, 'site', 'PRIMARY_LOCATION'),
      buildLocation('unit', 'site', 'site', 'PLATFORM_UNIT'),
      buildLocation('lower', 'unit', 'site', 'LOC_LEVEL'),
      buildLocation('upper', 'unit', 'site', 'LOC_LEVEL'),
      buildLocation('other-unit', 'site', 'site', 'PLATFORM_UNIT'),
      buildLocation('store', 'site', 'site', 'PLATFORM_UNIT'),
      buildLocation('site-2', null, 'site-2', 'PRIMARY_LOCATION'),
      buildLocation('unit-2', 'site-2', 'site-2', 'PLATFORM_UNIT'),
    ]);
  await insertTourRows(server.database, {
    tours: [
      buildTourRow('T1'),
      buildTourRow('T2', { location: 'other-unit', start_node: nodeUid('M1') }),
      buildTourRow('T3', { site: 'site-2', location: 'unit-2', start_node: nodeUid('P1') }),
    ],
    nodes: [
      buildNodeRow('N1'),
      buildNodeRow('N2', { location: 'upper' }),
      buildNodeRow('M1', { tour: tourUid('T2'), location: 'other-unit' }),
      buildNodeRow('P1', { tour: tourUid('T3'), site: 'site-2', location: 'unit-2' }),
    ],
    tags: [
      buildTagRow('PSV-1'),
      buildTagRow('PSV-1', { uid: 'tag-of-site-2', site: 'site-2', location: 'unit-2' }),
      buildTagRow('BETWEEN', { location: 'store' }),
      buildTagRow('UNSEEN', { location: 'upper' }),
      buildTagRow('STORED', { location: 'store' }),
    ],
  });
  const view = { pan: 0, tilt: 0, visible: 1 };
  await server.database
    .of<TourTables>(tourSchema)
    .insertInto('tag_view')
    .values([
      { tag: tagUid('PSV-1'), node: nodeUid('N1'), distance: 3, ...view },
      { tag: tagUid('BETWEEN'), node: nodeUid('N2'), distance: 9, ...view },
      { tag: tagUid('BETWEEN'), node: nodeUid('M1'), distance: 2, ...view },
      { tag: 'tag-of-site-2', node: nodeUid('P1'), distance: 3, ...view },
    ])
    .execute();
}

describeOnDatabases('tour links', (kind) => {
  let server: TestServer;
  let userToken: string;

  beforeAll(async () => {
    server = await startTestServer({ database: kind, plugins: [enabledPlugin(manifest, {}, tour)] });
    await insertRows(server);
    userToken = await server.signIn();
  });
  afterAll(() => server.close());

  const findTours = async (number: string, token = userToken, site?: string) => {
    const query = site === undefined ? { number } : { number, site };
    const { body } = await server.call(findTagTours, { query, token });
    return body.map(({ site: at, tour: { location } }) => [at.uid, location]);
  };

  it('[TOUR-23] finds the tour of the nearest viewpoint of a tag at each site', async () => {
    expect(await findTours('PSV-1')).toEqual([
      ['site', 'unit'],
      ['site-2', 'unit-2'],
    ]);
    expect(await findTours('PSV-1', userToken, 'site-2')).toEqual([['site-2', 'unit-2']]);
    expect(await findTours('BETWEEN')).toEqual([['site', 'other-unit']]);
    expect(await findTours('UNSEEN')).toEqual([['site', 'unit']]);
    expect(await findTours('STORED')).toEqual([]);
    expect(await findTours('PSV-9')).toEqual([]);
  });

  it('[TOUR-23] finds a tag and a viewpoint that a link spells in another case', async () => {
    expect(await findTours('psv1', userToken, 'site-2')).toEqual([['site-2', 'unit-2']]);
    expect(await findTours('psv-9')).toEqual([]);
    const { body } = await server.call(findNodes, { query: { code: 'n1', site: 'site' }, token: userToken });
    expect(body.map(({ code }) => code)).toEqual(['N1']);
  });

  it.each([
    [['site'], [['site', 'unit']], [['site', 'other-unit']], [['site', 'unit']]],
    [['site-2'], [['site-2', 'unit-2']], [], []],
    [['lower'], [['site', 'lower']], [], []],
    [['upper'], [], [['site', 'upper']], [['site', 'upper']]],
    [['other-unit'], [], [['site', 'other-unit']], []],
    [['store'], [], [], []],
  ])('[TOUR-23] [ACC-04] finds only tags that a role with the locations %j can see', async (locations, ...expected) => {
    const token = await server.signIn({ locations });
    expect(await Promise.all(['PSV-1', 'BETWEEN', 'UNSEEN'].map((number) => findTours(number, token)))).toEqual(
      expected,
    );
  });

  it('[TOUR-23] finds a tag by a former number and returns the current one', async () => {
    const token = await server.signIn({ flags: ['configure'] });
    const params = { location: 'upper', kind: 'TAG', uid: tagUid('UNSEEN') } as const;
    await server.call(updateCode, { params, body: { code: 'RENAMED' }, token });
    const { body } = await server.call(findTagTours, { query: { number: 'UNSEEN' }, token });
    expect(body.map(({ number }) => number)).toEqual(['RENAMED']);
  });

  const view = 'v=1&module=vr.panorama&node=N1&pan=12&tilt=-3&fov=50&pos=1,2,3&sel=PSV-1&l.date=2026-03-01';
  const save = (text: string, location = 'unit', token = userToken) =>
    server.call(saveViewLink, { params: { location }, body: { view: text }, token });
  const open = (code: string, token = userToken) => server.call(openViewLink, { params: { code }, token });

  it('[TOUR-23] opens the saved view by a code of 8 unambiguous characters in any case', async () => {
    const { status, body } = await save(view);
    expect(status).toBe(200);
    expect(body.code).toMatch(new RegExp(`^[${linkCodeAlphabet}]{8}$`));
    for (const code of [body.code, body.code.toUpperCase()]) {
      const link = (await open(code)).body;
      expect(link.location).toBe('unit');
      expect(decodeViewState(link.view)).toEqual(decodeViewState(view));
    }
    expect((await open('22222222')).status).toBe(404);
  });

  it('saves the same view of a location only once for all people', async () => {
    const [{ body: first }, { body: repeatedLink }, { body: linkElsewhere }, { body: other }] = await Promise.all([
      save(view),
      save(view, 'unit', await server.signIn()),
      save(view, 'lower'),
      save(view.replace('pan=12', 'pan=13')),
    ]);
    expect(repeatedLink.code).toBe(first.code);
    expect(new Set([first.code, linkElsewhere.code, other.code]).size).toBe(3);
  });

  it('saves a view that is too long for an index entry', async () => {
    // Random text, because the database may compress index entries.
    const digits = Array.from({ length: 50 }, (_, index) => createHash('sha256').update(`${index}`).digest('hex'));
    const long = `${view}&l.object=${digits.join('')}`;
    const { body } = await save(long);
    expect((await open(body.code)).body.view).toBe(encodeViewState(decodeViewState(long)!));
  });

  it.each([
    'https://elsewhere.example/?v=1',
    '//elsewhere.example',
    'javascript:alert(1)',
    'v=1&module=vr.panorama',
    'v=2&module=m&pan=1&tilt=1&fov=50&pos=0,0,0',
    `${'v=1&module=m&pan=1&tilt=1&fov=50&pos=0,0,0&sel='}${'x'.repeat(4_000)}`,
  ])('refuses %j, which is no view', async (text) => {
    expect((await save(text)).status).toBe(400);
  });

  it('removes unknown parameters from a view', async () => {
    const { body } = await save(`${view}&next=https://elsewhere.example`);
    expect((await open(body.code)).body.view).not.toContain('elsewhere');
  });

  it('[TOUR-23] [ACC-04] shows a link only to people with access to its location', async () => {
    const { body } = await save(view, 'lower');
    const [lower, upper] = [
      await server.signIn({ locations: ['lower'] }),
      await server.signIn({ locations: ['upper'] }),
    ];
    expect((await open(body.code, lower)).status).toBe(200);
    const hiddenReply = await open(body.code, upper);
    const missingReply = await open('22222222', upper);
    expect(hiddenReply.status).toBe(404);
    expect({ ...hiddenReply.body, reference: '' }).toEqual({ ...missingReply.body, reference: '' });
    expect((await save(view, 'lower', upper)).status).toBe(403);
    expect((await server.app.inject({ url: `/api/tour-links/${body.code}` })).statusCode).toBe(401);
  });
});
