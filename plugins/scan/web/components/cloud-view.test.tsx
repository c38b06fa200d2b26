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
import { cloudNear, chooseColoring } from '../viewer/point-cloud/cloud-controller.ts';

const station = (code: string, x: number): ScanStation => ({
  uid: `scan-${code}`,
  name: `Station ${code}`,
  node: `node-${code}`,
  link: 'NEAREST',
  location: 'lower',
  position: [x, 5, 1.7],
  heading: 0,
  capturedAt: '2026-03-01T10:00:00.000Z',
  day: '2026-03-01',
  picture: null,
  ranges: null,
});
const scans = (changes: Partial<Scans> = {}): Scans => ({
  token: { state: 'NONE', expiresAt: null },
  stations: [station('N1', 10), station('N2', 14)],
  ...changes,
});
const expired = scans({ token: { state: 'EXPIRED', expiresAt: '2020-01-01T00:00:00.000Z' }, stations: [] });
const cloud = (uid: string, changes: Partial<PointCloud> = {}): PointCloud => ({
  uid,
  name: `Cloud ${uid}`,
  location: 'unit',
  capturedAt: null,
  kind: 'TILES',
  address: `/api/files/${uid}`,
  extent: { points: 100, minimum: [0, 0, 0], maximum: [20, 20, 5], colored: true, withIntensity: true },
  ...changes,
});

interface Given {
  readonly scans?: () => FakeReply | Promise<FakeReply>;
  readonly clouds?: FakeReply;
  readonly prepare?: (made: FakeCloud) => void;
}

async function setup({
  scans: reply = () => ({ status: 200, body: scans() }),
  clouds = { status: 200, body: [cloud('A')] },
  prepare,
}: Given = {}) {
  const made: FakeCloud[] = [];
  const engine = new FakeEngine();
  const server = new FakeServer()
    .on('GET /api/tour/:location', { status: 200, body: buildTour() })
    .on('PUT /api/tour/:location/visited/:node', { status: 200, body: {} })
    .on('GET /api/scan/:location', reply)
    .on('GET /api/scan/:location/clouds', clouds);
  const services = servicesWithClouds((each) => {
    prepare?.(each);
    made.push(each);
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
  await act(async () => choices.setWay('CLOUD'));
  const shown = () => made.at(-1)!;
  return { ...rendered, engine, store, tools, surfaces, choices, made, shown };
}

describe('point cloud', () => {
  it("[TOUR-05] opens at the tour's position and direction, and follows them", async () => {
    const { shown, tools, store } = await setup();
    expect(shown().opened).toEqual([{ kind: 'TILES', address: '/api/files/A' }]);
    expect(shown().view).toMatchObject({ position: [10, 5, 1.7], pan: 10, tilt: -5, fov: 75 });
    act(() => tools.setView({ pan: 200, tilt: 3 }, 'vr.module'));
    expect(shown().view).toMatchObject({ pan: 200, tilt: 3 });
    await act(async () => store.goTo('node-N2'));
    expect(shown().view.position).toEqual([14, 5, 1.7]);
    act(() => tools.setPosition([12, 6, 1.5], 'model-3d.module'));
    expect(shown().view.position).toEqual([12, 6, 1.5]);
  });

  it('[TOUR-05] reports direction and position to the tour, and the nearest node becomes the current one', async () => {
    const { shown, tools, store } = await setup();
    const { host } = shown();
    host.setPointerCapture = () => undefined;
    host.hasPointerCapture = () => true;
    const point = (type: string, clientX: number) =>
      fireEvent(
        host,
        Object.assign(new MouseEvent(type, { button: 0, clientX, clientY: 50, bubbles: true }), { pointerId: 1 }),
      );
    point('pointerdown', 50);
    point('pointermove', 60);
    point('pointerup', 60);
    expect(tools.viewAuthor).toBe('scan.module');
    expect(tools.view.pan).not.toBe(10);
    expect(tools.positionAuthor).not.toBe('scan.module');
    act(() => tools.look({ pan: 90, tilt: 0 }, false));
    for (let turns = 0; turns < 3; turns++) fireEvent.wheel(host, { deltaY: -100 });
    await waitFor(() => expect(tools.position?.[0]).toBeGreaterThan(12.5));
    expect(tools.positionAuthor).toBe('scan.module');
    expect(store.currentNode?.code).toBe('N2');
    expect(shown().view.position).toBe(tools.position);
  });

  it('[TOUR-05] animates to another view, at another node and at the same one', async () => {
    // Frame times at which the animations start.
    const frames = vi
      .spyOn(window, 'requestAnimationFrame')
      .mockImplementation((step) => Number(setTimeout(() => act(() => step(performance.now())), 20)));
    onTestFinished(() => frames.mockRestore());
    const { shown, tools, store } = await setup();
    const glideTo = async (pan: number, position: Point3, node = 'N1'): Promise<void> => {
      const view: ViewState = { v: 1, module: 'scan.module', node, pos: position, pan, tilt: 4, fov: 40 };
      // Without animation, as for the back and forward buttons of the browser.
      act(() => runInAction(() => restoreView(store, tools, view)));
      await waitFor(() => expect(shown().view).toEqual({ position, pan, tilt: 4, fov: 40 }));
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
    const { surfaces, shown, choices, unmount } = await setup();
    expect(surfaces.all).toEqual([shown()]);
    await act(async () => choices.setWay('PICTURE'));
    expect(shown().closed).toBe(true);
    expect(surfaces.all).toHaveLength(1);
    unmount();
    expect(surfaces.all).toEqual([]);
  });

  it('returns to the panorama of a station in the same direction, even after moving away from it', async () => {
    const { user, store, tools, choices, engine, shown } = await setup();
    act(() => store.moveTo([11, 6, 1.7], 'model-3d.module'));
    await user.click(screen.getByRole('button', { name: 'Image of Station N2' }));
    expect(choices.way).toBe('PICTURE');
    expect([store.currentNode?.code, tools.position]).toEqual(['N2', [14, 5, 1.7]]);
    expect(engine.shownPictures.map(({ id }) => id).at(-1)).toBe('picture-N2');
    expect(engine.view.pan).toBe(10);
    expect(shown().closed).toBe(true);
  });

  it('is selected by the tool, and the choice is saved', async () => {
    const { user, choices, shown } = await setup();
    await user.click(screen.getByRole('button', { name: 'Image' }));
    expect([choices.way, shown().closed]).toEqual(['PICTURE', true]);
    expect(screen.queryByRole('button', { name: 'Point display' })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Point cloud' }));
    expect(JSON.parse(localStorage.getItem('walkdown.scan.choices') ?? '')).toMatchObject({ way: 'CLOUD' });
  });

  it('is stored in the address with its colours and clipping box, and restored from it', async () => {
    const { store, choices } = await setup();
    expect(store.layers).toEqual({ scan: 'CLOUD~RGB' });
    act(() => choices.setColoring('HEIGHT'));
    act(() => choices.setClip({ centre: [10, 5.123, 1.7], half: [2, 2, 1.5], pan: 10 }));
    const address = store.layers['scan'];
    expect(address).toBe('CLOUD~HEIGHT~10,5.12,1.7,2,2,1.5,10');
    await act(async () => store.setLayer('scan', 'PICTURE'));
    expect(choices.way).toBe('PICTURE');
    await act(async () => store.setLayer('scan', address));
    expect(choices).toMatchObject({
      way: 'CLOUD',
      coloring: 'HEIGHT',
      clip: { centre: [10, 5.12, 1.7], half: [2, 2, 1.5], pan: 10 },
    });
    await act(async () => store.setLayer('scan', 'CLOUD~RGB~1,2,nothing'));
    expect(choices).toMatchObject({ way: 'CLOUD', coloring: 'RGB', clip: undefined });
    expect(store.layers['scan']).toBe('CLOUD~RGB');
  });

  it('changes colours, point size and clipping box in its panel', async () => {
    const { user, shown } = await setup();
    await user.click(screen.getByRole('button', { name: 'Point display' }));
    await user.click(screen.getByRole('tab', { name: 'Height' }));
    expect(shown().look.coloring).toBe('HEIGHT');
    fireEvent.change(screen.getByRole('slider', { name: 'Point size' }), { target: { value: '2' } });
    expect(shown().look.size).toBe(2);
    await user.click(screen.getByRole('switch', { name: 'Clipping box' }));
    expect(shown().look.clip).toMatchObject({ half: [3, 3, 2], pan: 10 });
    fireEvent.change(screen.getByRole('slider', { name: 'Width' }), { target: { value: '2' } });
    expect(shown().look.clip?.half).toEqual([1, 3, 2]);
    await user.click(screen.getByRole('switch', { name: 'Clipping box' }));
    expect(shown().look.clip).toBeUndefined();
  });

  it.each([
    ['No point cloud here', { clouds: { status: 200, body: [] } }],
    [
      'The point cloud is being prepared',
      { clouds: { status: 200, body: [cloud('A', { address: null, extent: null })] } },
    ],
    [
      "It look's like Scan Token has expired",
      { scans: () => ({ status: 200, body: expired }), clouds: { status: 200, body: [] } },
    ],
    [
      'You do not have access to scans',
      { clouds: { status: 403, body: { code: 'E003', message: 'No.', reference: 'r' } } },
    ],
    [
      'The point cloud Cloud A cannot be read',
      { prepare: (made: FakeCloud) => void (made.failure = new CloudUnreadable('Damaged.')) },
    ],
  ] as const)('[TOUR-14] says "%s"', async (text, given) => {
    await setup(given as Given);
    expect(await screen.findByText(text)).toBeDefined();
  });

  it('[TOUR-14] shows the expiry of the token during streaming, and continues with a new token', async () => {
    let valid = true;
    const { shown, user } = await setup({ scans: () => ({ status: 200, body: valid ? scans() : expired }) });
    valid = false;
    await act(async () => shown().emit('failed', { reason: 'The server answered 403.', refused: true }));
    expect(await screen.findByText("It look's like Scan Token has expired")).toBeDefined();
    valid = true;
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(screen.queryByText("It look's like Scan Token has expired")).toBeNull();
    expect(shown().opened).toHaveLength(2);
  });

  it.each(['an answer', 'a refused part'])('ignores %s from before the retry', async (what) => {
    let answer = (_: FakeReply): void => undefined;
    let reply: FakeReply | Promise<FakeReply> = { status: 200, body: scans() };
    const { shown, user } = await setup({ scans: () => reply });
    const refuse = () => act(async () => shown().emit('failed', { reason: 'The server answered 403.', refused: true }));
    reply = { status: 200, body: expired };
    await refuse();
    expect(await screen.findByText("It look's like Scan Token has expired")).toBeDefined();
    reply = new Promise((resolve) => (answer = resolve));
    if (what === 'an answer') {
      await refuse();
      reply = { status: 200, body: scans() };
    }
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    if (what === 'a refused part') {
      reply = { status: 200, body: scans() };
      await refuse();
    }
    await act(async () => answer({ status: 200, body: scans() }));
    expect(shown().opened).toHaveLength(2);
    expect(screen.queryByText('You do not have access to scans')).toBeNull();
  });

  it('reports missing parts and retries them', async () => {
    const { shown, user } = await setup();
    act(() => shown().emit('failed', { reason: 'A part of the point cloud is cut off.', refused: false }));
    expect(screen.getByText('Some parts of the point cloud could not be loaded.')).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(shown().retried).toBe(1);
    expect(screen.queryByText('Some parts of the point cloud could not be loaded.')).toBeNull();
  });

  it('shows an error if the first part fails to load', async () => {
    const { shown } = await setup({ prepare: (made) => void (made.points = 0) });
    act(() => {
      shown().emit('failed', { reason: 'A part of the point cloud is cut off.', refused: false });
      shown().draw();
    });
    expect(await screen.findByText('The point cloud Cloud A cannot be read')).toBeDefined();
  });

  it('appears on retry after a network failure', async () => {
    let offline = true;
    const { user, shown } = await setup({
      scans: () => {
        if (offline) throw new ConnectionLostError();
        return { status: 200, body: scans() };
      },
    });
    expect(await screen.findByText('You are offline')).toBeDefined();
    offline = false;
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(shown().opened).toHaveLength(1);
    expect(screen.queryByText('You are offline')).toBeNull();
  });

  it('announces that the view will return after the WebGL context is lost', async () => {
    const { shown } = await setup();
    act(() => shown().emit('contextLost', undefined));
    expect(screen.getByText(/graphics of this device stopped/)).toBeDefined();
    act(() => shown().emit('contextRestored', undefined));
    expect(screen.queryByText(/graphics of this device stopped/)).toBeNull();
  });
});

it('prefers the cloud that contains the eye, and the newer of two', () => {
  const away = cloud('away', {
    extent: { points: 1, minimum: [100, 0, 0], maximum: [120, 20, 5], colored: true, withIntensity: true },
  });
  expect(cloudNear([away, cloud('new'), cloud('old')], [5, 5, 1])?.uid).toBe('new');
  expect(cloudNear([cloud('new'), away], [99, 5, 1])?.uid).toBe('away');
  expect(cloudNear([], [0, 0, 0])).toBeUndefined();
});

it('hides points outside of the cloud', () => {
  const bare = cloud('bare', {
    extent: { points: 1, minimum: [0, 0, 0], maximum: [1, 1, 1], colored: false, withIntensity: false },
  });
  expect([
    chooseColoring(bare, 'RGB'),
    chooseColoring(bare, 'INTENSITY'),
    chooseColoring(cloud('A'), 'RGB'),
    chooseColoring(undefined, 'RGB'),
  ]).toEqual(['HEIGHT', 'HEIGHT', 'RGB', 'RGB']);
});
