import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { defaultSiteRecord, type LocationRow } from '#core';
import { buildMe, buildSite, FakeServer, pretendSize, renderScreen, type FakeReply } from '#core/testing/web';
import type { ContentDocumentDetails } from '../../../contract/api/document-content.ts';
import type { ContentTag, ContentTagDetails } from '../../../contract/api/tag-content.ts';
import { buildNode, buildTour, createServicesWith, FakeEngine } from '../../../testing/web.ts';
import { pickInSite, siteViewFixture } from '../../../testing/web/site-view-fixture.tsx';
import tour from '../../index.ts';
import TagsScreen from './tags-screen.tsx';

const rows: readonly LocationRow[] = [
  { ...buildSite('HB', { timeZone: 'Europe/Oslo' }), name: 'Heron Bay', label: '' },
  { uid: 'HB-1', name: 'Module 1', label: '', parent: 'HB', root: 'HB', locationType: 'PLATFORM_UNIT', version: 1 },
];
const buildTag = (number: string, changes: Partial<ContentTag> = {}): ContentTag => ({
  uid: `tag-${number}`,
  number,
  type: 'TAG',
  kind: 'VALVE',
  description: `Valve ${number}`,
  location: 'HB-1',
  line: null,
  position: null,
  views: 0,
  documents: 0,
  version: 3,
  ...changes,
});
const toDetails = (tag: ContentTag, changes: Partial<ContentTagDetails> = {}): ContentTagDetails => ({
  ...tag,
  formerNumbers: [],
  pipe: null,
  tagsOnLine: 0,
  seenFrom: [],
  linkedDocuments: [],
  ...changes,
});
const valve = buildTag('HV-1', { position: [1, 2, 3], views: 2, documents: 1 });
const viewFields = { pan: 10.04, tilt: -2, distance: 4.2, location: 'HB-1' };
const details = toDetails(valve, {
  seenFrom: [
    { ...viewFields, node: 'n1', code: 'N1', name: 'Pump', visible: 1, hasDepth: true },
    { ...viewFields, node: 'n2', code: 'N2', name: 'Stair', visible: null, hasDepth: false },
  ],
  linkedDocuments: [{ uid: 'd1', code: 'DS-1', title: 'Data sheet', location: 'HB-1' }],
});
const changedReply: FakeReply = { status: 200, body: { change: 'c1' } };
const conflict = (current: ContentTag): FakeReply => ({
  status: 409,
  body: { code: 'E007', message: 'Changed.', reference: 'r1', current },
});
const sheet: ContentDocumentDetails = {
  uid: 'd1',
  code: 'DS-1',
  title: 'Data sheet',
  location: 'HB-1',
  revisions: [
    {
      revision: 'A',
      status: 'A1',
      issuedOn: '2026-01-26',
      address: '/api/files/f1',
      fileName: 'sheet.pdf',
      mediaType: 'application/pdf',
      bytes: 1000,
      version: 1,
    },
  ],
  tags: 1,
  version: 2,
  formerCodes: [],
  linkedTags: [{ uid: valve.uid, number: 'HV-1', description: '' }],
};

const tagListEndpoint = 'GET /api/tag-content/:location';
const tagEndpoint = 'GET /api/tag-content/:location/tags/:tag';
const previewEndpoint = 'GET /api/tag-content/:location/tags/:tag/views';
const surfaceEndpoint = 'GET /api/tour/:location/nodes/:node/surface';
const buildContentNode = (code: string, position: readonly [number, number, number]) => ({
  uid: code,
  code,
  name: `Place ${code}`,
  tour: 't',
  deck: null,
  location: 'HB-1',
  position,
  heading: 0,
  thumbnail: null,
  posedTilt: null,
  hasPanorama: true,
  version: 1,
});
function buildServer(tags: readonly ContentTag[] = [valve, buildTag('HV-2')]) {
  return new FakeServer()
    .on('GET /api/locations', { status: 200, body: rows })
    .on(tagListEndpoint, ({ query }) => ({
      status: 200,
      body: { total: query.get('kind') === 'PUMP' ? 0 : tags.length, offset: 0, rows: query.get('kind') ? [] : tags },
    }))
    .on(tagEndpoint, ({ path }) => ({
      status: 200,
      body: path.endsWith('HV-1') ? details : toDetails(tags.find(({ uid }) => path.endsWith(uid))!),
    }))
    .on(previewEndpoint, { status: 200, body: { views: [], hidden: 0 } })
    .on('GET /api/document-content/:location', { status: 200, body: { total: 1, offset: 0, rows: [sheet] } })
    .on('GET /api/document-content/:location/documents/:document', { status: 200, body: sheet })
    .on('GET /api/tour-content/:location', {
      status: 200,
      body: {
        decks: [],
        tours: [],
        nodes: [buildContentNode('A', [0, 0, 2]), buildContentNode('B', [4, -3, 2])],
        links: [],
      },
    })
    .on('GET /api/tour/:location', {
      status: 200,
      body: buildTour({
        nodes: [
          buildNode('A', { uid: 'A', location: 'HB-1', position: [0, 0, 2] }),
          buildNode('B', { uid: 'B', location: 'HB-1', position: [4, -3, 2] }),
        ],
      }),
    });
}

const setup = (server: FakeServer, url = '/admin/console/tags?location=HB-1', engine = new FakeEngine()) =>
  renderScreen(<TagsScreen />, {
    plugins: [
      { id: 'tour', settings: {}, web: { ...tour, services: createServicesWith(engine) }, bridges: [] },
      siteViewFixture,
    ],
    plugin: 'tour',
    server,
    url,
    me: buildMe({ isAdmin: true }),
  });

let restoreSize: () => void;
beforeEach(() => {
  restoreSize = pretendSize(1000, 500);
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe = () => undefined;
      unobserve = () => undefined;
      disconnect = () => undefined;
    },
  );
});
afterEach(() => {
  restoreSize();
  vi.unstubAllGlobals();
});

describe('tags', () => {
  it('lists tags with their position, and filters them on the server', async () => {
    const server = buildServer();
    const { user } = await setup(server);
    expect(await screen.findByText('2 tags and lines')).toBeDefined();
    expect(screen.getByText('2 viewpoints')).toBeDefined();
    expect(screen.getByText('No position')).toBeDefined();
    await user.selectOptions(screen.getByRole('combobox', { name: 'Kind' }), 'Pump');
    expect(await screen.findByText('No tags or lines')).toBeDefined();
    await user.selectOptions(screen.getByRole('combobox', { name: 'Position' }), 'Without a position');
    await user.type(screen.getByRole('searchbox', { name: 'Number or description' }), 'hv');
    await waitFor(() => {
      const { query } = server.sentTo(tagListEndpoint).at(-1)!;
      expect(['text', 'kind', 'place', 'sort'].map((name) => query.get(name))).toEqual([
        'hv',
        'PUMP',
        'UNPLACED',
        'number',
      ]);
    });
  });

  it('[DAT-03] creates a tag, and explains that a number needs letters or digits', async () => {
    const server = buildServer().on('POST /api/tag-content/:location/tags', { status: 201, body: { change: 'c1' } });
    const { user } = await setup(server);
    await user.click(await screen.findByRole('button', { name: 'Add tag or line' }));
    const drawer = within(await screen.findByRole('dialog', { name: 'New tag or line' }));
    const number = drawer.getByRole('textbox', { name: /^Number/ });
    await user.type(number, '--');
    await user.click(drawer.getByRole('button', { name: 'Create' }));
    expect(server.sentTo('POST /api/tag-content/HB-1/tags')).toEqual([]);
    await user.clear(number);
    await user.type(number, '6-PG-1 ');
    await user.click(drawer.getByRole('radio', { name: 'Line' }));
    await user.type(drawer.getByRole('textbox', { name: 'Nominal size, in' }), '6');
    await user.tab();
    await waitFor(() => expect(drawer.getByRole<HTMLInputElement>('textbox', { name: 'DN, mm' }).value).toBe('150'));
    await user.type(drawer.getByRole('textbox', { name: /^Service/ }), 'Process gas');
    await user.click(drawer.getByRole('button', { name: 'Create' }));
    expect(await screen.findByText('Last change: 6-PG-1 was created')).toBeDefined();
    expect(server.sentTo('POST /api/tag-content/HB-1/tags')[0]?.body).toMatchObject({
      number: '6-PG-1',
      type: 'LINE',
      kind: 'LINE',
      location: 'HB-1',
      line: null,
      position: null,
      pipe: { service: 'Process gas', nps: '6', dn: 150, outsideDiameter: 0.1683, from: '', to: '' },
    });
  });

  it('shows documents that the server finds while the list is open', async () => {
    let reply: (answer: FakeReply) => void = () => undefined;
    const server = buildServer().on(
      'GET /api/document-content/:location',
      () => new Promise<FakeReply>((resolve) => (reply = resolve)),
    );
    const { user } = await setup(server);
    await user.click(await screen.findByRole('button', { name: 'Edit HV-1' }));
    await user.click(await screen.findByRole('combobox', { name: 'Link a document' }));
    expect(await screen.findByRole('option', { name: 'Searching' })).toBeDefined();
    reply({ status: 200, body: { total: 1, offset: 0, rows: [sheet] } });
    expect(await screen.findByRole('option', { name: /DS-1/ })).toBeDefined();
  });

  it('keeps the input after a conflict, and shows the current values', async () => {
    const server = buildServer();
    server.on('PUT /api/tag-content/:location/tags/:tag', ({ body }) =>
      (body as { readonly version: number }).version === 3
        ? conflict({ ...valve, description: 'Theirs', version: 5 })
        : changedReply,
    );
    const { user } = await setup(server);
    await user.click(await screen.findByRole('button', { name: 'Edit HV-1' }));
    const drawer = within(await screen.findByRole('dialog', { name: 'HV-1' }));
    await user.type(drawer.getByRole('textbox', { name: 'Description' }), ' of mine');
    await user.click(drawer.getByRole('button', { name: 'Save' }));
    expect(await drawer.findByText(/Theirs/)).toBeDefined();
    await user.click(drawer.getByRole('button', { name: 'Save my version' }));
    expect(await screen.findByText('Last change: HV-1 was changed')).toBeDefined();
    expect(server.sentTo('PUT /api/tag-content/HB-1/tags/tag-HV-1').at(-1)?.body).toMatchObject({
      description: 'Valve HV-1 of mine',
      position: [1, 2, 3],
      version: 5,
    });
  });

  it('shows views and dependent content before a tag is deleted', async () => {
    const server = buildServer().on('DELETE /api/tag-content/:location/tags/:tag', changedReply);
    const { user } = await setup(server);
    await user.click(await screen.findByRole('button', { name: 'Edit HV-1' }));
    const drawer = within(await screen.findByRole('dialog', { name: 'HV-1' }));
    expect(drawer.getByText(/N1, .*100% visible/)).toBeDefined();
    expect(drawer.getByText(/N2, .*counts as visible, without depth data/)).toBeDefined();
    expect(drawer.getByRole('link', { name: 'Look from Pump in a new tab' }).getAttribute('href')).toMatch(
      /console\/tour\/HB-1\?node=N1&tag=HV-1&pan=10.0&tilt=-2.0&fov=50$/,
    );
    await user.click(drawer.getByRole('button', { name: 'Delete HV-1' }));
    const question = within(await screen.findByRole('alertdialog'));
    expect(question.getByText('2 viewpoints no longer show it.')).toBeDefined();
    expect(question.getByText('1 document is unlinked and stays.')).toBeDefined();
    await user.click(question.getByRole('button', { name: 'Delete' }));
    expect(await screen.findByText('Last change: HV-1 was deleted')).toBeDefined();
    expect(server.sentTo('DELETE /api/tag-content/HB-1/tags/tag-HV-1')[0]?.query.get('version')).toBe('3');
  });

  const placeEndpoint = 'PUT /api/tag-content/:location/tags/:tag/position';
  const openPlacing = async (server: FakeServer, engine: FakeEngine) => {
    const { user } = await setup(server.on(placeEndpoint, changedReply), undefined, engine);
    await user.click(await screen.findByRole('button', { name: 'Place HV-2' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Place HV-2' }));
    const pickCentre = await dialog.findByRole('button', { name: 'Use the middle of the picture' });
    await waitFor(() => expect(pickCentre).toHaveProperty('disabled', false));
    return { user, dialog, pickCentre };
  };

  it('[DAT-03] places a tag by one pick in a picture with depth, at the location of the tour', async () => {
    const server = buildServer().on(surfaceEndpoint, { status: 200, body: { point: [5.1234, 6, 7] } });
    const engine = new FakeEngine();
    const { user, dialog, pickCentre } = await openPlacing(server, engine);
    engine.setView({ pan: 33, tilt: 4 });
    await user.click(pickCentre);
    expect(await dialog.findByText('Placed on the surface in the picture. Save to keep it.')).toBeDefined();
    expect(server.sentTo('GET /api/tour/unit/nodes/A/surface')[0]?.query.get('pan')).toBe('33');
    expect(engine.pins).toMatchObject([{ label: 'HV-2' }]);
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Last change: HV-2 was placed')).toBeDefined();
    expect(server.sentTo(placeEndpoint)[0]?.body).toEqual({ position: [5.123, 6, 7], version: 3 });
  });

  it('[DAT-03] places a tag by a click in a model, with a preview of the viewpoints that will see it', async () => {
    const view = { ...viewFields, node: 'n1', code: 'N1', name: 'Pump', visible: 1, hasDepth: true };
    const server = buildServer().on(previewEndpoint, { status: 200, body: { views: [view], hidden: 2 } });
    const { user, dialog } = await openPlacing(server, new FakeEngine());
    await user.click(dialog.getByRole('tab', { name: 'Model' }));
    await pickInSite(undefined);
    expect(await dialog.findByText('Nothing is there')).toBeDefined();
    await pickInSite([5.1234, 6, 7]);
    expect(await dialog.findByText('Placed on the surface that you clicked. Save to keep it.')).toBeDefined();
    expect(await dialog.findByText(/^N1, .*100% visible$/)).toBeDefined();
    expect(dialog.getByText(/^2 viewpoints are near, but something is in front of the tag/)).toBeDefined();
    expect(Object.fromEntries(server.sentTo(previewEndpoint)[0]!.query)).toEqual({
      east: '5.123',
      north: '6',
      up: '7',
    });
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Last change: HV-2 was placed')).toBeDefined();
    expect(server.sentTo(placeEndpoint)[0]?.body).toEqual({ position: [5.123, 6, 7], version: 3 });
  });

  it('shows the distances of viewpoints in the unit of the site', async () => {
    const view = { ...viewFields, node: 'n1', code: 'N1', name: 'Pump', visible: 1, hasDepth: true };
    const { frame } = defaultSiteRecord('UTC');
    const server = buildServer()
      .on(previewEndpoint, { status: 200, body: { views: [view], hidden: 0 } })
      .on('GET /api/locations', {
        status: 200,
        body: [buildSite('HB', { frame: { ...frame, unit: 'ft' } }), rows[1]!],
      });
    const { dialog } = await openPlacing(server, new FakeEngine());
    fireEvent.click(dialog.getByRole('tab', { name: 'Model' }));
    await pickInSite([5.1234, 6, 7]);
    expect(await dialog.findByText(/^N1, 13\.78.ft away, 100% visible$/)).toBeDefined();
  });

  it('places a tag in the tour of the viewpoint, and by coordinates if the picture is missing', async () => {
    const above = { uid: 't', code: 'T', name: 'Tour', location: 'HB', startNode: null, version: 1 };
    const content = { decks: [], tours: [above], nodes: [buildContentNode('A', [0, 0, 2])], links: [] };
    const server = buildServer()
      .on('GET /api/tour-content/:location', { status: 200, body: content })
      .on('GET /api/tour/:location', { status: 200, body: buildTour({ nodes: [] }) });
    const { user } = await setup(server, '/admin/console/tags?location=HB');
    await user.click(await screen.findByRole('button', { name: 'Place HV-2' }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(await dialog.findByText(/^The panorama could not be loaded/)).toBeDefined();
    expect(server.sentTo('GET /api/tour/HB')).toHaveLength(1);
    expect(dialog.getByRole('textbox', { name: /East/ })).toBeDefined();
  });

  it('[DAT-03] places a tag from two viewpoints without depth, and shows the gap of the directions', async () => {
    const server = buildServer().on(surfaceEndpoint, { status: 200, body: { point: null } });
    const engine = new FakeEngine();
    const { user, dialog, pickCentre } = await openPlacing(server, engine);
    engine.setView({ pan: 90, tilt: 0 });
    await user.click(pickCentre);
    expect(await dialog.findByText(/Choose a second viewpoint/)).toBeDefined();
    await user.selectOptions(dialog.getByRole('combobox', { name: 'Viewpoint' }), 'B · Place B');
    await waitFor(() => expect(engine.shownPictures.length).toBe(2));
    engine.setView({ pan: 0, tilt: 0 });
    const secondPickCentre = await dialog.findByRole('button', { name: 'Use the middle of the picture' });
    await waitFor(() => expect(secondPickCentre).toHaveProperty('disabled', false));
    await user.click(secondPickCentre);
    expect(await dialog.findByText(/Placed where the lines of sight meet, with a gap of 0/)).toBeDefined();
    expect(dialog.getByRole<HTMLInputElement>('textbox', { name: /East/ }).value).toBe('4');
  });
});

describe('documents', () => {
  it('[DAT-03] uploads and deletes revisions', async () => {
    const server = buildServer()
      .on('POST /api/document-content/:location/documents/:document/revisions', changedReply)
      .on('DELETE /api/document-content/:location/documents/:document/revisions/:revision', changedReply);
    const { user } = await setup(server, '/admin/console/tags?location=HB-1&tab=documents');
    await user.click(await screen.findByRole('button', { name: 'Edit DS-1' }));
    const drawer = within(await screen.findByRole('dialog', { name: 'DS-1' }));
    await user.click(drawer.getByRole('button', { name: 'Upload revision' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Upload revision of DS-1' }));
    const file = new File(['%PDF-1.7'], 'new.pdf', { type: 'application/pdf' });
    await user.upload(dialog.getByTestId('file-input'), file);
    await user.type(dialog.getByRole('textbox', { name: /^Revision/ }), 'B');
    fireEvent.change(dialog.getByLabelText(/^Issued on/), { target: { value: '2026-02-01' } });
    await user.click(dialog.getByRole('button', { name: 'Upload' }));
    expect(await screen.findByText('Last change: A revision of DS-1 was uploaded')).toBeDefined();
    const [request] = server.sentTo('POST /api/document-content/HB-1/documents/d1/revisions');
    expect(Object.fromEntries(request!.query)).toEqual({ revision: 'B', status: 'S0', issuedOn: '2026-02-01' });
    await user.click(await drawer.findByRole('button', { name: 'Delete revision A' }));
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Delete' }));
    expect(await screen.findByText('Last change: A revision of DS-1 was deleted')).toBeDefined();
    expect(server.requests.filter(({ method }) => method === 'PUT')).toEqual([]);
  });
});
