import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ServerEvents } from '#core/web';
import { buildMe, buildSite, FakeServer, ConnectionLostError, renderScreen, type WebSetup } from '#core/testing/web';
import type { NodePanoramas } from '../../../contract/api/admin.ts';
import tour from '../../index.ts';
import PanoramasScreen from './panoramas-screen.tsx';

afterEach(() => {
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
const uploadEndpoint = 'POST /api/tour/:location/panoramas';
const createServer = (nodes: readonly NodePanoramas[]) =>
  new FakeServer()
    .on('GET /api/locations', { status: 200, body: [unit] })
    .on(listEndpoint, { status: 200, body: nodes });
const setup = (server: FakeServer, options: WebSetup = {}) =>
  renderScreen(<PanoramasScreen />, {
    plugins,
    plugin: 'tour',
    server,
    address: '/admin/console/panoramas?location=u',
    me: buildMe({ isAdmin: true }),
    ...options,
  });
const picture = new File(['pixels'], 'N1.jpg');

describe('PanoramasScreen', () => {
  it('lists panoramas by node and day and deletes an earlier one after confirmation', async () => {
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

  it('names the panorama that replaces the deleted current one', async () => {
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
    // It is 00:30 on 1 July at the site, but still 30 June in UTC.
    await user.clear(dialog.getByLabelText(/^Captured on/));
    await user.type(dialog.getByLabelText(/^Captured on/), '2026-07-01');
    await user.click(dialog.getByRole('button', { name: 'Upload' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(server.sentTo(uploadEndpoint)[0]!.query.get('capturedAt')).toBe('2026-07-01T06:30:00.000Z');
  });

  it('uploads several files whose names are codes of nodes', async () => {
    const server = createServer([buildNodePanoramas()]).on(uploadEndpoint, {
      status: 200,
      body: { jobs: ['j1'], unchanged: [] },
    });
    const { user } = await setup(server);
    const uploadButton = await screen.findByRole<HTMLButtonElement>('button', { name: 'Upload panoramas' });
    await waitFor(() => expect(uploadButton.disabled).toBe(false));
    await user.click(uploadButton);
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByText(/such as N1\.jpg/)).toBeDefined();
    await user.upload(dialog.getByTestId('file-input'), [picture, new File(['pixels'], 'N2.jpg')]);
    await user.type(dialog.getByLabelText(/^Captured on/), '2999-01-01');
    await user.click(dialog.getByRole('button', { name: 'Upload' }));
    expect(await dialog.findByText('This date is in the future')).toBeDefined();
    await user.clear(dialog.getByLabelText(/^Captured on/));
    await user.type(dialog.getByLabelText(/^Captured on/), '2026-07-01');
    await user.click(dialog.getByRole('button', { name: 'Upload' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    const [request] = server.sentTo(uploadEndpoint);
    expect([
      [...request!.query],
      (request!.body as FormData).getAll('file').map((file) => (file as File).name),
    ]).toEqual([[['capturedAt', '2026-07-01T12:00:00.000Z']], ['N1.jpg', 'N2.jpg']]);
  });

  it('uploads one file for a node with a heading and reports that the panorama exists already', async () => {
    const server = createServer([buildNodePanoramas()]).on(uploadEndpoint, {
      status: 200,
      body: { jobs: [], unchanged: ['N1'] },
    });
    const { user } = await setup(server);
    await user.click(await screen.findByRole('button', { name: 'New panorama' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'New panorama of Pump row' }));
    await user.upload(dialog.getByTestId('file-input'), picture);
    await user.type(dialog.getByLabelText(/^Captured on/), '2026-07-01');
    await user.type(dialog.getByLabelText(/^Centre heading/), '12.5');
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
    const incoming = {
      uid: 'i1',
      capturedAt: '2026-07-01T12:00:00.000Z',
      day: '2026-07-01',
      job: { id: 'j1', done: 1, total: 10 },
      message: null,
      refusal: null,
    };
    const server = createServer([buildNodePanoramas({ incoming: [incoming] })])
      .on('GET /api/jobs/:id', { status: 200, body: job })
      .on('DELETE /api/tour/:location/nodes/:node/panoramas/:uid', { status: 200, body: { removed: true } });
    const { user } = await setup(server, { services: [[ServerEvents, events]] });
    expect(await screen.findByText(/^Panorama of .*10\s?%/)).toBeDefined();
    server.on(listEndpoint, {
      status: 200,
      body: [
        buildNodePanoramas({
          incoming: [{ ...incoming, job: null, message: 'x', refusal: { message: 'core.refused.pictureDamaged' } }],
        }),
      ],
    });
    listeners.get('job.j1')!({ ...job, status: 'COMPLETED', result: 'FAILED' });
    expect(await screen.findByText(/could not be imported\. The image is damaged or incomplete\./)).toBeDefined();
    server.on(listEndpoint, { status: 200, body: [buildNodePanoramas()] });
    await user.click(screen.getByRole('button', { name: 'Dismiss' }));
    await waitFor(() => expect(screen.queryByText(/could not be imported/)).toBeNull());
  });

  it('reports a location without a tour, missing access, and a broken connection with a button to retry', async () => {
    await setup(createServer([]));
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
