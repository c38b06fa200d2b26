import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ServerEvents } from '#core/web';
import { buildPicture } from '../../../testing/build-picture.ts';
import {
  buildMe,
  buildSite,
  FakeServer,
  ConnectionLostError,
  pretendSize,
  renderScreen,
  type WebSetup,
} from '#core/testing/web';
import type { NodePanoramas } from '../../../contract/api/admin.ts';
import tour from '../../index.ts';
import PanoramasScreen from './panoramas-screen.tsx';

let restoreSize: () => void;
beforeEach(() => {
  restoreSize = pretendSize(1000, 400);
});
afterEach(() => {
  restoreSize();
  vi.unstubAllEnvs();
  vi.useRealTimers();
});

const plugins = [{ id: 'tour', settings: {}, web: tour, bridges: [] }];
const unit = { uid: 'u', name: 'M10', label: 'Process', parent: null, root: 'u', locationType: 'PRIMARY_LOCATION' };
const buildNodePanoramas = (changes: Partial<NodePanoramas> = {}): NodePanoramas => ({
  node: 'node-N1',
  code: 'N1',
  name: 'Pump row',
  location: 'u',
  tour: 'tour-T1',
  position: [0, 0, 2],
  posedAt: null,
  posedTilt: null,
  uid: null,
  capturedAt: '2026-06-01T12:00:00.000Z',
  day: '2026-06-01',
  heading: 30,
  thumbnail: null,
  earlier: [],
  incoming: [],
  ...changes,
});
const listEndpoint = 'GET /api/tour/:location/panoramas';
const rangesEndpoint = 'GET /api/tour/:location/ranges';
const uploadEndpoint = 'POST /api/tour/:location/panoramas';
const createServer = (nodes: readonly NodePanoramas[]) =>
  new FakeServer()
    .on('GET /api/locations', { status: 200, body: [unit] })
    .on(rangesEndpoint, { status: 200, body: [] })
    .on(listEndpoint, { status: 200, body: nodes });
const setup = (server: FakeServer, options: WebSetup = {}) =>
  renderScreen(<PanoramasScreen />, {
    plugins,
    plugin: 'tour',
    server,
    url: '/admin/console/panoramas?location=u',
    me: buildMe({ isAdmin: true }),
    ...options,
  });
const picture = new File(['pixels'], 'N1.jpg');

describe('PanoramasScreen', () => {
  it('lists panoramas by node and day, and deletes an earlier panorama after a confirmation', async () => {
    const server = createServer([
      buildNodePanoramas({ earlier: [{ uid: 'c1', capturedAt: '2025-05-04T12:00:00.000Z', day: '2025-05-04' }] }),
    ]).on('DELETE /api/tour/:location/nodes/:node/panoramas/:uid', { status: 200, body: { removed: true } });
    const { user } = await setup(server);
    expect((await screen.findByRole('article', { name: 'Pump row' })).textContent).toMatch(
      /Latest capture.*2026.*30\.0°/,
    );
    await user.click(screen.getByRole('button', { name: /^Delete the panorama of .*2025/ }));
    server.on(listEndpoint, { status: 200, body: [buildNodePanoramas()] });
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(screen.queryByRole('list', { name: /^Earlier/ })).toBeNull());
    expect(server.sentTo('DELETE /api/tour/:location/nodes/:node/panoramas/:uid').map(({ path }) => path)).toEqual([
      '/api/tour/u/nodes/node-N1/panoramas/c1',
    ]);
  });

  it('names the panorama that will be current after the current one is deleted', async () => {
    const server = createServer([
      buildNodePanoramas({
        uid: 'f1',
        earlier: [{ uid: 'c1', capturedAt: '2025-05-04T12:00:00.000Z', day: '2025-05-04' }],
      }),
    ]).on('DELETE /api/tour/:location/nodes/:node/panoramas/:uid', { status: 200, body: { removed: true } });
    const { user } = await setup(server);
    await user.click(await screen.findByRole('button', { name: /^Delete the panorama of .*2026/ }));
    const dialog = within(await screen.findByRole('alertdialog'));
    expect(dialog.getByText(/^The panorama of .*2025 is shown again\./)).toBeDefined();
    server.on(listEndpoint, {
      status: 200,
      body: [buildNodePanoramas({ capturedAt: '2025-05-04T12:00:00.000Z', day: '2025-05-04' })],
    });
    await user.click(dialog.getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(screen.queryByRole('button', { name: /^Delete/ })).toBeNull());
    expect(server.sentTo('DELETE /api/tour/:location/nodes/:node/panoramas/:uid').map(({ path }) => path)).toEqual([
      '/api/tour/u/nodes/node-N1/panoramas/f1',
    ]);
  });

  it('shows the days of the panoramas independent of the time zone of the browser', async () => {
    vi.stubEnv('TZ', 'Pacific/Auckland');
    await setup(
      createServer([
        buildNodePanoramas({ earlier: [{ uid: 'c1', capturedAt: '2025-05-04T12:00:00.000Z', day: '2025-05-04' }] }),
      ]),
    );
    expect((await screen.findByRole('article', { name: 'Pump row' })).textContent).toMatch(/Jun 1, 2026.*May 4, 2025/);
  });

  it("shows the site's days and sends noon at the site", async () => {
    vi.setSystemTime(new Date('2026-06-30T19:00:00Z'));
    const server = createServer([buildNodePanoramas()])
      .on('GET /api/locations', {
        status: 200,
        body: [{ ...buildSite('u', { timeZone: 'Asia/Kolkata' }), name: 'M10' }],
      })
      .on(uploadEndpoint, { status: 200, body: { jobs: ['j1'], unchanged: [] } });
    const { user } = await setup(server);
    expect((await screen.findByRole('article', { name: 'Pump row' })).textContent).toContain(
      'Jun 1, 2026 (Asia/Kolkata)',
    );
    await user.click(screen.getByRole('button', { name: 'New panorama' }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByText(/^Date at the site \(Asia\/Kolkata\)/)).toBeDefined();
    await user.upload(dialog.getByTestId('file-input'), picture);
    await user.type(dialog.getByLabelText(/^Captured on/), '2026-07-02');
    await user.click(dialog.getByRole('button', { name: 'Upload' }));
    expect(await dialog.findByText('This date is in the future')).toBeDefined();
    // The test runs at 00:30 on 1 July at the site, but still 30 June in UTC.
    await user.clear(dialog.getByLabelText(/^Captured on/));
    await user.type(dialog.getByLabelText(/^Captured on/), '2026-07-01');
    await user.click(dialog.getByRole('button', { name: 'Upload' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(server.sentTo(uploadEndpoint)[0]!.query.get('capturedAt')).toBe('2026-07-01T06:30:00.000Z');
  });

  it('asks whether a new panorama is levelled by the pose of its viewpoint', async () => {
    const server = createServer([buildNodePanoramas({ posedTilt: { pitch: 2, roll: -1 } })]).on(uploadEndpoint, {
      status: 200,
      body: { jobs: ['j1'], unchanged: [] },
    });
    const { user } = await setup(server);
    const upload = async (isLevelled: boolean) => {
      await user.click(await screen.findByRole('button', { name: 'New panorama' }));
      const dialog = within(await screen.findByRole('dialog'));
      await user.upload(dialog.getByTestId('file-input'), picture);
      await user.type(dialog.getByLabelText(/^Captured on/), '2026-06-01');
      if (!isLevelled) await user.click(dialog.getByRole('checkbox', { name: /^Level the picture/ }));
      await user.click(dialog.getByRole('button', { name: 'Upload' }));
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
      return server.sentTo(uploadEndpoint).at(-1)!.query.get('pitch');
    };
    expect(await upload(true)).toBeNull();
    expect(await upload(false)).toBe('0');
  });

  const openBatch = async (server: FakeServer, options: WebSetup = {}) => {
    const rendered = await setup(server, options);
    const button = await screen.findByRole<HTMLButtonElement>('button', { name: 'Upload panoramas' });
    await waitFor(() => expect(button.disabled).toBe(false));
    await rendered.user.click(button);
    return { ...rendered, dialog: within(await screen.findByRole('dialog')) };
  };
  const readState = (dialog: ReturnType<typeof within>, name: string) =>
    dialog.getByText(name).closest('[role=row]')?.textContent ?? '';

  it('sends each file to the viewpoint of the same name or a chosen one, once the date is known', async () => {
    const server = createServer([
      buildNodePanoramas(),
      buildNodePanoramas({ node: 'node-N2', code: 'N2', name: 'Stairs' }),
    ]).on(uploadEndpoint, { status: 200, body: { jobs: ['j1'], unchanged: [] } });
    const { user, dialog } = await openBatch(server);
    expect(dialog.getByText(/such as N1\.jpg/)).toBeDefined();
    await user.upload(dialog.getByTestId('file-input'), [picture, new File(['pixels'], 'IMG_7.jpg')]);
    expect((await dialog.findByRole('status')).textContent).toBe('1 of 2 files have a viewpoint.');
    expect([readState(dialog, 'N1.jpg'), readState(dialog, 'IMG_7.jpg')]).toEqual([
      expect.stringContaining('Please enter the date'),
      expect.stringContaining('No viewpoint matches'),
    ]);
    await user.click(dialog.getByRole('button', { name: 'Upload' }));
    expect(dialog.getByText(/^No file is ready\./)).toBeDefined();
    fireEvent.change(dialog.getByLabelText('Captured on'), { target: { value: '2026-07-01' } });
    expect(readState(dialog, 'N1.jpg')).toContain('Same name');

    const choice = dialog.getByRole('combobox', { name: 'Viewpoint of IMG_7.jpg' });
    await user.click(choice);
    await user.type(choice, 'n1');
    await user.click(await screen.findByRole('option', { name: /N1/ }));
    expect(readState(dialog, 'IMG_7.jpg')).toContain('Another file of this day has the same viewpoint');
    await user.clear(choice);
    await user.type(choice, 'stai');
    await user.click(await screen.findByRole('option', { name: /N2/ }));
    expect(readState(dialog, 'IMG_7.jpg')).toContain('Your choice');
    await user.click(dialog.getByRole('button', { name: 'Upload 2 files' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(
      server
        .sentTo(uploadEndpoint)
        .map(({ query, body }) => [Object.fromEntries(query), ((body as FormData).get('file') as File).name]),
    ).toEqual([
      [{ node: 'node-N1', capturedAt: '2026-07-01T12:00:00.000Z' }, 'N1.jpg'],
      [{ node: 'node-N2', capturedAt: '2026-07-01T12:00:00.000Z' }, 'IMG_7.jpg'],
    ]);
  });

  it('names an invalid file, sends the other files, and resends failed files', async () => {
    let refused = true;
    const refusal = { code: 'E001', message: 'x', refusal: { message: 'core.refused.pictureDamaged' }, reference: 'r' };
    const server = createServer([
      buildNodePanoramas(),
      buildNodePanoramas({ node: 'node-N2', code: 'N2', name: 'Stairs' }),
    ]).on(uploadEndpoint, ({ query }) =>
      refused && query.get('node') === 'node-N1'
        ? { status: 400, body: refusal }
        : { status: 200, body: { jobs: ['j1'], unchanged: [] } },
    );
    const { user, dialog } = await openBatch(server);
    await user.upload(dialog.getByTestId('file-input'), [picture, new File(['pixels'], 'N2.jpg')]);
    fireEvent.change(await dialog.findByLabelText('Captured on'), { target: { value: '2026-07-01' } });
    await user.click(dialog.getByRole('button', { name: 'Upload 2 files' }));
    await waitFor(() => expect(readState(dialog, 'N1.jpg')).toContain('The image is damaged or incomplete.'));
    expect(readState(dialog, 'N2.jpg')).toContain('Uploaded');
    expect(dialog.getByRole('button', { name: 'Close' })).toBeDefined();
    expect(dialog.queryByRole('button', { name: 'Cancel' })).toBeNull();
    refused = false;
    await user.click(dialog.getByRole('button', { name: 'Upload 1 file' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(server.sentTo(uploadEndpoint).map(({ query }) => query.get('node'))).toEqual([
      'node-N1',
      'node-N2',
      'node-N1',
    ]);
  });

  it('matches files by time and position, and proposes their heading and tilt', async () => {
    const server = createServer([
      buildNodePanoramas({ posedAt: '2026-06-01T12:03:21.000Z' }),
      buildNodePanoramas({ node: 'node-N2', code: 'N2', name: 'Stairs', position: [100, 50, 2] }),
    ])
      .on('POST /api/tour/:location/panorama-positions', { status: 200, body: { positions: [[102, 51, 9]] } })
      .on(uploadEndpoint, { status: 200, body: { jobs: ['j1'], unchanged: [] } });
    const { user, dialog } = await openBatch(server);
    const timedPicture = await buildPicture({ DateTimeOriginal: '2026:06:01 14:03:20', OffsetTimeOriginal: '+02:00' });
    const placedPicture = await buildPicture(
      { DateTimeOriginal: '2026:06:01 15:00:00' },
      'PoseHeadingDegrees="30"',
      true,
    );
    const partialPicture = await buildPicture({}, 'FullPanoWidthPixels="2048" CroppedAreaImageWidthPixels="1024"');
    await user.upload(dialog.getByTestId('file-input'), [
      new File([timedPicture], 'IMG_1.jpg'),
      new File([placedPicture], 'IMG_2.jpg'),
      new File([partialPicture], 'IMG_3.jpg'),
    ]);
    await waitFor(() => expect(readState(dialog, 'IMG_1.jpg')).toContain('Same time'));
    expect([readState(dialog, 'IMG_2.jpg'), readState(dialog, 'IMG_3.jpg')]).toEqual([
      expect.stringContaining('Same place'),
      expect.stringContaining('Only a part of the sphere'),
    ]);
    expect(dialog.queryByRole('checkbox', { name: /^Level/ })).toBeNull();
    await user.click(dialog.getByRole('checkbox', { name: 'Use the compass heading in the file' }));
    await user.click(dialog.getByRole('button', { name: 'Upload 2 files' }));
    await waitFor(() => expect(readState(dialog, 'IMG_2.jpg')).toContain('Uploaded'));
    expect(server.sentTo(uploadEndpoint).map(({ query }) => Object.fromEntries(query))).toEqual([
      { node: 'node-N1', capturedAt: '2026-06-01T12:03:20.000Z' },
      { node: 'node-N2', capturedAt: '2026-06-01T15:00:00.000Z', heading: '30' },
    ]);
  });

  it('proposes to level pictures by the poses of their viewpoints, unless their files have a tilt', async () => {
    const posedTilt = { pitch: 2, roll: -1 };
    const server = createServer([
      ...['N1', 'N2', 'N3'].map((code) => buildNodePanoramas({ node: `node-${code}`, code, posedTilt })),
      buildNodePanoramas({ node: 'node-N4', code: 'N4' }),
    ]).on(uploadEndpoint, { status: 200, body: { jobs: ['j1'], unchanged: [] } });
    const { user, dialog } = await openBatch(server);
    const buildFile = async (name: string, gpano = '') =>
      new File([await buildPicture({ DateTimeOriginal: '2026:06:01 14:03:20' }, gpano)], name);
    await user.upload(dialog.getByTestId('file-input'), [
      await buildFile('N1.jpg'),
      await buildFile('N2.jpg', 'PosePitchDegrees="0" PoseRollDegrees="0"'),
      await buildFile('N3.jpg', 'PosePitchDegrees="3"'),
      await buildFile('N4.jpg'),
    ]);
    const level = await dialog.findByRole('checkbox', { name: /^Level 2 pictures by pitch and roll/ });
    const listTilts = () =>
      dialog.getAllByRole('row').flatMap((row) => /to be levelled by .*/.exec(row.textContent ?? '') ?? []);
    expect(listTilts()).toEqual([
      'to be levelled by pitch 2.00°, roll -1.00°',
      'to be levelled by pitch 3.00°, roll 0.00°',
    ]);
    await user.click(level);
    expect(listTilts()).toEqual([]);
    await user.click(dialog.getByRole('button', { name: 'Upload 4 files' }));
    await waitFor(() => expect(server.sentTo(uploadEndpoint)).toHaveLength(4));
    for (const { query } of server.sentTo(uploadEndpoint))
      expect(Object.fromEntries(query)).toMatchObject({ pitch: '0', roll: '0' });
  });

  it('computes range images from the model, stops, shows their coverage, and removes them with undo', async () => {
    const counts = { tour: 'tour-T1', name: 'Tour', measured: 1, computed: 0, missing: 2, job: null, result: null };
    const ranges = { ...counts, message: null, refusal: null };
    const endedRanges = { ...ranges, computed: 1, missing: 1 };
    const result = { made: 1, coverage: 0.42, blind: ['N2'], changed: [], stopped: true };
    const server = createServer([buildNodePanoramas()])
      .on(rangesEndpoint, { status: 200, body: [ranges] })
      .on('POST /api/tour/:location/tours/:tour/ranges', () => {
        server.on(rangesEndpoint, { status: 200, body: [{ ...ranges, job: { id: 'j1', done: 0, total: 2 } }] });
        return { status: 201, body: { job: 'j1' } };
      })
      .on('POST /api/tour/:location/tours/:tour/ranges/stop', () => {
        server.on(rangesEndpoint, { status: 200, body: [{ ...endedRanges, result }] });
        return { status: 200, body: {} };
      })
      .on('DELETE /api/tour/:location/tours/:tour/ranges', () => {
        server.on(rangesEndpoint, { status: 200, body: [ranges] });
        return { status: 200, body: { change: 'c1' } };
      });
    const { user } = await setup(server);
    const card = within(await screen.findByRole('article', { name: /^Distances in/ }));
    expect(card.getByText(/^1 viewpoint measured by a scanner, 0 computed/)).toBeDefined();
    await user.click(card.getByRole('button', { name: 'Make distances from model and point cloud' }));
    await user.click(await card.findByRole('button', { name: 'Stop' }));
    expect((await card.findByText(/^Distances were made for 1 viewpoint/)).textContent).toMatch(
      /cover 42\.0% of it\. It was stopped\. This viewpoint sees nothing of the model or the cloud within 65 m: N2\./,
    );
    await user.click(card.getByRole('button', { name: 'Remove computed distances' }));
    await waitFor(() => expect(card.queryByRole('button', { name: 'Remove computed distances' })).toBeNull());
    expect(screen.getAllByRole('button', { name: 'Undo' })).not.toEqual([]);
  });

  it('creates viewpoints on the chosen deck for pictures with known positions', async () => {
    const deck = { uid: 'd1', code: 'D1', name: 'Main', location: 'u', elevation: 12, floor: 'PLATED', plan: null };
    const tourRow = { uid: 'tour-T1', code: 'T1', name: 'Tour', location: 'u', startNode: null, version: 1 };
    const server = createServer([])
      .on('GET /api/tour-content/:location', {
        status: 200,
        body: { decks: [{ ...deck, version: 1 }], tours: [tourRow], nodes: [], links: [] },
      })
      .on('POST /api/tour/:location/panorama-positions', { status: 200, body: { positions: [[102, 51, 9]] } })
      .on('POST /api/tour-content/:location/tours/:tour/nodes', { status: 201, body: { change: 'c1' } });
    const { user, dialog } = await openBatch(server);
    const placedPicture = await buildPicture(
      { DateTimeOriginal: '2026:06:01 15:00:00' },
      'PoseHeadingDegrees="30"',
      true,
    );
    await user.upload(dialog.getByTestId('file-input'), [new File([placedPicture], 'DJI 0001.jpg')]);
    await dialog.findByRole('option', { name: 'Main' });
    await user.selectOptions(dialog.getByRole('combobox', { name: /^Deck/ }), 'Main');
    await user.click(dialog.getByRole('button', { name: 'Make a viewpoint for 1 file' }));
    await waitFor(() => expect(readState(dialog, 'DJI 0001.jpg')).toContain('New viewpoint'));
    const [created] = server.sentTo('POST /api/tour-content/:location/tours/:tour/nodes');
    expect(created!.body).toMatchObject({
      nodes: [{ code: 'DJI-0001', name: 'DJI 0001.jpg', deck: 'd1', position: [102, 51, 13.6], heading: 30 }],
    });
    expect(dialog.getByRole('button', { name: 'Undo' })).toBeDefined();
  });

  it('uploads a file with a heading for a node, and reports that the panorama already exists', async () => {
    const server = createServer([buildNodePanoramas()]).on(uploadEndpoint, {
      status: 200,
      body: { jobs: [], unchanged: ['N1'] },
    });
    const { user } = await setup(server);
    await user.click(await screen.findByRole('button', { name: 'New panorama' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'New panorama of Pump row' }));
    await user.upload(dialog.getByTestId('file-input'), picture);
    await user.type(dialog.getByLabelText(/^Captured on/), '2026-07-01');
    await user.type(dialog.getByLabelText(/^Centre heading/), '12,5');
    await user.click(dialog.getByRole('button', { name: 'Upload' }));
    expect(await dialog.findByText('This panorama already exists: nothing was changed.')).toBeDefined();
    const { query } = server.sentTo(uploadEndpoint)[0]!;
    expect([query.get('node'), query.get('heading')]).toEqual(['node-N1', '12.5']);
  });

  it('shows the progress of an import and then its error until the error is dismissed', async () => {
    const listeners = new Map<string, (data: unknown) => void>();
    const events: ServerEvents = {
      on: (topic, listener) => (listeners.set(topic, listener), () => listeners.delete(topic)),
    };
    const job = {
      id: 'j1',
      kind: 'tour.import-panorama',
      status: 'INPROGRESS',
      result: null,
      done: 1,
      total: 10,
      message: null,
      refusal: null,
      createdAt: '2026-06-02T12:00:00.000Z',
      finishedAt: null,
    };
    const incomingPanorama = {
      uid: 'i1',
      capturedAt: '2026-07-01T12:00:00.000Z',
      day: '2026-07-01',
      job: { id: 'j1', done: 1, total: 10 },
      message: null,
      refusal: null,
    };
    const server = createServer([buildNodePanoramas({ incoming: [incomingPanorama] })])
      .on('GET /api/jobs/:id', { status: 200, body: job })
      .on('DELETE /api/tour/:location/nodes/:node/panoramas/:uid', { status: 200, body: { removed: true } });
    const { user } = await setup(server, { services: [[ServerEvents, events]] });
    expect(await screen.findByText(/^Panorama of .*10\s?%/)).toBeDefined();
    server.on(listEndpoint, {
      status: 200,
      body: [
        buildNodePanoramas({
          incoming: [
            { ...incomingPanorama, job: null, message: 'x', refusal: { message: 'core.refused.pictureDamaged' } },
          ],
        }),
      ],
    });
    listeners.get('job.j1')!({ ...job, status: 'COMPLETED', result: 'FAILED' });
    expect(await screen.findByText(/could not be imported\. The image is damaged or incomplete\./)).toBeDefined();
    server.on(listEndpoint, { status: 200, body: [buildNodePanoramas()] });
    await user.click(screen.getByRole('button', { name: 'Dismiss' }));
    await waitFor(() => expect(screen.queryByText(/could not be imported/)).toBeNull());
  });

  it('reports a missing tour and missing access, and offers a retry after a lost connection', async () => {
    await setup(createServer([]), {
      me: buildMe({ access: { flags: ['import'], locations: 'ALL', deactivatedRoles: [] } }),
    });
    expect(await screen.findByText('No tour at M10')).toBeDefined();
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Upload panoramas' }).disabled).toBe(true);
    await setup(
      createServer([]).on(listEndpoint, { status: 403, body: { code: 'E003', message: 'No.', reference: 'r' } }),
    );
    expect(await screen.findByText('You do not have access to tours')).toBeDefined();
    let offline = true;
    const { user } = await setup(
      createServer([]).on(listEndpoint, () => {
        if (offline) throw new ConnectionLostError();
        return { status: 200, body: [buildNodePanoramas()] };
      }),
    );
    const retryButton = await screen.findByRole('button', { name: /again/i });
    offline = false;
    await user.click(retryButton);
    expect(await screen.findByRole('article', { name: 'Pump row' })).toBeDefined();
  });
});
