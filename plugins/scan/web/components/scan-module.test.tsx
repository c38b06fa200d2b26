import { act, screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { FakeServer, ConnectionLostError, renderScreen, type FakeReply } from '#core/testing/web';
import { TourStore, TourTools, ViewSurfaces } from '#plugins/tour';
import { buildTour, FakeEngine, createServicesWith, tourWeb } from '#plugins/tour/testing/web';
import type { ScanStation, Scans } from '../../contract/api.ts';
import { shownScan } from '../viewer/station-panorama/shown-scan.ts';
import scanWeb from '../index.ts';
import ScanModule from './scan-module.tsx';

const buildStation = (code: string, changes: Partial<ScanStation> = {}): ScanStation => ({
  uid: `scan-${code}`,
  name: `Station ${code}`,
  node: `node-${code}`,
  linkMode: 'NEAREST',
  location: 'lower',
  position: [10, 5, 1.7],
  heading: 0,
  capturedAt: '2026-03-01T10:00:00.000Z',
  day: '2026-03-01',
  picture: null,
  ranges: { id: `ranges-${code}`, address: '/api/files/r', width: 2048, height: 1024, tileSize: 512, sigma: 0.003 },
  ...changes,
});
const buildScans = (changes: Partial<Scans> = {}): Scans => ({
  token: { state: 'NONE', expiresAt: null },
  stations: [buildStation('N1'), buildStation('N2')],
  ...changes,
});

async function setup(
  reply: FakeReply | (() => FakeReply) = { status: 200, body: buildScans() },
  clouds: FakeReply = { status: 200, body: [] },
) {
  const engine = new FakeEngine();
  const server = new FakeServer()
    .on('GET /api/tour/:location', { status: 200, body: buildTour() })
    .on('PUT /api/tour/:location/visited/:node', { status: 200, body: {} })
    .on('GET /api/scan/:location', reply)
    .on('GET /api/scan/:location/clouds', clouds);
  const plugins = [
    { id: 'tour', settings: {}, web: { ...tourWeb, services: createServicesWith(engine) }, bridges: [] },
    { id: 'scan', settings: { token: false }, web: scanWeb, bridges: [] },
  ];
  const rendered = await renderScreen(<ScanModule />, { plugins, plugin: 'scan', server });
  const { host } = rendered.core;
  const [store, tools, surfaces] = await Promise.all([
    host.getService('scan', TourStore),
    host.getService('scan', TourTools),
    host.getService('scan', ViewSurfaces),
  ]);
  await act(async () => {
    await store.open('unit');
  });
  return { ...rendered, engine, server, store, tools, surfaces };
}

describe('scan module', () => {
  it('[TOUR-05] shows the station of the current node in the direction of the tour', async () => {
    const { engine, tools, store } = await setup();
    expect(engine.shownPictures.map(({ id }) => id)).toEqual(['picture-N1']);
    expect(engine.view).toEqual({ pan: 10, tilt: -5, fov: 75 });
    act(() => tools.setView({ pan: 200, tilt: 3 }, 'vr.module'));
    expect(engine.view).toMatchObject({ pan: 200, tilt: 3 });
    await act(async () => store.goTo('node-N2'));
    expect(engine.shownPictures.at(-1)).toMatchObject({ id: 'picture-N2', transition: 'walk' });
    expect(engine.view).toMatchObject({ pan: 200, tilt: 3 });
  });

  it('[TOUR-04] exposes the uid of the scan while it is shown', async () => {
    const { store, tools, unmount } = await setup();
    expect(store.read(shownScan)).toBe('scan-N1');
    await act(async () => store.goTo('node-N2'));
    expect(store.read(shownScan)).toBe('scan-N2');
    act(() => tools.setMode('TRU_VIEW'));
    expect(tools.viewConfigurations.scan).toEqual(tools.view);
    unmount();
    expect(store.read(shownScan)).toBeUndefined();
  });

  it.each(['N2', 'N3'])(
    '[TOUR-05] applies the requested view at node %s and keeps the direction on the way to the next node',
    async (code) => {
      const { engine, tools, store } = await setup({
        status: 200,
        body: buildScans({ stations: ['N1', 'N2', 'N3'].map((node) => buildStation(node)) }),
      });
      await act(async () => store.goTo(`node-${code}`, { pan: 120, tilt: 20, fov: 40 }));
      expect(engine.shownPictures.at(-1)).toMatchObject({
        id: `picture-${code}`,
        view: { pan: 120, tilt: 20, fov: 40 },
      });
      act(() => tools.setView({ pan: 200, tilt: 3, fov: 60 }, 'vr.module'));
      await act(async () => store.goTo('node-N1'));
      expect(engine.view).toEqual({ pan: 200, tilt: 3, fov: 60 });
    },
  );

  it('goes to the station of a linked node by its pin', async () => {
    const { engine, store } = await setup();
    expect(engine.pins.map(({ label }) => label)).toEqual(['Go to Pump row']);
    await act(async () => engine.pins[0]?.onActivate());
    expect(store.currentNode?.code).toBe('N2');
  });

  it('registers its surface with the tools while it is on screen', async () => {
    const { surfaces, unmount } = await setup();
    expect(surfaces.all.map(({ module }) => module)).toEqual(['scan.module']);
    unmount();
    expect(surfaces.all).toEqual([]);
  });

  it('[TOUR-08] has depth if its station has ranges', async () => {
    const { surfaces, store } = await setup({
      status: 200,
      body: buildScans({ stations: [buildStation('N1'), buildStation('N2', { ranges: null })] }),
    });
    expect(surfaces.all[0]?.hasDepth?.()).toBe(true);
    await act(async () => store.goTo('node-N2'));
    expect(surfaces.all[0]?.hasDepth?.()).toBe(false);
  });

  it.each([
    [
      {
        status: 200,
        body: buildScans({ token: { state: 'EXPIRED', expiresAt: '2020-01-01T00:00:00.000Z' }, stations: [] }),
      },
      "It look's like Scan Token has expired",
    ],
    [
      { status: 200, body: buildScans({ token: { state: 'MISSING', expiresAt: null }, stations: [] }) },
      'No scan token yet',
    ],
    [{ status: 200, body: buildScans({ stations: [] }) }, 'No scan here'],
    [{ status: 403, body: { code: 'E003', message: 'No.', reference: 'r' } }, 'You do not have access to scans'],
    [
      { status: 500, body: { code: 'E000', message: 'No.', reference: 'r' } },
      'The scan of Separator area could not be loaded',
    ],
  ])('[TOUR-14] shows the reason why there is no scan: %j', async (reply, text) => {
    await setup(reply);
    expect(await screen.findByText(text)).toBeDefined();
  });

  it('offers the point cloud of the place if a viewpoint has no scan', async () => {
    const cloud = {
      uid: 'c',
      name: 'C',
      location: 'unit',
      capturedAt: null,
      kind: 'COPC',
      address: '/api/files/c',
      extent: null,
    };
    const empty = { status: 200, body: buildScans({ stations: [] }) };
    const first = await setup(empty, { status: 200, body: [] });
    expect(await screen.findByText(/^Neither scans of viewpoints nor a point cloud/)).toBeTruthy();
    first.unmount();
    await setup(empty, { status: 200, body: [{ ...cloud, address: null }, cloud] });
    const button = await screen.findByRole('button', { name: 'Show the point cloud' });
    expect(screen.getByText(/but there is a point cloud of this place/)).toBeTruthy();
    await act(async () => button.click());
    expect(screen.queryByText('No scan here')).toBeNull();
  });

  it('shows the scan on retry after a network failure', async () => {
    let offline = true;
    const { engine, user } = await setup(() => {
      if (offline) throw new ConnectionLostError();
      return { status: 200, body: buildScans() };
    });
    expect(await screen.findByText('You are offline')).toBeDefined();
    offline = false;
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(engine.shownPictures.map(({ id }) => id)).toEqual(['picture-N1']);
  });

  it('[TOUR-14] shows the expiry of the token while tiles are loading', async () => {
    let isTokenValid = true;
    const { engine } = await setup(() => ({
      status: 200,
      body: isTokenValid
        ? buildScans()
        : buildScans({ token: { state: 'EXPIRED', expiresAt: '2020-01-01T00:00:00.000Z' }, stations: [] }),
    }));
    isTokenValid = false;
    await act(async () => engine.emit('failed', { id: 'picture-N1', reason: 'The server answered 403.' }));
    expect(await screen.findByText("It look's like Scan Token has expired")).toBeDefined();
  });

  it('stays at the station on screen if the requested station cannot be loaded, also without a connection', async () => {
    let isOnline = true;
    const { engine, store, user } = await setup(() => {
      if (!isOnline) throw new ConnectionLostError();
      return { status: 200, body: buildScans() };
    });
    engine.failingPictures.add('picture-N2');
    isOnline = false;
    await act(async () => store.goTo('node-N2'));
    expect([store.currentNode?.code, store.read(shownScan)]).toEqual(['N1', 'scan-N1']);
    const message = 'Pump row could not be loaded. You are still at Separator area.';
    expect(screen.getByText(message)).toBeDefined();
    expect(screen.queryByText('The scan of Separator area could not be loaded')).toBeNull();
    isOnline = true;
    engine.failingPictures.clear();
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect([store.currentNode?.code, screen.queryByText(message)]).toEqual(['N2', null]);
  });

  it('keeps the scan on screen if a measurement fails without a connection', async () => {
    let isOnline = true;
    const { engine, store, surfaces, server } = await setup(() => {
      if (!isOnline) throw new ConnectionLostError();
      return { status: 200, body: buildScans() };
    });
    isOnline = false;
    engine.picksFail = true;
    const checks = server.sentTo('GET /api/scan/:location').length;
    await act(async () => expect(surfaces.all[0]!.pick(1, 1)).rejects.toThrow());
    expect(server.sentTo('GET /api/scan/:location').length).toBeGreaterThan(checks);
    expect(store.read(shownScan)).toBe('scan-N1');
    expect(screen.queryByText('You are offline')).toBeNull();
  });

  it.each(['a measurement', 'the next station'])('shows that access was lost when %s is refused', async (event) => {
    let isAllowed = true;
    const { engine, store, surfaces } = await setup(() =>
      isAllowed
        ? { status: 200, body: buildScans() }
        : { status: 403, body: { code: 'E003', message: 'No.', reference: 'r' } },
    );
    isAllowed = false;
    engine.picksFail = true;
    engine.failingPictures.add('picture-N2');
    await act(async () => {
      if (event === 'a measurement') await surfaces.all[0]!.pick(1, 1).catch(() => undefined);
      else store.goTo('node-N2');
    });
    expect(screen.getByText('You do not have access to scans')).toBeDefined();
  });

  it('shows a message while the WebGL context is lost', async () => {
    const { engine } = await setup();
    act(() => engine.emit('contextLost', undefined));
    expect(screen.getByText(/graphics of this device stopped/)).toBeDefined();
    act(() => engine.emit('contextRestored', undefined));
    expect(screen.queryByText(/graphics of this device stopped/)).toBeNull();
  });

  it('reports missing tiles and loads them again', async () => {
    const { engine, user } = await setup();
    await act(async () => engine.emit('tilesMissing', true));
    expect(screen.getByText(/Some parts of the image could not be loaded/)).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(engine.tileRetries).toBe(1);
  });
});
