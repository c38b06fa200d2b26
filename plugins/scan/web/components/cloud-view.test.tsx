import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { runInAction } from 'mobx';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Point3, ViewState } from '#core';
import { FakeServer, ConnectionLostError, renderScreen, type FakeReply } from '#core/testing/web';
import { restoreView, TourStore, TourTools, ViewSurfaces } from '#plugins/tour';
import { buildTour, FakeEngine, createServicesWith, tourWeb } from '#plugins/tour/testing/web';
import type { Scans, ScanStation } from '../../contract/api.ts';
import type { PointCloud } from '../../contract/api/cloud.ts';
import { CloudUnreadable } from '../viewer/cloud/cloud-node.ts';
import scanWeb from '../index.ts';
import { ScanChoices } from '../stores/scan-choices.ts';
import ScanModule from './scan-module.tsx';
import ScanTools from './scan-tools.tsx';
import { servicesWithClouds, type FakeCloud } from '../../testing/web/fake-cloud.ts';
import { chooseColoring } from '../viewer/point-cloud/cloud-controller.ts';
import { findNearestCloud } from '../viewer/point-cloud/find-way-to-cloud.ts';

const buildStation = (code: string, x: number): ScanStation => ({
  uid: `scan-${code}`,
  name: `Station ${code}`,
  node: `node-${code}`,
  linkMode: 'NEAREST',
  location: 'lower',
  position: [x, 5, 1.7],
  heading: 0,
  capturedAt: '2026-03-01T10:00:00.000Z',
  day: '2026-03-01',
  picture: null,
  ranges: null,
});
const buildScans = (changes: Partial<Scans> = {}): Scans => ({
  token: { state: 'NONE', expiresAt: null },
  stations: [buildStation('N1', 10), buildStation('N2', 14)],
  ...changes,
});
const expiredScans = buildScans({ token: { state: 'EXPIRED', expiresAt: '2020-01-01T00:00:00.000Z' }, stations: [] });
const buildCloud = (uid: string, changes: Partial<PointCloud> = {}): PointCloud => ({
  uid,
  name: `Cloud ${uid}`,
  location: 'unit',
  capturedAt: null,
  kind: 'TILES',
  address: `/api/files/${uid}`,
  extent: { points: 100, minimum: [0, 0, 0], maximum: [20, 20, 5], colored: true, withIntensity: true },
  ...changes,
});

interface SetupOptions {
  readonly buildScans?: () => FakeReply | Promise<FakeReply>;
  readonly clouds?: FakeReply;
  readonly prepare?: (createdClouds: FakeCloud) => void;
}

async function setup({
  buildScans: reply = () => ({ status: 200, body: buildScans() }),
  clouds = { status: 200, body: [buildCloud('A')] },
  prepare,
}: SetupOptions = {}) {
  const createdClouds: FakeCloud[] = [];
  const engine = new FakeEngine();
  const server = new FakeServer()
    .on('GET /api/tour/:location', { status: 200, body: buildTour() })
    .on('PUT /api/tour/:location/visited/:node', { status: 200, body: {} })
    .on('GET /api/scan/:location', reply)
    .on('GET /api/scan/:location/clouds', clouds);
  const services = servicesWithClouds((each) => {
    prepare?.(each);
    createdClouds.push(each);
  });
  const plugins = [
    { id: 'tour', settings: {}, web: { ...tourWeb, services: createServicesWith(engine) }, bridges: [] },
    { id: 'scan', settings: { token: false }, web: { ...scanWeb, services }, bridges: [] },
  ];
  const screenUnderTest = (
    <>
      <ScanModule />
      <ScanTools />
    </>
  );
  const rendered = await renderScreen(screenUnderTest, { plugins, plugin: 'scan', server });
  const { host } = rendered.core;
  const [store, tools, surfaces, choices] = await Promise.all([
    host.getService('scan', TourStore),
    host.getService('scan', TourTools),
    host.getService('scan', ViewSurfaces),
    host.getService('scan', ScanChoices),
  ]);
  await act(async () => {
    await store.open('unit');
  });
  await act(async () => choices.setMode('CLOUD'));
  const getCloud = () => createdClouds.at(-1)!;
  return { ...rendered, engine, store, tools, surfaces, choices, createdClouds, getCloud };
}

describe('point cloud', () => {
  it('[TOUR-05] follows the position and the direction of the tour', async () => {
    const { getCloud, tools, store } = await setup();
    expect(getCloud().openedSources).toEqual([{ kind: 'TILES', url: '/api/files/A' }]);
    expect(getCloud().view).toMatchObject({ position: [10, 5, 1.7], pan: 10, tilt: -5, fov: 75 });
    act(() => tools.setView({ pan: 200, tilt: 3 }, 'vr.module'));
    expect(getCloud().view).toMatchObject({ pan: 200, tilt: 3 });
    await act(async () => store.goTo('node-N2'));
    expect(getCloud().view.position).toEqual([14, 5, 1.7]);
    act(() => tools.setPosition([12, 6, 1.5], 'model-3d.module'));
    expect(getCloud().view.position).toEqual([12, 6, 1.5]);
  });

  it('[TOUR-05] reports direction and position to the tour, whose nearest node becomes the current one', async () => {
    const { getCloud, tools, store } = await setup();
    const { host } = getCloud();
    host.setPointerCapture = () => undefined;
    host.hasPointerCapture = () => true;
    const dispatchPointer = (type: string, clientX: number) =>
      fireEvent(
        host,
        Object.assign(new MouseEvent(type, { button: 0, clientX, clientY: 50, bubbles: true }), { pointerId: 1 }),
      );
    dispatchPointer('pointerdown', 50);
    dispatchPointer('pointermove', 60);
    dispatchPointer('pointerup', 60);
    expect(tools.viewAuthor).toBe('scan.module');
    expect(tools.view.pan).not.toBe(10);
    expect(tools.positionAuthor).not.toBe('scan.module');
    act(() => tools.look({ pan: 90, tilt: 0 }, false));
    for (let step = 0; step < 3; step++) fireEvent.wheel(host, { deltaY: -100 });
    await waitFor(() => expect(tools.position?.[0]).toBeGreaterThan(12.5));
    expect(tools.positionAuthor).toBe('scan.module');
    expect(store.currentNode?.code).toBe('N2');
    expect(getCloud().view.position).toBe(tools.position);
  });

  it('[TOUR-05] animates to another view at the same node and at another node', async () => {
    // Animations start at the time of a frame.
    const frames = vi
      .spyOn(window, 'requestAnimationFrame')
      .mockImplementation((step) => Number(setTimeout(() => act(() => step(performance.now())), 20)));
    onTestFinished(() => frames.mockRestore());
    const { getCloud, tools, store } = await setup();
    const glideTo = async (pan: number, position: Point3, node = 'N1'): Promise<void> => {
      const view: ViewState = { v: 1, module: 'scan.module', node, pos: position, pan, tilt: 4, fov: 40 };
      // Without animation, as for the back and forward buttons of the browser.
      act(() => runInAction(() => restoreView(store, tools, view)));
      await waitFor(() => expect(getCloud().view).toEqual({ position, pan, tilt: 4, fov: 40 }));
    };
    act(() => store.chooseModule('scan.module'));
    await glideTo(70, [11, 6, 1.7]);
    await glideTo(120, [11, 6, 1.7]);
    act(() => tools.setView({ pan: 200, tilt: 3 }, 'vr.module'));
    await glideTo(150, [10, 5, 1.7]);
    await glideTo(30, [14.5, 5, 1.7], 'N2');
    await glideTo(60, [10, 5.5, 1.7]);
    expect(tools.view).toMatchObject({ pan: 60, tilt: 4, fov: 40 });
    expect(store.currentNode?.code).toBe('N1');
  });

  it('registers its surface with the tools while it is on screen', async () => {
    const { surfaces, getCloud, choices, unmount } = await setup();
    expect(surfaces.all).toEqual([getCloud()]);
    await act(async () => choices.setMode('PICTURE'));
    expect(getCloud().closed).toBe(true);
    expect(surfaces.all).toHaveLength(1);
    unmount();
    expect(surfaces.all).toEqual([]);
  });

  it('opens the panorama of a station in the current direction, even from a position away from the station', async () => {
    const { user, store, tools, choices, engine, getCloud } = await setup();
    act(() => store.moveTo([11, 6, 1.7], 'model-3d.module'));
    await user.click(screen.getByRole('button', { name: 'Image of Station N2' }));
    expect(choices.mode).toBe('PICTURE');
    expect([store.currentNode?.code, tools.position]).toEqual(['N2', [14, 5, 1.7]]);
    expect(engine.shownPictures.map(({ id }) => id).at(-1)).toBe('picture-N2');
    expect(engine.view.pan).toBe(10);
    expect(getCloud().closed).toBe(true);
  });

  it('saves the mode that is chosen by the tool', async () => {
    const { user, choices, getCloud } = await setup();
    await user.click(screen.getByRole('button', { name: 'Image' }));
    expect([choices.mode, getCloud().closed]).toEqual(['PICTURE', true]);
    expect(screen.queryByRole('button', { name: 'Point display' })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Point cloud' }));
    expect(JSON.parse(localStorage.getItem('walkdown.scan.choices') ?? '')).toMatchObject({ way: 'CLOUD' });
  });

  it('restores mode, colours and clipping box from the URL', async () => {
    const { store, choices } = await setup();
    expect(store.layers).toEqual({ scan: 'CLOUD~RGB' });
    act(() => choices.setColoring('HEIGHT'));
    act(() => choices.setClip({ centre: [10, 5.123, 1.7], half: [2, 2, 1.5], pan: 10 }));
    const address = store.layers['scan'];
    expect(address).toBe('CLOUD~HEIGHT~10,5.12,1.7,2,2,1.5,10');
    await act(async () => store.setLayer('scan', 'PICTURE'));
    expect(choices.mode).toBe('PICTURE');
    await act(async () => store.setLayer('scan', address));
    expect(choices).toMatchObject({
      mode: 'CLOUD',
      coloring: 'HEIGHT',
      clip: { centre: [10, 5.12, 1.7], half: [2, 2, 1.5], pan: 10 },
    });
    await act(async () => store.setLayer('scan', 'CLOUD~RGB~1,2,nothing'));
    expect(choices).toMatchObject({ mode: 'CLOUD', coloring: 'RGB', clip: undefined });
    expect(store.layers['scan']).toBe('CLOUD~RGB');
  });

  it('changes colours, point size and clipping box in its panel', async () => {
    const { user, getCloud } = await setup();
    await user.click(screen.getByRole('button', { name: 'Point display' }));
    await user.click(screen.getByRole('tab', { name: 'Height' }));
    expect(getCloud().appearance.coloring).toBe('HEIGHT');
    fireEvent.change(screen.getByRole('slider', { name: 'Point size' }), { target: { value: '2' } });
    expect(getCloud().appearance.size).toBe(2);
    await user.click(screen.getByRole('switch', { name: 'Clipping box' }));
    expect(getCloud().appearance.clip).toMatchObject({ half: [3, 3, 2], pan: 10 });
    fireEvent.change(screen.getByRole('slider', { name: 'Width' }), { target: { value: '2' } });
    expect(getCloud().appearance.clip?.half).toEqual([1, 3, 2]);
    await user.click(screen.getByRole('switch', { name: 'Clipping box' }));
    expect(getCloud().appearance.clip).toBeUndefined();
  });

  it.each([
    ['No point cloud here', { clouds: { status: 200, body: [] } }],
    [
      'The point cloud is being prepared',
      { clouds: { status: 200, body: [buildCloud('A', { address: null, extent: null })] } },
    ],
    [
      "It look's like Scan Token has expired",
      { buildScans: () => ({ status: 200, body: expiredScans }), clouds: { status: 200, body: [] } },
    ],
    [
      'You do not have access to scans',
      { clouds: { status: 403, body: { code: 'E003', message: 'No.', reference: 'r' } } },
    ],
    [
      'The point cloud Cloud A cannot be read',
      { prepare: (createdClouds: FakeCloud) => void (createdClouds.failure = new CloudUnreadable('Damaged.')) },
    ],
  ] as const)('[TOUR-14] shows the message "%s"', async (text, options) => {
    await setup(options as SetupOptions);
    expect(await screen.findByText(text)).toBeDefined();
  });

  it('[TOUR-14] shows the expiry of the token during streaming, and continues with a new token', async () => {
    let isTokenValid = true;
    const { getCloud, user } = await setup({
      buildScans: () => ({ status: 200, body: isTokenValid ? buildScans() : expiredScans }),
    });
    isTokenValid = false;
    await act(async () => getCloud().emit('failed', { reason: 'The server answered 403.', refused: true }));
    expect(await screen.findByText("It look's like Scan Token has expired")).toBeDefined();
    isTokenValid = true;
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(screen.queryByText("It look's like Scan Token has expired")).toBeNull();
    expect(getCloud().openedSources).toHaveLength(2);
  });

  it.each(['a reply', 'a refused part'])('ignores %s of a request that was sent before the retry', async (event) => {
    let sendReply = (_: FakeReply): void => undefined;
    let reply: FakeReply | Promise<FakeReply> = { status: 200, body: buildScans() };
    const { getCloud, user } = await setup({ buildScans: () => reply });
    const refuse = () =>
      act(async () => getCloud().emit('failed', { reason: 'The server answered 403.', refused: true }));
    reply = { status: 200, body: expiredScans };
    await refuse();
    expect(await screen.findByText("It look's like Scan Token has expired")).toBeDefined();
    reply = new Promise((resolve) => (sendReply = resolve));
    if (event === 'a reply') {
      await refuse();
      reply = { status: 200, body: buildScans() };
    }
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    if (event === 'a refused part') {
      reply = { status: 200, body: buildScans() };
      await refuse();
    }
    await act(async () => sendReply({ status: 200, body: buildScans() }));
    expect(getCloud().openedSources).toHaveLength(2);
    expect(screen.queryByText('You do not have access to scans')).toBeNull();
  });

  it('[TOUR-05] says where the nearest cloud is if no points are in view, and goes there', async () => {
    const { user, getCloud, tools } = await setup();
    const leave = (position: Point3, pan: number) =>
      act(() => {
        tools.setPosition(position);
        tools.setView({ pan, tilt: 0 });
      });
    leave([10, -40, 1.7], 180);
    expect(screen.getByText('No points here: the point cloud Cloud A is 40 m north.')).toBeDefined();
    leave([10, -40, 1.7], 0);
    expect(screen.queryByText(/No points here/)).toBeNull();
    leave([10, -4, 1.7], 180);
    expect(screen.queryByText(/No points here/)).toBeNull();
    leave([-30, -40, 1.7], 180);
    expect(screen.getByText('No points here: the point cloud Cloud A is 50 m north-east.')).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Go there' }));
    // The viewpoint N3 is the nearest in the cloud.
    expect(getCloud().view).toMatchObject({ position: [0, 0, 1.7], pan: 45, tilt: 0 });
    expect(screen.queryByText(/No points here/)).toBeNull();
    expect(getCloud().openedSources).toHaveLength(1);
  });

  it('[TOUR-05] shows another cloud after the eye has moved to it', async () => {
    const otherCloud = buildCloud('B', {
      extent: { points: 1, minimum: [0, -60, 0], maximum: [20, -30, 5], colored: true, withIntensity: true },
    });
    const { user, getCloud, tools } = await setup({ clouds: { status: 200, body: [buildCloud('A'), otherCloud] } });
    act(() => {
      tools.setPosition([10, -40, 1.7]);
      tools.setView({ pan: 180, tilt: 0 });
    });
    expect(screen.getByText('No points here: this place is in the point cloud Cloud B.')).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Show it' }));
    expect(getCloud().openedSources.at(-1)).toEqual({ kind: 'TILES', url: '/api/files/B' });
    expect(getCloud().view.position).toEqual([10, -40, 1.7]);
    await waitFor(() => expect(screen.queryByText(/No points here/)).toBeNull());
  });

  it('reports missing parts and retries them', async () => {
    const { getCloud, user } = await setup();
    act(() => getCloud().emit('failed', { reason: 'A part of the point cloud is cut off.', refused: false }));
    expect(screen.getByText('Some parts of the point cloud could not be loaded.')).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(getCloud().retryCount).toBe(1);
    expect(screen.queryByText('Some parts of the point cloud could not be loaded.')).toBeNull();
  });

  it('shows an error if the first part fails to load', async () => {
    const { getCloud } = await setup({ prepare: (createdClouds) => void (createdClouds.points = 0) });
    act(() => {
      getCloud().emit('failed', { reason: 'A part of the point cloud is cut off.', refused: false });
      getCloud().draw();
    });
    expect(await screen.findByText('The point cloud Cloud A cannot be read')).toBeDefined();
  });

  it('loads on retry after a network failure', async () => {
    let offline = true;
    const { user, getCloud } = await setup({
      buildScans: () => {
        if (offline) throw new ConnectionLostError();
        return { status: 200, body: buildScans() };
      },
    });
    expect(await screen.findByText('You are offline')).toBeDefined();
    offline = false;
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(getCloud().openedSources).toHaveLength(1);
    expect(screen.queryByText('You are offline')).toBeNull();
  });

  it('shows a message while the WebGL context is lost', async () => {
    const { getCloud } = await setup();
    act(() => getCloud().emit('contextLost', undefined));
    expect(screen.getByText(/graphics of this device stopped/)).toBeDefined();
    act(() => getCloud().emit('contextRestored', undefined));
    expect(screen.queryByText(/graphics of this device stopped/)).toBeNull();
  });
});

it('prefers the cloud that contains the eye, and the newer of two', () => {
  const farCloud = buildCloud('away', {
    extent: { points: 1, minimum: [100, 0, 0], maximum: [120, 20, 5], colored: true, withIntensity: true },
  });
  expect(findNearestCloud([farCloud, buildCloud('new'), buildCloud('old')], [5, 5, 1])?.uid).toBe('new');
  expect(findNearestCloud([buildCloud('new'), farCloud], [99, 5, 1])?.uid).toBe('away');
  expect(findNearestCloud([], [0, 0, 0])).toBeUndefined();
});

it('colours points by height if the cloud lacks the requested colours', () => {
  const plainCloud = buildCloud('bare', {
    extent: { points: 1, minimum: [0, 0, 0], maximum: [1, 1, 1], colored: false, withIntensity: false },
  });
  expect([
    chooseColoring(plainCloud, 'RGB'),
    chooseColoring(plainCloud, 'INTENSITY'),
    chooseColoring(buildCloud('A'), 'RGB'),
    chooseColoring(undefined, 'RGB'),
  ]).toEqual(['HEIGHT', 'HEIGHT', 'RGB', 'RGB']);
});
