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
const node = (changes: Partial<NodePanoramas> = {}): NodePanoramas => ({
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
const list = 'GET /api/tour/:location/panoramas';
const send = 'POST /api/tour/:location/panoramas';
const serverWith = (nodes: readonly NodePanoramas[]) =>
  new FakeServer().on('GET /api/locations', { status: 200, body: [unit] }).on(list, { status: 200, body: nodes });
const show = (server: FakeServer, setup: WebSetup = {}) =>
  renderScreen(<PanoramasScreen />, {
    plugins,
    plugin: 'tour',
    server,
    address: '/admin/console/panoramas?location=u',
    me: buildMe({ isAdmin: true }),
    ...setup,
  });
const picture = new File(['pixels'], 'N1.jpg');

describe('PanoramasScreen', () => {
  it('lists panoramas by node and day and deletes an earlier one after confirmation', async () => {
    const server = serverWith([
      node({ earlier: [{ uid: 'c1', capturedAt: '2025-05-04T12:00:00.000Z', day: '2025-05-04' }] }),
    ]).on('DELETE /api/tour/:location/nodes/:node/panoramas/:uid', { status: 200, body: { removed: true } });
    const { user } = await show(server);
    expect((await screen.findByRole('article', { name: 'Pump row' })).textContent).toMatch(
      /Latest capture.*2026.*30\.0°/,
    );
    await user.click(screen.getByRole('button', { name: /^Delete the panorama of .*2025/ }));
    server.on(list, { status: 200, body: [node()] });
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(screen.queryByRole('list', { name: /^Earlier/ })).toBeNull());
    expect(server.sentTo('DELETE /api/tour/:location/nodes/:node/panoramas/:uid').map(({ path }) => path)).toEqual([
      '/api/tour/u/nodes/node-N1/panoramas/c1',
    ]);
  });

  it('names the panorama that replaces the deleted current one', async () => {
    const server = serverWith([
      node({ uid: 'f1', earlier: [{ uid: 'c1', capturedAt: '2025-05-04T12:00:00.000Z', day: '2025-05-04' }] }),
    ]).on('DELETE /api/tour/:location/nodes/:node/panoramas/:uid', { status: 200, body: { removed: true } });
    const { user } = await show(server);
    await user.click(await screen.findByRole('button', { name: /^Delete the panorama of .*2026/ }));
    const dialog = within(await screen.findByRole('alertdialog'));
    expect(dialog.getByText(/^The panorama of .*2025 is shown again\./)).toBeDefined();
    server.on(list, { status: 200, body: [node({ capturedAt: '2025-05-04T12:00:00.000Z', day: '2025-05-04' })] });
    await user.click(dialog.getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(screen.queryByRole('button', { name: /^Delete/ })).toBeNull());
    expect(server.sentTo('DELETE /api/tour/:location/nodes/:node/panoramas/:uid').map(({ path }) => path)).toEqual([
      '/api/tour/u/nodes/node-N1/panoramas/f1',
    ]);
  });

  it('uses the day that was typed, even if noon in UTC is on the next day', async () => {
    vi.stubEnv('TZ', 'Pacific/Auckland');
    await show(
      serverWith([node({ earlier: [{ uid: 'c1', capturedAt: '2025-05-04T12:00:00.000Z', day: '2025-05-04' }] })]),
    );
    expect((await screen.findByRole('article', { name: 'Pump row' })).textContent).toMatch(/Jun 1, 2026.*May 4, 2025/);
  });

  it("shows the site's days and sends noon at the site", async () => {
    vi.setSystemTime(new Date('2026-06-30T19:00:00Z'));
    const server = serverWith([node()])
      .on('GET /api/locations', {
        status: 200,
        body: [{ ...buildSite('u', { timeZone: 'Asia/Kolkata' }), name: 'M10' }],
      })
      .on(send, { status: 200, body: { jobs: ['j1'], unchanged: [] } });
    const { user } = await show(server);
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
    // At the site it is 00:30 of this day; here it is still the previous day.
    await user.clear(dialog.getByLabelText(/^Captured on/));
    await user.type(dialog.getByLabelText(/^Captured on/), '2026-07-01');
    await user.click(dialog.getByRole('button', { name: 'Upload' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(server.sentTo(send)[0]!.query.get('capturedAt')).toBe('2026-07-01T06:30:00.000Z');
  });

  it('uploads several files, each for the node of its name', async () => {
    const server = serverWith([node()]).on(send, { status: 200, body: { jobs: ['j1'], unchanged: [] } });
    const { user } = await show(server);
    const open = await screen.findByRole<HTMLButtonElement>('button', { name: 'Upload panoramas' });
    await waitFor(() => expect(open.disabled).toBe(false));
    await user.click(open);
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
    const [sent] = server.sentTo(send);
    expect([[...sent!.query], (sent!.body as FormData).getAll('file').map((file) => (file as File).name)]).toEqual([
      [['capturedAt', '2026-07-01T12:00:00.000Z']],
      ['N1.jpg', 'N2.jpg'],
    ]);
  });

  it('uploads one file for a node with its heading and reports an unchanged one', async () => {
    const server = serverWith([node()]).on(send, { status: 200, body: { jobs: [], unchanged: ['N1'] } });
    const { user } = await show(server);
    await user.click(await screen.findByRole('button', { name: 'New panorama' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'New panorama of Pump row' }));
    await user.upload(dialog.getByTestId('file-input'), picture);
    await user.type(dialog.getByLabelText(/^Captured on/), '2026-07-01');
    await user.type(dialog.getByLabelText(/^Centre heading/), '12.5');
    await user.click(dialog.getByRole('button', { name: 'Upload' }));
    expect(await dialog.findByText('This panorama already exists: nothing was changed.')).toBeDefined();
    const { query } = server.sentTo(send)[0]!;
    expect([query.get('node'), query.get('heading')]).toEqual(['node-N1', '12.5']);
  });

  it('shows the progress of an import, and its error until it is dismissed', async () => {
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
    const server = serverWith([node({ incoming: [incoming] })])
      .on('GET /api/jobs/:id', { status: 200, body: job })
      .on('DELETE /api/tour/:location/nodes/:node/panoramas/:uid', { status: 200, body: { removed: true } });
    const { user } = await show(server, { services: [[ServerEvents, events]] });
    expect(await screen.findByText(/^Panorama of .*10\s?%/)).toBeDefined();
    server.on(list, {
      status: 200,
      body: [
        node({
          incoming: [{ ...incoming, job: null, message: 'x', refusal: { message: 'core.refused.pictureDamaged' } }],
        }),
      ],
    });
    listeners.get('job.j1')!({ ...job, status: 'COMPLETED', result: 'FAILED' });
    expect(await screen.findByText(/could not be imported\. The image is damaged or incomplete\./)).toBeDefined();
    server.on(list, { status: 200, body: [node()] });
    await user.click(screen.getByRole('button', { name: 'Dismiss' }));
    await waitFor(() => expect(screen.queryByText(/could not be imported/)).toBeNull());
  });

  it('reports a location without a tour, missing access and a broken connection', async () => {
    await show(serverWith([]));
    expect(await screen.findByText('No tour at M10')).toBeDefined();
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Upload panoramas' }).disabled).toBe(true);
    await show(serverWith([]).on(list, { status: 403, body: { code: 'E003', message: 'No.', reference: 'r' } }));
    expect(await screen.findByText('You do not have access to tours')).toBeDefined();
    let gone = true;
    const { user } = await show(
      serverWith([]).on(list, () => {
        if (gone) throw new ConnectionLostError();
        return { status: 200, body: [node()] };
      }),
    );
    const again = await screen.findByRole('button', { name: /again/i });
    gone = false;
    await user.click(again);
    expect(await screen.findByRole('article', { name: 'Pump row' })).toBeDefined();
  });
});
