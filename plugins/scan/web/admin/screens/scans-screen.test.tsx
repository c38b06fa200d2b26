import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { ServerEvents } from '#core/web';
import {
  buildMe,
  buildSite,
  buildUnit,
  FakeServer,
  ConnectionLostError,
  renderScreen,
  type WebSetup,
} from '#core/testing/web';
import type { ScanDelivery } from '../../../contract/api/admin.ts';
import scan from '../../index.ts';
import ScansScreen from './scans-screen.tsx';

const plugins = [{ id: 'scan', settings: { token: true }, web: scan, bridges: [] }];
const site = { ...buildSite('s', { timeZone: 'Asia/Kolkata' }), name: 'Bravo' };
const unit = { uid: 'u', name: 'M10', label: 'Process', parent: 's', root: 's', locationType: 'PLATFORM_UNIT' };
const buildDelivery = (changes: Partial<ScanDelivery> = {}): ScanDelivery => ({
  uid: 'd1',
  name: 'June scans',
  location: 'u',
  capturedAt: '2026-06-01T12:00:00.000Z',
  kind: 'TILES',
  pose: { position: [0, 0, 0], heading: 0 },
  state: 'READY',
  message: null,
  refusal: null,
  job: null,
  files: [{ name: 'june.e57', bytes: 12_300_000, content: null }],
  extent: { points: 2_000_000, minimum: [0, 0, 0], maximum: [9, 9, 9], colored: true, withIntensity: true },
  stations: [],
  createdAt: '2026-06-02T12:00:00.000Z',
  ...changes,
});
const buildContent = (changes: object = {}) => ({
  token: { state: 'NONE', expiresAt: null },
  deliveries: [],
  stations: [],
  nodes: [
    { uid: 'node-N1', code: 'N1', name: 'Pump row' },
    { uid: 'node-N2', code: 'N2', name: 'Upper walkway' },
  ],
  ...changes,
});

class FakeEvents implements ServerEvents {
  readonly listeners = new Map<string, (data: unknown) => void>();
  on(topic: string, listener: (data: unknown) => void): () => void {
    this.listeners.set(topic, listener);
    return () => this.listeners.delete(topic);
  }
}

const serverWith = (body: object) =>
  new FakeServer()
    .on('GET /api/locations', { status: 200, body: [site, unit] })
    .on('GET /api/scan/:location/content', { status: 200, body });
const setup = (server: FakeServer, changes: WebSetup = {}) =>
  renderScreen(<ScansScreen />, {
    plugins,
    server,
    url: '/admin/console/scans?location=u',
    me: buildMe({ isAdmin: true }),
    ...changes,
  });
const file = new File(['points'], 'june.copc.laz');

describe('scans screen', () => {
  it('uploads files with their pose from the empty state', async () => {
    const server = serverWith(buildContent()).on('POST /api/scan/:location/clouds', {
      status: 200,
      body: { uid: 'd1', job: 'j1' },
    });
    const { user } = await setup(server);
    expect(await screen.findByText('No deliveries for M10')).toBeDefined();
    await user.click(screen.getAllByRole('button', { name: 'Upload scans' })[0]!);
    const dialog = within(await screen.findByRole('dialog'));
    await user.click(dialog.getByRole('button', { name: 'Upload' }));
    expect(dialog.getByText('This is Mandatory')).toBeDefined();
    await user.upload(dialog.getByTestId('file-input'), file);
    await user.clear(dialog.getByLabelText(/^East/));
    await user.type(dialog.getByLabelText(/^East/), '12.5');
    expect(dialog.getByText('Date at the site (Asia/Kolkata)')).toBeDefined();
    await user.type(dialog.getByLabelText(/^Captured on/), '2026-06-01');
    await user.click(dialog.getByLabelText(/^Create stations/));
    await user.click(dialog.getByRole('button', { name: 'Upload' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    const [request] = server.sentTo('POST /api/scan/:location/clouds');
    const form = request!.body as FormData;
    expect([
      request!.path,
      request!.query.get('name'),
      request!.query.get('capturedAt'),
      form.get('place'),
      form.get('stations'),
      (form.get('file') as File).name,
    ]).toEqual([
      '/api/scan/u/clouds',
      'june',
      '2026-06-01T06:30:00.000Z',
      '{"position":[12.5,0,0],"heading":0}',
      'false',
      'june.copc.laz',
    ]);
  });

  it('[TOUR-25] shows the stated unit of the files before the import and sends the chosen one', async () => {
    const feet = { unit: 'ft', metres: 0.3048, basis: 'FILE' };
    const header = {
      points: 3,
      horizontal: feet,
      vertical: feet,
      name: 'Feet grid',
      epsg: null,
      unmeasurable: null,
      part: false,
    };
    const headers = [
      { ...header },
      { ...header, name: 'WGS 84', unmeasurable: 'DEGREES' },
      { ...header, horizontal: null, vertical: null, name: null },
      { ...header, part: true },
    ];
    const server = serverWith(buildContent())
      .on('POST /api/scan/:location/header', () => ({ status: 200, body: { header: headers.shift() } }))
      .on('POST /api/scan/:location/clouds', { status: 200, body: { uid: 'd1', job: 'j1' } });
    const { user } = await setup(server);
    await user.click((await screen.findAllByRole('button', { name: 'Upload scans' }))[0]!);
    const dialog = within(await screen.findByRole('dialog'));
    const buildLasFile = (name: string): File => {
      const bytes = new Uint8Array(400);
      bytes.set(new TextEncoder().encode('LASF'));
      bytes[96] = 227;
      return new File([bytes], name);
    };
    await user.upload(dialog.getByTestId('file-input'), [
      buildLasFile('feet.las'),
      buildLasFile('degrees.las'),
      buildLasFile('silent.laz'),
      buildLasFile('0-0-0-0.laz'),
      new File(['x'], 'site.e57'),
      new File(['x'], 'cloud.zip'),
    ]);
    expect(await dialog.findByText('feet.las: international feet; coordinate system: Feet grid')).toBeDefined();
    expect(dialog.getByText(/degrees\.las: degrees \(WGS 84\)\. Choose “Convert to metres/)).toBeDefined();
    expect(dialog.getByText(/silent\.laz: no unit stated\. Metres are assumed/)).toBeDefined();
    expect(dialog.getByText(/0-0-0-0\.laz: one part of an EPT folder/)).toBeDefined();
    expect(dialog.getByText(/site\.e57: metres by definition of E57/)).toBeDefined();
    expect(dialog.getByText('cloud.zip: read at import')).toBeDefined();
    const requests = server.sentTo('POST /api/scan/:location/header').map(({ body }) => body as { head: string });
    expect([requests.length, atob(requests[0]!.head).slice(0, 4), atob(requests[0]!.head).length]).toEqual([
      4,
      'LASF',
      375,
    ]);
    await user.selectOptions(dialog.getByLabelText(/^Unit of the files/), 'PROJECT');
    await user.click(dialog.getByRole('button', { name: 'Upload' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect((server.sentTo('POST /api/scan/:location/clouds')[0]!.body as FormData).get('unit')).toBe('PROJECT');
  });

  it('[TOUR-25] shows unit, coordinate system, completeness and assumptions of each delivery', async () => {
    const metres = { unit: 'm', metres: 1, basis: 'ASSUMED' } as const;
    const system = {
      horizontal: { unit: 'ftUS', metres: 1200 / 3937, basis: 'FILE' },
      vertical: { unit: 'm', metres: 1, basis: 'FILE' },
      stated: null,
      name: 'NAD83 / Tennessee (ftUS)',
      epsg: 2274,
      verticalName: 'NAVD88 height',
      origin: null,
      projectedTo: null,
    } as const;
    const silent = { ...system, horizontal: metres, vertical: metres, name: null, epsg: null, verticalName: null };
    const buildFile = (content: NonNullable<ScanDelivery['files'][number]['content']>) => ({
      name: 'june.las',
      bytes: 12_300_000,
      content,
    });
    const server = serverWith(
      buildContent({
        deliveries: [
          buildDelivery({ uid: 'd1', files: [buildFile({ declared: 2_000_000, read: 2_000_000, system })] }),
          buildDelivery({ uid: 'd2', name: 'Silent', files: [buildFile({ declared: 9, read: 8, system: silent })] }),
        ],
      }),
    ).on('PUT /api/me/preferences', { status: 200, body: {} });
    const { core } = await setup(server);
    const card = within(await screen.findByRole('article', { name: 'June scans' }));
    expect(card.getByText('US survey feet, from the file (converted to metres)')).toBeDefined();
    expect(card.getByText('metres, from the file')).toBeDefined();
    expect(card.getByText('NAD83 / Tennessee (ftUS) (EPSG:2274)')).toBeDefined();
    expect(card.getByText('NAVD88 height')).toBeDefined();
    expect(card.queryByText(/were assumed/)).toBeNull();
    const silentCard = within(screen.getByRole('article', { name: 'Silent' }));
    expect(silentCard.getByText('metres, assumed: not stated in the file')).toBeDefined();
    expect(silentCard.getByText(/metres were assumed\. If that is wrong/)).toBeDefined();
    expect(silentCard.getByText('20,00,000 (of 9 stated in the files)')).toBeDefined();
    await act(() => core.i18n.setLanguage('fr'));
    expect(await screen.findByText('pieds topographiques US, d’après le fichier (converti en mètres)')).toBeDefined();
  });

  it('keeps the entered values and shows the reason when the server refuses the files', async () => {
    const server = serverWith(buildContent()).on('POST /api/scan/:location/clouds', {
      status: 413,
      body: {
        code: 'E009',
        message: 'x',
        refusal: { message: 'core.refused.fileTooLarge', values: { megabytes: 8192 } },
        reference: 'r',
      },
    });
    const { user } = await setup(server);
    await user.click((await screen.findAllByRole('button', { name: 'Upload scans' }))[0]!);
    const dialog = within(await screen.findByRole('dialog'));
    await user.upload(dialog.getByTestId('file-input'), file);
    await user.type(dialog.getByLabelText(/^Name/), 'June');
    await user.click(dialog.getByRole('button', { name: 'Upload' }));
    expect(await dialog.findByText('The file is too large: at most 8,192 MB are accepted.')).toBeDefined();
    expect(dialog.getByLabelText<HTMLInputElement>(/^Name/).value).toBe('June');
  });

  it('shows import progress from server events and the outcome of each scan', async () => {
    const events = new FakeEvents();
    const job = {
      id: 'j1',
      kind: 'scan.import-cloud',
      status: 'INPROGRESS',
      result: null,
      done: 10,
      total: 100,
      message: null,
      refusal: null,
      createdAt: '2026-06-02T12:00:00.000Z',
      finishedAt: null,
    };
    const server = serverWith(
      buildContent({
        deliveries: [buildDelivery({ state: 'IMPORTING', extent: null, job: { id: 'j1', done: 10, total: 100 } })],
      }),
    ).on('GET /api/jobs/:id', { status: 200, body: job });
    await setup(server, { services: [[ServerEvents, events]] });
    expect(await screen.findByText(/10\s?%/)).toBeDefined();
    events.listeners.get('job.j1')!({ ...job, done: 70 });
    expect(await screen.findByText(/70\s?%/)).toBeDefined();
    server.on('GET /api/scan/:location/content', {
      status: 200,
      body: buildContent({
        deliveries: [
          buildDelivery({
            stations: [
              { name: 'S1', station: 'd1-1', skipReason: null, pictureSource: 'PHOTO', tooFarPixels: 0 },
              { name: 'S2', station: null, skipReason: 'UNSTRUCTURED', pictureSource: null, tooFarPixels: 0 },
            ],
          }),
        ],
      }),
    });
    events.listeners.get('job.j1')!({ ...job, status: 'COMPLETED', result: 'WARNING' });
    expect(await screen.findByText('Scans converted to stations: 1 of 2')).toBeDefined();
    expect(screen.getByText(/the scan is not structured/)).toBeDefined();
    expect(screen.queryByRole('progressbar')).toBeNull();
  });

  it('[TOUR-14] shows the end of the scan token and renews it', async () => {
    const server = serverWith(buildContent({ token: { state: 'EXPIRED', expiresAt: '2020-01-01T00:00:00.000Z' } })).on(
      'PUT /api/scan/:location/token',
      { status: 200, body: { state: 'VALID', expiresAt: '2099-01-01T00:00:00.000Z' } },
    );
    const { user } = await setup(server);
    const card = within(await screen.findByRole('region', { name: 'Scan token' }));
    expect(card.getByText('Expired')).toBeDefined();
    expect(
      card.getByText(/The scans of M10 have not been visible since Jan 1, 2020, 05:30 AM GMT\+5:30/),
    ).toBeDefined();
    await user.click(card.getByRole('button', { name: 'Renew' }));
    const dialog = within(await screen.findByRole('dialog'));
    const until = dialog.getByLabelText<HTMLInputElement>(/^Scans visible until/);
    expect(dialog.getByText('Date and time at the site (Asia/Kolkata)')).toBeDefined();
    await user.clear(until);
    await user.type(until, '2021-05-05T10:00');
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    expect(await dialog.findByText('Choose a time in the future')).toBeDefined();
    await user.clear(until);
    await user.type(until, '2098-12-31T10:00');
    server.on('GET /api/scan/:location/content', {
      status: 200,
      body: buildContent({ token: { state: 'VALID', expiresAt: '2098-12-31T04:30:00.000Z' } }),
    });
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Valid')).toBeDefined();
    expect(screen.getByText(/until Dec 31, 2098, 10:00 AM GMT\+5:30/)).toBeDefined();
    expect(server.sentTo('PUT /api/scan/:location/token')[0]?.body).toEqual({ expiresAt: '2098-12-31T04:30:00.000Z' });
  });

  it.each([
    ['deliveries', ['Jun 1, 2026, GMT+2', 'Jun 2, 2026, GMT+5:30', 'Jun 1, 2026, UTC']],
    ['stations', ['Jun 1, 2026, GMT+2', 'Jun 2, 2026, GMT+5:30', 'Jun 1, 2026, UTC']],
  ])('shows the %s of several sites with the day and the time zone of their own site', async (kind, days) => {
    const capturedAt = '2026-06-01T20:00:00.000Z';
    const station = { position: [1, 2, 3], heading: 45, sigma: 0.002, hasTiles: true, linkMode: 'NEAREST', node: null };
    const locations = ['oslo-unit', 'u', 'plain'];
    const server = serverWith(
      buildContent({
        deliveries: locations.map((location) =>
          buildDelivery({ uid: `d-${location}`, name: location, location, capturedAt }),
        ),
        stations: locations.map((location) => ({ ...station, uid: location, name: location, location, capturedAt })),
      }),
    ).on('GET /api/locations', {
      status: 200,
      body: [
        site,
        unit,
        buildSite('oslo', { timeZone: 'Europe/Oslo' }),
        buildUnit('oslo-unit', 'oslo'),
        { ...buildSite('plain'), site: undefined },
      ],
    });
    const { user } = await setup(server);
    await user.click(await screen.findByRole('tab', { name: new RegExp(kind, 'i') }));
    const rows = await screen.findAllByRole('article');
    expect(rows.map((row) => /Captured on(.*?(?:UTC|GMT[+:\d]+))/.exec(row.textContent ?? '')?.[1])).toEqual(days);
  });

  it('deletes a delivery only after confirmation, and reports a failure', async () => {
    const server = serverWith(buildContent({ deliveries: [buildDelivery()] })).on(
      'DELETE /api/scan/:location/clouds/:uid',
      () => {
        throw new ConnectionLostError();
      },
    );
    const { user } = await setup(server);
    await user.click(await screen.findByRole('button', { name: 'Delete' }));
    const dialog = within(await screen.findByRole('alertdialog'));
    await user.click(dialog.getByRole('button', { name: 'Delete' }));
    expect(await dialog.findByText(/You are offline/)).toBeDefined();
    server
      .on('DELETE /api/scan/:location/clouds/:uid', { status: 200, body: { removed: true } })
      .on('GET /api/scan/:location/content', { status: 200, body: buildContent() });
    await user.click(dialog.getByRole('button', { name: 'Delete' }));
    expect(await screen.findByText('No deliveries for M10')).toBeDefined();
  });

  it('keeps the time of day of a delivery, and uses noon at the site for a new day', async () => {
    // At the site, this is already the next day.
    const delivery = buildDelivery({ capturedAt: '2026-06-01T20:00:00.000Z' });
    const changeRoute = 'PUT /api/scan/:location/clouds/:uid';
    const server = serverWith(buildContent({ deliveries: [delivery] })).on(changeRoute, {
      status: 200,
      body: { job: null },
    });
    const { user } = await setup(server);
    const save = async (day?: string): Promise<unknown> => {
      await user.click(await screen.findByRole('button', { name: 'Edit' }));
      const dialog = within(await screen.findByRole('dialog'));
      const field = dialog.getByLabelText<HTMLInputElement>(/^Captured on/);
      expect(field.value).toBe('2026-06-02');
      if (day !== undefined) {
        await user.clear(field);
        await user.type(field, day);
      }
      await user.click(dialog.getByRole('button', { name: 'Save' }));
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
      return (server.sentTo(changeRoute).at(-1)!.body as { readonly capturedAt: string }).capturedAt;
    };
    expect(await save()).toBe('2026-06-01T20:00:00.000Z');
    expect(await save('2026-06-03')).toBe('2026-06-03T06:30:00.000Z');
  });

  it('saves the pose of a delivery without changing its day', async () => {
    const server = serverWith(buildContent({ deliveries: [buildDelivery()] })).on(
      'PUT /api/scan/:location/clouds/:uid',
      {
        status: 200,
        body: { job: 'j2' },
      },
    );
    const { user } = await setup(server);
    await user.click(await screen.findByRole('button', { name: 'Edit' }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.clear(dialog.getByLabelText(/^Rotation/));
    await user.type(dialog.getByLabelText(/^Rotation/), '400');
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    expect(dialog.getByText('Max value is 360')).toBeDefined();
    await user.clear(dialog.getByLabelText(/^Rotation/));
    await user.type(dialog.getByLabelText(/^Rotation/), '-90');
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    await waitFor(() =>
      expect(server.sentTo('PUT /api/scan/:location/clouds/:uid')[0]?.body).toEqual({
        name: 'June scans',
        capturedAt: '2026-06-01T12:00:00.000Z',
        pose: { position: [0, 0, 0], heading: -90 },
      }),
    );
  });

  it('lists the stations with position, accuracy and linked viewpoint', async () => {
    const server = serverWith(
      buildContent({
        stations: [
          {
            uid: 'd1-1',
            name: 'By the pump',
            location: 'u',
            position: [1, 2, 3],
            heading: 45,
            capturedAt: '2026-06-01T12:00:00.000Z',
            sigma: 0.0021,
            hasTiles: false,
            buildDelivery: 'd1',
            linkMode: 'NEAREST',
            node: { uid: 'node-N1', code: 'N1', name: 'Pump row', distanceMetres: 1.24 },
          },
        ],
      }),
    );
    const { user } = await setup(server);
    await user.click(await screen.findByRole('tab', { name: 'Stations (1)' }));
    expect(screen.getByRole('heading', { name: 'By the pump' })).toBeDefined();
    expect(screen.getByText('1.000 / 2.000 / 3.000 m')).toBeDefined();
    expect(screen.getByText('± 2.1 mm')).toBeDefined();
    expect(screen.getByText('Pump row (nearest, 1.2 m away)')).toBeDefined();
  });

  it.each([
    ['', { linkMode: 'NEAREST' }],
    ['Upper walkway (N2)', { linkMode: 'CHOSEN', node: 'node-N2' }],
    ['None', { linkMode: 'CHOSEN', node: null }],
  ])('[TOUR-05] links a station to a node of the tour: "%s"', async (option, link) => {
    const station = {
      uid: 'd1-1',
      name: 'By the pump',
      location: 'u',
      position: [1, 2, 3],
      heading: 45,
      capturedAt: '2026-06-01T12:00:00.000Z',
      sigma: 0.0021,
      hasTiles: true,
      buildDelivery: 'd1',
      linkMode: 'NEAREST',
      node: null,
    };
    const server = serverWith(buildContent({ stations: [station] })).on('PUT /api/scan/:location/stations/:uid', {
      status: 200,
      body: { changed: true },
    });
    const { user } = await setup(server);
    await user.click(await screen.findByRole('tab', { name: 'Stations (1)' }));
    await user.click(screen.getByRole('button', { name: 'Edit' }));
    const dialog = within(await screen.findByRole('dialog'));
    if (option !== '') await user.selectOptions(dialog.getByLabelText(/^Viewpoint/), option);
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    await waitFor(() =>
      expect(server.sentTo('PUT /api/scan/:location/stations/:uid')[0]?.body).toEqual({
        name: 'By the pump',
        position: [1, 2, 3],
        heading: 45,
        ...link,
      }),
    );
  });

  it.each([
    ['no access', { status: 403, body: { code: 'E003', message: 'x', reference: 'r' } }, /do not have access/i],
    ['failed', { status: 500, body: { code: 'E000', message: 'x', reference: 'abc123' } }, /abc123/],
  ] as const)('shows an error message: %s', async (_, reply, text) => {
    await setup(serverWith({}).on('GET /api/scan/:location/content', reply));
    expect((await screen.findAllByText(text)).length).toBeGreaterThan(0);
  });

  it('creates viewpoints from the chosen stations, shows the result, and undoes it', async () => {
    const buildViewpoint = (name: string, existingNode: object | null) => ({
      station: `s-${name}`,
      name,
      position: [0, 0, 0],
      pictureSource: 'PHOTO',
      code: name,
      deck: 'Deck 1',
      existing: existingNode,
    });
    const path = '/api/scan/:location/clouds/:uid/viewpoints';
    const report = { name: 'A', station: 's-A', skipReason: null, pictureSource: 'PHOTO', tooFarPixels: 0 } as const;
    const server = serverWith(buildContent({ deliveries: [buildDelivery({ stations: [report] })] }))
      .on(`GET ${path}`, {
        status: 200,
        body: [
          buildViewpoint('A', null),
          buildViewpoint('B', null),
          buildViewpoint('C', { code: 'N7', name: 'N7', distanceMetres: 0.123 }),
        ],
      })
      .on(`POST ${path}`, { status: 201, body: { job: 'j1', change: 'c1' } });
    const createdAt = '2026-06-02T12:00:00.000Z';
    const facts = { done: 1, total: 1, message: null, refusal: null, createdAt, finishedAt: null };
    const job = { id: 'j1', kind: 'tour.make-nodes', ...facts };
    const events = new FakeEvents();
    const { user } = await setup(server, { services: [[ServerEvents, events]] });
    await user.click(await screen.findByRole('button', { name: 'Viewpoints…' }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(await dialog.findByText('Exists as N7, 0.12 m away')).toBeDefined();
    expect(dialog.getByRole<HTMLInputElement>('checkbox', { name: 'C' }).disabled).toBe(true);
    await user.click(dialog.getByRole('checkbox', { name: 'B' }));
    server.on('GET /api/jobs/:id', { status: 200, body: { ...job, status: 'INPROGRESS', result: null } as never });
    await user.click(dialog.getByRole('button', { name: 'Make 1 viewpoint' }));
    await waitFor(() => expect(events.listeners.has('job.j1')).toBe(true));
    expect(server.sentTo(`POST ${path}`)[0]!.body).toEqual({ stations: ['s-A'] });

    const endedJob = { ...job, status: 'COMPLETED', result: 'SUCCESS' };
    server.on('GET /api/jobs/:id', { status: 200, body: endedJob as never });
    act(() => events.listeners.get('job.j1')?.(endedJob));
    expect(await dialog.findByText('1 viewpoint was made.')).toBeDefined();
    server.on('POST /api/changes/:change/undo', { status: 200, body: { change: 'c2' } });
    await user.click(dialog.getByRole('button', { name: 'Undo' }));
    expect(await dialog.findByText(/they were taken back/)).toBeDefined();
    expect(server.sentTo('POST /api/changes/:change/undo')[0]!.path).toBe('/api/changes/c1/undo');
  });
});
