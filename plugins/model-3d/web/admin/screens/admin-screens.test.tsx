import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { buildMe, buildSite, buildUnit, FakeServer, pretendSize, renderApp, renderScreen } from '#core/testing/web';
import { buildNode, buildTour } from '#plugins/tour/testing/web';
import type { ManagedModel, MappedObject } from '../../../contract/api.ts';
import model3d from '../../index.ts';
import MappingScreen from './mapping-screen.tsx';
import ModelsScreen from './models-screen.tsx';

const plugins = [{ id: 'model-3d', settings: { engine: 'builtin' }, web: model3d, bridges: [] }];
const unit = { uid: 'u', name: 'M10', label: 'Process', parent: null, root: 'u', locationType: 'PLATFORM_UNIT' };
const buildModel = (changes: Partial<ManagedModel> = {}): ManagedModel => ({
  uid: 'm1',
  name: 'Skid',
  location: 'u',
  version: 2,
  state: 'READY',
  message: null,
  refusal: null,
  tiles: 0,
  address: '/api/files/1',
  bytes: 2_000_000,
  objects: 5,
  bounds: { min: [0, 0, 0], max: [10, 4, 3] },
  pose: { position: [1, 2, 3], heading: 90, scale: 1 },
  report: {
    source: 'IFC',
    bytesBefore: 9_000_000,
    bytesAfter: 2_000_000,
    meshesBefore: 9,
    meshesAfter: 4,
    objects: 5,
    tagged: 3,
    triangles: 1200,
    notes: [{ code: 'linesDropped', count: 2 }],
  },
  updatedAt: '2026-06-02T12:00:00.000Z',
  job: null,
  ...changes,
});
const counts = { ALL: 100_000, LINKED: 60_000, UNLINKED: 40_000, MAPPED: 1, UNKNOWN_TAG: 2, TAG_WITHOUT_OBJECT: 3 };
const buildObject = (index: number, changes: Partial<MappedObject> = {}): MappedObject => ({
  model: 'm1',
  key: `k${index}`,
  name: `Object ${index}`,
  within: ['Deck'],
  tag: `V-${index}`,
  mappedTag: null,
  mappedNode: null,
  known: true,
  ...changes,
});
const createServer = () => new FakeServer().on('GET /api/locations', { status: 200, body: [unit] });
const adminOptions = { plugins, me: buildMe({ isAdmin: true }) };

describe('ModelsScreen', () => {
  const renderModels = (server: FakeServer) =>
    renderScreen(<ModelsScreen />, { ...adminOptions, server, url: '/admin/console/models?location=u' });

  it("shows dates in the time zone of each model's site", async () => {
    const server = new FakeServer()
      .on('GET /api/locations', {
        status: 200,
        body: [
          { ...unit, site: buildSite('u', { timeZone: 'Europe/Oslo' }).site },
          buildSite('mumbai', { timeZone: 'Asia/Kolkata' }),
          buildUnit('mumbai-unit', 'mumbai'),
        ],
      })
      .on('GET /api/model-3d/:location/managed-models', {
        status: 200,
        body: [buildModel(), buildModel({ uid: 'm2', name: 'Shed', location: 'mumbai-unit' })],
      });
    await renderModels(server);
    const cards = await screen.findAllByRole('article');
    expect(cards.map((card) => /Changed(.*2026.*GMT[+\d:]+)/.exec(card.textContent ?? '')?.[1])).toEqual([
      'Jun 2, 2026, 02:00 PM GMT+2',
      'Jun 2, 2026, 05:30 PM GMT+5:30',
    ]);
  });

  it('shows the import report and uploads a new version', async () => {
    const server = createServer()
      .on('GET /api/model-3d/:location/managed-models', { status: 200, body: [buildModel()] })
      .on('POST /api/model-3d/:location/models', { status: 201, body: { model: 'm1', job: 'j' } });
    const { user } = await renderModels(server);
    expect(await screen.findByText('9.0 MB, reduced to 2.0 MB')).toBeDefined();
    expect(screen.getByText('10.0 × 4.0 × 3.0 m')).toBeDefined();
    expect(screen.getByText('2 line or point drawings were left out: only surfaces are shown.')).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'New version' }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.upload(dialog.getByTestId('file-input'), new File(['x'], 'skid.ifc'));
    await user.selectOptions(dialog.getByLabelText(/^Unit of the files/), 'mm');
    await user.click(dialog.getByRole('button', { name: 'Upload' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    const form = server.sentTo('POST /api/model-3d/:location/models')[0]!.body as FormData;
    expect([form.get('model'), form.get('unit'), (form.get('file') as File).name]).toEqual(['m1', 'mm', 'skid.ifc']);
  });

  it('[TOUR-26] uploads each file as a separate model, and keeps failed files in the list', async () => {
    let isFull = true;
    const server = createServer()
      .on('GET /api/model-3d/:location/managed-models', { status: 200, body: [] })
      .on('POST /api/model-3d/:location/models', ({ body }) => {
        const { name } = (body as FormData).get('file') as File;
        return name === 'bad.ifc' && isFull
          ? { status: 413, body: { code: 'E009', message: 'large', reference: 'r' } }
          : { status: 201, body: { model: name, job: 'j' } };
      });
    const { user } = await renderModels(server);
    await user.click((await screen.findAllByRole('button', { name: 'Upload model' }))[0]!);
    const dialog = within(await screen.findByRole('dialog'));
    await user.upload(dialog.getByTestId('file-input'), [
      new File(['x'], 'deck_1.glb'),
      new File(['xx'], 'bad.ifc'),
      new File(['xxx'], 'deck 2.glb'),
    ]);
    await user.upload(dialog.getByTestId('file-input'), [new File(['xxxx'], 'not this.glb')]);
    await user.click(dialog.getByRole('button', { name: 'Remove not this.glb' }));
    const nameField = dialog.getByLabelText(/^Name of the model from deck 2.glb/);
    await user.clear(nameField);
    await user.type(nameField, 'Upper deck');
    await user.click(dialog.getByRole('button', { name: 'Upload' }));
    expect(await dialog.findByText('1 file was not uploaded.')).toBeDefined();
    expect(dialog.getAllByText('Uploaded')).toHaveLength(2);
    const readSent = () =>
      server
        .sentTo('POST /api/model-3d/:location/models')
        .map(({ body }) => [((body as FormData).get('file') as File).name, (body as FormData).get('name')]);
    expect(readSent()).toEqual([
      ['deck_1.glb', 'deck 1'],
      ['bad.ifc', 'bad'],
      ['deck 2.glb', 'Upper deck'],
    ]);
    isFull = false;
    await user.click(dialog.getByRole('button', { name: 'Upload the rest' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(readSent().slice(3)).toEqual([['bad.ifc', 'bad']]);
  });

  it('[TOUR-25] shows the unit, its source and the number of elements read', async () => {
    const metres = { unit: 'm', metres: 1, basis: 'ASSUMED' } as const;
    const system = {
      horizontal: metres,
      vertical: metres,
      stated: null,
      name: 'EPSG:25832',
      epsg: 25_832,
      verticalName: null,
      origin: '458870.5 / 5438232.25 / 113.7',
      projectedTo: null,
    };
    const report = { ...buildModel().report!, elements: { declared: 120, read: 118 }, system };
    const server = createServer().on('GET /api/model-3d/:location/managed-models', {
      status: 200,
      body: [buildModel({ report })],
    });
    await renderModels(server);
    expect(await screen.findByText('metres, assumed: not stated in the file')).toBeDefined();
    for (const text of ['118 of 120', 'EPSG:25832', '458870.5 / 5438232.25 / 113.7'])
      expect(screen.getByText(text)).toBeDefined();
    expect(screen.getByText(/metres were assumed\. If that is wrong/)).toBeDefined();
  });

  it('places a model by position, rotation and scale', async () => {
    const server = createServer()
      .on('GET /api/model-3d/:location/managed-models', { status: 200, body: [buildModel()] })
      .on('PUT /api/model-3d/:location/models/:model', { status: 200, body: buildModel() });
    const { user } = await renderModels(server);
    await user.click(await screen.findByRole('button', { name: 'Edit' }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.clear(dialog.getByLabelText(/^Scale/));
    await user.type(dialog.getByLabelText(/^Scale/), '0');
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    expect(dialog.getByText('Enter a number above 0')).toBeDefined();
    await user.clear(dialog.getByLabelText(/^Scale/));
    await user.type(dialog.getByLabelText(/^Scale/), '0.001');
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    await waitFor(() =>
      expect(server.sentTo('PUT /api/model-3d/:location/models/:model')[0]?.body).toEqual({
        name: 'Skid',
        pose: { position: [1, 2, 3], heading: 90, scale: 0.001 },
      }),
    );
  });

  it('shows a failed import after a failed request', async () => {
    const server = createServer().on('GET /api/model-3d/:location/managed-models', {
      status: 500,
      body: { code: 'E000', message: 'x', reference: 'r1' },
    });
    const { user } = await renderModels(server);
    server
      .on('GET /api/model-3d/:location/managed-models', {
        status: 200,
        body: [
          buildModel({
            state: 'FAILED',
            version: 0,
            message: 'This is no model that can be read.',
            report: null,
            bounds: null,
          }),
        ],
      })
      .on('DELETE /api/model-3d/:location/models/:model', { status: 200, body: {} });
    await user.click(await screen.findByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('This is no model that can be read.')).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Delete' }));
    server.on('GET /api/model-3d/:location/managed-models', { status: 200, body: [] });
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Delete' }));
    expect(await screen.findByText('No 3D model at M10')).toBeDefined();
  });
});

describe('ModelCard', () => {
  it('[PRO-20] translates the reason of a failed import if its message id is known', async () => {
    const buildFailed = (uid: string, rest: Partial<ManagedModel>) =>
      buildModel({ uid, name: uid, state: 'FAILED', version: 0, report: null, bounds: null, ...rest });
    const server = createServer()
      .on('GET /api/model-3d/:location/managed-models', {
        status: 200,
        body: [
          buildFailed('translated', {
            message: 'x',
            refusal: {
              message: 'model-3d.refused.cutShort',
              values: { expected: 1234567, size: 1000 },
              where: 'tiles/a.glb',
            },
          }),
          buildFailed('without-id', { message: 'It was truncated long ago.' }),
          buildFailed('unknown-id', {
            message: 'The file is from the future.',
            refusal: { message: 'model-3d.refused.unknownReason' },
          }),
        ],
      })
      .on('PUT /api/me/preferences', ({ body }) => ({ status: 200, body }));
    const { core } = await renderScreen(<ModelsScreen />, {
      ...adminOptions,
      server,
      url: '/admin/console/models?location=u',
    });
    expect(
      await screen.findByText(
        '“tiles/a.glb”: The file is incomplete: it should have 12,34,567 bytes but has 1,000. Please upload ' +
          'it again.',
      ),
    ).toBeDefined();
    await act(() => core.i18n.setLanguage('fr'));
    expect(screen.getByText(/Le fichier est incomplet/).textContent?.replaceAll(/\s/g, ' ')).toBe(
      '« tiles/a.glb » : Le fichier est incomplet : il devrait avoir 1 234 567 octets et en a 1 000. Importez-le de nouveau.',
    );
    for (const sentence of ['It was truncated long ago.', 'The file is from the future.'])
      expect(screen.getByText(sentence)).toBeDefined();
  });
});

describe('MappingScreen', () => {
  let restoreSizes: () => void;
  beforeEach(() => {
    restoreSizes = pretendSize(1000, 480);
  });
  afterEach(() => restoreSizes());

  const createMappingServer = () =>
    createServer()
      .on('GET /api/model-3d/:location/objects', ({ query }) => {
        const offset = Number(query.get('offset'));
        return {
          status: 200,
          body: {
            total: 100_000,
            counts,
            objects: Array.from({ length: 200 }, (_, index) =>
              buildObject(
                offset + index,
                offset + index === 1
                  ? { mappedTag: { number: 'P-9', rule: null }, known: false, mappedNode: 'node-N1' }
                  : {},
              ),
            ),
            tags: [],
          },
        };
      })
      .on('GET /api/tour/:location', {
        status: 200,
        body: buildTour({
          tour: { ...buildTour().tour, location: 'u' },
          nodes: [buildNode('N1', { name: 'By the pump', position: [1, 2, 3] })],
        }),
      });
  const renderMapping = (server: FakeServer, address = '') =>
    renderScreen(<MappingScreen />, {
      ...adminOptions,
      server,
      url: `/admin/console/3d-mapping?location=u${address}`,
    });

  it('[RTE-10:3d-mapping] opens at /admin/console/3d-mapping for admins with configure', async () => {
    const openWith = (flags: 'configure'[]) =>
      renderApp({
        plugins,
        server: createMappingServer(),
        me: buildMe({ isAdmin: true, access: { flags, locations: 'ALL', deactivatedRoles: [] } }),
        url: '/admin/console/3d-mapping?location=u',
      });
    const { unmount } = await openWith(['configure']);
    expect(await screen.findByRole('grid', { name: '3D mapping' })).toBeDefined();
    unmount();
    await openWith([]);
    expect(screen.getByRole('main').textContent).toContain('You do not have access to the application');
  });

  it('[TOUR-19] renders and loads only the visible rows of 100,000 objects', async () => {
    const server = createMappingServer();
    await renderMapping(server);
    const table = await screen.findByRole('grid', { name: '3D mapping' });
    expect(table.getAttribute('aria-rowcount')).toBe('100001');
    const secondRow = within(table)
      .getByRole('button', { name: 'Edit the links of Object 1' })
      .closest('[role=row]') as HTMLElement;
    expect(within(secondRow).getByText('P-9')).toBeDefined();
    expect(within(secondRow).getByText('Not in the tour')).toBeDefined();
    expect(within(secondRow).getByText('By the pump')).toBeDefined();
    expect(within(table).getAllByRole('row').length).toBeLessThan(40);
    const scroller = table.parentElement as HTMLElement;
    act(() => scroller.scrollTo({ top: 56 * 50_000 }));
    expect(await screen.findByText('Object 50000')).toBeDefined();
    expect(server.sentTo('GET /api/model-3d/:location/objects').map(({ query }) => query.get('offset'))).toEqual([
      '0',
      '49800',
      '50000',
    ]);
  });

  it('[TOUR-19] maps an object manually', async () => {
    const server = createMappingServer()
      .on('PUT /api/model-3d/:location/models/:model/mapping', ({ body }) => ({
        status: 200,
        body: { model: 'm1', ...(body as object) },
      }))
      .on('DELETE /api/model-3d/:location/models/:model/mapping', { status: 200, body: {} });
    const { user } = await renderMapping(server);
    await user.click(await screen.findByRole('button', { name: 'Edit the links of Object 0' }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByText(/The model has V-0/)).toBeDefined();
    await user.clear(dialog.getByLabelText('Linked tag'));
    await user.type(dialog.getByLabelText('Linked tag'), 'P-1');
    await user.selectOptions(dialog.getByLabelText('Linked viewpoint'), 'node-N1');
    await user.click(dialog.getByText('Save'));
    await waitFor(() =>
      expect(server.sentTo('PUT /api/model-3d/:location/models/:model/mapping').map(({ body }) => body)).toEqual([
        { object: 'k0', kind: 'TAG', target: 'P-1' },
        { object: 'k0', kind: 'NODE', target: 'node-N1' },
      ]),
    );
    await waitFor(() => expect(screen.queryByText('Save')).toBeNull());
  });

  it('[TOUR-19] maps an object to no tag after a tag was refused', async () => {
    const mapping = 'PUT /api/model-3d/:location/models/:model/mapping';
    const server = createMappingServer().on(mapping, ({ body }) =>
      (body as { target: string | null }).target === null
        ? { status: 200, body: { model: 'm1', ...(body as object) } }
        : {
            status: 400,
            body: {
              code: 'E002',
              message: 'In English.',
              reference: 'r',
              refusal: { message: 'model-3d.refused.noSuchTag', values: { number: 'X-1' } },
              fields: [{ pointer: '/target', message: 'core.validation.choice' }],
            },
          },
    );
    const { user } = await renderMapping(server);
    await user.click(await screen.findByRole('button', { name: 'Edit the links of Object 0' }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.clear(dialog.getByLabelText('Linked tag'));
    await user.type(dialog.getByLabelText('Linked tag'), 'X-1');
    await user.click(dialog.getByText('Save'));
    expect(await dialog.findByText('This site has no tag or line with the number X-1.')).toBeDefined();
    await user.clear(dialog.getByLabelText('Linked tag'));
    await user.click(dialog.getByText('Save'));
    await waitFor(() =>
      expect(server.sentTo(mapping).at(-1)?.body).toEqual({ object: 'k0', kind: 'TAG', target: null }),
    );
  });

  it('[TOUR-19] removes a mapping', async () => {
    const server = createMappingServer().on('DELETE /api/model-3d/:location/models/:model/mapping', {
      status: 200,
      body: {},
    });
    const { user } = await renderMapping(server);
    await user.click(await screen.findByRole('button', { name: 'Edit the links of Object 1' }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.click(dialog.getByText('As in the model'));
    await user.click(dialog.getByText('Save'));
    await waitFor(() =>
      expect(server.sentTo('DELETE /api/model-3d/:location/models/:model/mapping')[0]?.query.toString()).toBe(
        'object=k1&kind=TAG',
      ),
    );
  });

  it('[TOUR-19] filters by the state and the text in the URL', async () => {
    const server = createMappingServer();
    const { user } = await renderMapping(server);
    await user.selectOptions(await screen.findByLabelText('Show'), 'UNLINKED');
    await waitFor(() =>
      expect(server.sentTo('GET /api/model-3d/:location/objects').at(-1)?.query.get('state')).toBe('UNLINKED'),
    );
    server.on('GET /api/model-3d/:location/objects', {
      status: 200,
      body: { total: 0, counts, objects: [], tags: [] },
    });
    await user.type(screen.getByRole('searchbox'), 'zz');
    expect(await screen.findByText('No matches')).toBeDefined();
    expect(window.location.search).toContain('state=UNLINKED&search=zz');
    server.on('GET /api/model-3d/:location/objects', {
      status: 200,
      body: { total: 1, counts, objects: [], tags: ['P-77'] },
    });
    await user.clear(screen.getByRole('searchbox'));
    await user.selectOptions(screen.getByLabelText('Show'), 'TAG_WITHOUT_OBJECT');
    expect(await screen.findByText('P-77')).toBeDefined();
  });

  it('reports missing access', async () => {
    const server = createMappingServer().on('GET /api/model-3d/:location/objects', {
      status: 403,
      body: { code: 'E003', message: 'x', reference: 'r' },
    });
    await renderMapping(server);
    expect((await screen.findAllByText(/do not have access|no access/i)).length).toBeGreaterThan(0);
  });
});
