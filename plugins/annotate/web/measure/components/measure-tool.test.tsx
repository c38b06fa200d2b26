import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { decodeViewState } from '#core';
import { BrowserStorage, Navigation } from '#core/web';
import { buildSite, FakeServer, ConnectionLostError, renderApp, type FakeHandler } from '#core/testing/web';
import type { Measurement, MeasurementInput } from '#plugins/annotate';
import { locationsWeb } from '#plugins/locations/testing/web';
import { TourStore } from '#plugins/tour';
import { buildTag, buildTour, FakeEngine, createServicesWith, tourWeb } from '#plugins/tour/testing/web';
import annotateWeb from '../../index.ts';
import { AnnotationStore } from '../../annotations/stores/annotation-store.ts';
import { MeasureStore } from '../stores/measure-store.ts';
import { buildPage } from '../../../testing/web/build-page.ts';
import { FakeSurface } from '../../../testing/web/fake-surface.ts';
import {
  clickOn,
  hoverOver,
  stubResizeObserver,
  buildSurfaceModule,
  touchDown,
} from '../../../testing/web/surface-module.tsx';

stubResizeObserver();

let surface: FakeSurface;
beforeEach(() => {
  surface = new FakeSurface();
});
afterEach(() => void vi.restoreAllMocks());

const fixture = buildSurfaceModule(() => surface);
/** A window of 600 pixels, for the queries of a maximum width. */
function stubNarrowWindow(): void {
  const { matchMedia } = window;
  vi.spyOn(window, 'matchMedia').mockImplementation((query) =>
    Object.assign(matchMedia(query), { matches: Number(/\(max-width: (\d+)px\)/.exec(query)?.[1] ?? 0) >= 600 }),
  );
}

const buildLocation = (uid: string, parent: string, locationType: string) => ({
  uid,
  label: uid,
  name: uid,
  parent,
  root: 'site',
  locationType,
});
const replyWithSaved: FakeHandler = ({ path, body }) => {
  const input = body as MeasurementInput;
  return {
    status: 200,
    body: {
      ...input,
      uid: path.split('/').at(-1) ?? '',
      location: 'lower',
      version: input.version + 1,
      author: 'Ann Lee',
      own: true,
      editable: true,
      createdAt: '2026-11-21T09:00:00Z',
      updatedAt: '2026-11-21T09:00:00Z',
    } satisfies Partial<Measurement>,
  };
};
const putPath = 'PUT /api/annotate/:location/measurements/:uid';
const deletePath = 'DELETE /api/annotate/:location/measurements/:uid';

async function setup({
  measurements = [],
  put = replyWithSaved,
}: { readonly measurements?: readonly Measurement[]; readonly put?: FakeHandler } = {}) {
  const server = new FakeServer()
    .on('GET /api/locations', {
      status: 200,
      body: [
        buildSite('site', { timeZone: 'Europe/Oslo', verticalDatum: 'NN2000' }),
        buildLocation('unit', 'site', 'PLATFORM_UNIT'),
        buildLocation('lower', 'unit', 'LOC_LEVEL'),
      ],
    })
    .on('GET /api/tour/:location', { status: 200, body: buildTour() })
    .on('PUT /api/tour/:location/visited/:node', { status: 200, body: {} })
    .on('GET /api/annotate/:location/measurements', { status: 200, body: buildPage(measurements) })
    .on('GET /api/annotate/:location/annotations', { status: 200, body: buildPage([]) })
    .on('PUT /api/me/preferences', { status: 200, body: {} })
    .on(deletePath, { status: 200, body: {} })
    .on(putPath, put);
  const renderedApp = await renderApp({
    plugins: [
      { id: 'tour', settings: {}, web: { ...tourWeb, services: createServicesWith(new FakeEngine()) }, bridges: [] },
      { id: 'locations', settings: { alphabetical: true }, web: locationsWeb, bridges: [] },
      fixture,
      { id: 'annotate', settings: {}, web: annotateWeb, bridges: [] },
    ],
    server,
    url: '/console/tour/unit',
  });
  await screen.findByRole('button', { name: 'Measure' });
  return { ...renderedApp, storage: renderedApp.core.host.root.get(BrowserStorage) };
}

async function chooseTool(user: Awaited<ReturnType<typeof setup>>['user'], name: string) {
  await user.click(screen.getByRole('button', { name: 'Measure' }));
  await user.click(await screen.findByRole('menuitemradio', { name }));
  await screen.findByRole('group', { name });
}

const openList = async (user: Awaited<ReturnType<typeof setup>>['user']) => {
  await user.click(await screen.findByRole('button', { name: /^Show measurements/ }));
  return screen.findByRole('complementary', { name: 'Measurements' });
};
const click = (x: number, y: number, elapsedMs?: number) => clickOn(surface, x, y, elapsedMs);

/** A focal length in pixels at which the precision of the click adds no uncertainty. */
const fineFocalPx = 400_000;
/** Converts a position on the wall to pixels. */
const toWallPixel = (x: number, z: number): readonly [number, number] => [
  400 + (x / 5) * surface.focal,
  300 - ((z - 1.7) / 5) * surface.focal,
];
const sentInputs = (server: FakeServer) => server.sentTo(putPath).map(({ body }) => body as MeasurementInput);
const readStatus = (name: string) => within(screen.getByRole('group', { name })).getByRole('status').textContent;

describe('measuring', () => {
  it('[TOUR-08] measures a distance from click to click, ends by a double click, and saves it', async () => {
    const { user, server } = await setup();
    await chooseTool(user, 'Distance');
    expect(readStatus('Distance')).toBe('Click the first point');
    await click(...toWallPixel(-2, 1));
    await click(...toWallPixel(0, 1));
    expect(readStatus('Distance')).toBe('2.000\u00a0±\u00a00.026\u00a0m');
    await click(...toWallPixel(0, 2.5));
    await click(...toWallPixel(0, 2.5), 100);
    await waitFor(() => expect(sentInputs(server)).toHaveLength(1));
    expect(sentInputs(server)[0]).toMatchObject({
      kind: 'DISTANCE',
      name: 'Distance 1',
      tour: 'tour-T1',
      node: 'node-N1',
      unit: 'm',
      shared: false,
      version: 0,
    });
    expect(sentInputs(server)[0]!.result.value).toBeCloseTo(3.5, 9);
    expect(sentInputs(server)[0]!.result.details['direct']).toBeCloseTo(2.5, 9);
    // The list opens only on demand, because it would cover the picture.
    expect(screen.queryByRole('complementary', { name: 'Measurements' })).toBeNull();
    const panel = await openList(user);
    expect(panel.textContent).toContain('direct 2.5');
    expect(screen.getByTestId('labels').textContent).toContain('3.5');
  });

  it('[TOUR-08] fits a pipe on one click and names its size', async () => {
    const { user, server } = await setup();
    await chooseTool(user, 'Diameter');
    await click(533, 300);
    await waitFor(() => expect(sentInputs(server)).toHaveLength(1));
    const { result } = sentInputs(server)[0]!;
    expect(result.value).toBeCloseTo(0.1683, 5);
    expect(result.details).toMatchObject({ nps: '6', dn: 150 });
    expect((await openList(user)).textContent).toContain('nearest size NPS 6 (DN 150)');
    await click(...toWallPixel(-1, 1.5));
    await waitFor(() => expect(readStatus('Diameter')).toBe('This surface is not round'));
    expect(sentInputs(server)).toHaveLength(1);
  });

  it('[TOUR-08] shows a loading message instead of "nothing hit" while the surface is loading', async () => {
    const { user, server } = await setup();
    let finishLoading = (): void => undefined;
    surface.loading = new Promise((resolve) => (finishLoading = resolve));
    await chooseTool(user, 'Diameter');
    await click(533, 300);
    await waitFor(() => expect(readStatus('Diameter')).toBe('One moment: data is still loading'));
    expect(surface.pickCount).toBe(0);
    finishLoading();
    await waitFor(() => expect(sentInputs(server)).toHaveLength(1));
    expect(sentInputs(server)[0]!.result.value).toBeCloseTo(0.1683, 5);
  });

  it('[TOUR-08] measures coordinates, an angle, a height and an area', async () => {
    const { user, server } = await setup();
    const measure = async (name: string, ...positions: readonly (readonly [number, number])[]) => {
      await chooseTool(user, name);
      for (const position of positions) await click(...toWallPixel(...position));
      if (name === 'Area') await user.click(screen.getByRole('button', { name: 'Finish' }));
      await user.click(screen.getByRole('button', { name: 'Stop measuring' }));
      return sentInputs(server).at(-1)!;
    };
    expect(
      (await measure('Coordinates', [-1.5, 1.2])).points[0]!.point.map((value) => Math.round(value * 1e6) / 1e6),
    ).toEqual([-1.5, 5, 1.2]);
    expect((await measure('Angle', [-2, 0.5], [-2, 1.5], [-1, 1.5])).result.value).toBeCloseTo(90, 9);
    expect((await measure('Height', [-2.5, 0.6], [-1.2, 2.1])).result.value).toBeCloseTo(1.5, 9);
    expect((await measure('Area', [-3, 0.2], [-1, 0.2], [-1, 0.9], [-3, 0.9])).result.value).toBeCloseTo(1.4, 9);
    expect(sentInputs(server).map(({ kind }) => kind)).toEqual(['CORDINATES', 'ANGLE', 'HEIGHT', 'AREA']);
  });

  it("[TOUR-08] shows dates in the site's time zone and the vertical datum of heights", async () => {
    const savedMeasurement: Measurement = {
      uid: 'm1',
      location: 'lower',
      kind: 'CORDINATES',
      name: 'Bolt',
      points: [{ point: [1, 2, 3], sigma: null, source: 'MODEL', edge: false }],
      result: { value: null, sigma: null, details: {} },
      unit: 'm',
      tour: 'tour-T1',
      node: 'node-N1',
      view: null,
      shared: true,
      version: 1,
      author: 'Ann Lee',
      own: false,
      editable: false,
      createdAt: '2026-06-21T22:30:00Z',
      updatedAt: '2026-06-21T22:30:00Z',
    };
    const { user } = await setup({
      measurements: [savedMeasurement, { ...savedMeasurement, uid: 'm2', kind: 'HEIGHT', name: 'Rail' }],
    });
    await chooseTool(user, 'Distance');
    const [bolt, rail] = within(await openList(user)).getAllByRole('listitem');
    expect(within(bolt!).queryByRole('button', { name: 'Rename' })).toBeNull();
    expect(bolt!.textContent).toContain('Only Ann Lee and people with the configure right can edit it.');
    expect(bolt!.textContent).toMatch(/Vertical datum NN2000.*Jun 22, 2026, 12:30 AM GMT\+2/);
    expect(rail!.textContent).not.toContain('datum');
  });

  /** Measures the coordinates of a point on the wall and then chooses the distance tool. */
  const setupWithPoint = async ({
    focal,
    at = [-0.2, 1.6],
  }: {
    readonly focal: number;
    readonly at?: readonly [number, number];
  }) => {
    const renderedApp = await setup();
    surface.focal = focal;
    await chooseTool(renderedApp.user, 'Coordinates');
    const pixel = toWallPixel(...at);
    await click(...pixel);
    await renderedApp.user.click(screen.getByRole('button', { name: 'Stop measuring' }));
    await chooseTool(renderedApp.user, 'Distance');
    return { ...renderedApp, pixel };
  };
  const measureFirstPoint = async (server: FakeServer, [x, y]: readonly [number, number]) => {
    await click(x + 200, y);
    fireEvent.click(screen.getByRole('button', { name: 'Finish' }));
    await waitFor(() => expect(sentInputs(server).at(-1)?.kind).toBe('DISTANCE'));
    return sentInputs(server).at(-1)!.points[0]!.point;
  };
  const findSnapMark = () => screen.queryByTestId('snap-mark');

  it('[TOUR-08] snaps to a measured point within twelve pixels and not beyond', async () => {
    const { server, pixel } = await setupWithPoint({ focal: 4000 });
    const [x, y] = pixel;
    await click(x + 8, y + 7);
    expect(await measureFirstPoint(server, pixel)).toEqual(sentInputs(server)[0]!.points[0]!.point);
    const { pickCount } = surface;
    await click(x + 13, y);
    expect(surface.pickCount).toBe(pickCount + 1);
  });

  it('[TOUR-24] does not snap beyond three centimetres, even within twelve pixels', async () => {
    // A pixel covers 12.5 mm of the wall, so eight pixels cover a decimetre.
    const { server, pixel } = await setupWithPoint({ focal: 400 });
    const [x, y] = pixel;
    await hoverOver(surface, x + 2, y);
    expect(findSnapMark()).not.toBeNull();
    await hoverOver(surface, x + 8, y + 7);
    expect(findSnapMark()).toBeNull();
    await click(x + 8, y + 7);
    expect(await measureFirstPoint(server, pixel)).not.toEqual(sentInputs(server)[0]!.points[0]!.point);
  });

  it('[TOUR-24] announces before the click that it will snap to an earlier point, and confirms it afterwards', async () => {
    const { pixel } = await setupWithPoint({ focal: 4000 });
    const [x, y] = pixel;
    const bar = screen.getByRole('group', { name: 'Distance' });
    await hoverOver(surface, x + 60, y);
    expect(findSnapMark()).toBeNull();
    await hoverOver(surface, x + 8, y);
    expect(findSnapMark()?.textContent).toBe('Snaps here');
    expect(bar.textContent).toContain('hold Shift');
    fireEvent.keyDown(document.body, { key: 'Shift' });
    await waitFor(() => expect(findSnapMark()).toBeNull());
    fireEvent.keyUp(document.body, { key: 'Shift' });
    await waitFor(() => expect(findSnapMark()).not.toBeNull());
    await click(x + 8, y);
    expect(bar.textContent).toContain('Snapped to the marked point');
    expect(findSnapMark()).toBeNull();
  });

  it('[TOUR-24] uses the point under the pointer while Shift is pressed', async () => {
    const { server, pixel } = await setupWithPoint({ focal: 4000 });
    const [x, y] = pixel;
    await clickOn(surface, x + 8, y, 1000, { shiftKey: true });
    expect(await measureFirstPoint(server, pixel)).not.toEqual(sentInputs(server)[0]!.points[0]!.point);
  });

  it('[TOUR-24] shows the snap target under a finger, and does not snap if snapping is off', async () => {
    const { server, pixel, user } = await setupWithPoint({ focal: 4000 });
    const [x, y] = pixel;
    await touchDown(surface, x + 8, y);
    expect(findSnapMark()).not.toBeNull();
    const snap = screen.getByRole('button', { name: 'Snap to points' });
    expect(snap.getAttribute('aria-pressed')).toBe('true');
    await user.click(snap);
    expect(snap.getAttribute('aria-pressed')).toBe('false');
    await clickOn(surface, x + 8, y, 1000, { pointerType: 'touch' });
    expect(await measureFirstPoint(server, pixel)).not.toEqual(sentInputs(server)[0]!.points[0]!.point);
  });

  it('[TOUR-24] shows the snap target of the crosshair before Enter is pressed', async () => {
    await setupWithPoint({ focal: 4000, at: [0, 1.7] });
    fireEvent.keyDown(document.body, { key: 'ArrowLeft' });
    await waitFor(() => expect(findSnapMark()).not.toBeNull());
    fireEvent.keyDown(document.body, { key: 'Shift' });
    await waitFor(() => expect(findSnapMark()).toBeNull());
  });

  it('[TOUR-24] shows a larger uncertainty if a click covers a larger area', async () => {
    const { user } = await setup();
    await chooseTool(user, 'Distance');
    await click(...toWallPixel(-2, 1));
    await click(...toWallPixel(0, 1));
    // A pixel covers 12.5 mm of the wall, and each click is imprecise by 1.5 pixels.
    expect(readStatus('Distance')).toMatch(/^2\.000\u00a0±\u00a00\.0(2[6-9]|3)/);
  });

  it('[TOUR-08] does not snap to a hidden point', async () => {
    const { user, server } = await setup();
    await chooseTool(user, 'Coordinates');
    await click(...toWallPixel(-2, 1));
    await user.click(screen.getByRole('button', { name: 'Coordinates' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Hide in the image' }));
    const [x, y] = toWallPixel(-2, 1);
    await click(x + 2, y);
    expect(surface.pickCount).toBe(2);
    expect(sentInputs(server)).toHaveLength(2);
    expect(sentInputs(server)[1]!.points[0]!.point).not.toEqual(sentInputs(server)[0]!.points[0]!.point);
  });

  it('[TOUR-08] [TOUR-21] reports a view without depth, and continues in another module with the same tool', async () => {
    const { user } = await setup();
    surface.depth = false;
    await chooseTool(user, 'Distance');
    await click(...toWallPixel(-1, 1));
    expect([readStatus('Distance'), surface.pickCount]).toEqual(['The depth of this view is unknown', 0]);
    surface.depth = true;
    await user.click(screen.getByRole('button', { name: 'Continue in Other view' }));
    await screen.findByText('The other module');
    expect(readStatus('Distance')).toBe('Click the first point');
    expect(screen.queryByRole('button', { name: /^Continue/ })).toBeNull();
  });

  it('[TOUR-21] measures and annotates from the panel of a tag, a line by its diameter', async () => {
    const { user, server, core } = await setup();
    const pipe = { service: 'PG', nps: '6', outsideDiameter: 0.1683, from: 'A', to: 'B' };
    server.on('GET /api/tour/:location/tags/:number', ({ path }) => ({
      status: 200,
      body: buildTag(path.endsWith('V-101') ? 'V-101' : 'L-1', path.endsWith('V-101') ? {} : { type: 'LINE', pipe }),
    }));
    const store = await core.host.getService('tour', TourStore);
    await act(() => store.selectTag('V-101'));
    const panel = within(await screen.findByRole('complementary', { name: 'V-101' }));
    await user.click(await panel.findByRole('button', { name: 'Measure' }));
    expect(await screen.findByRole('group', { name: 'Distance' })).toBeDefined();
    await user.click(panel.getByRole('button', { name: 'Annotate' }));
    expect(await screen.findByRole('group', { name: 'Text label' })).toBeDefined();
    expect(screen.queryByRole('group', { name: 'Distance' })).toBeNull();
    await act(() => store.selectTag('L-1'));
    const linePanel = within(await screen.findByRole('complementary', { name: 'L-1' }));
    await user.click(await linePanel.findByRole('button', { name: 'Measure' }));
    expect(await screen.findByRole('group', { name: 'Diameter' })).toBeDefined();
  });

  it.each([false, true])(
    '[TOUR-21] keeps the focus after a tool that started from the panel of a tag by keyboard (narrow: %s)',
    async (narrow) => {
      const { user, server, core } = await setup();
      server.on('GET /api/tour/:location/tags/:number', { status: 200, body: buildTag('V-101') });
      const store = await core.host.getService('tour', TourStore);
      await act(() => store.selectTag('V-101'));
      const panel = within(await screen.findByRole('complementary', { name: 'V-101' }));
      const button = await panel.findByRole('button', { name: 'Measure' });
      act(() => button.focus());
      if (narrow) stubNarrowWindow();
      await user.keyboard('{Enter}');
      await waitFor(() => expect(document.activeElement).toBe(surface.host));
      // On a narrow window, the panel has closed.
      expect(button.isConnected).toBe(!narrow);
      act(() => screen.getByRole('button', { name: 'Stop measuring' }).focus());
      await user.keyboard('{Enter}');
      expect(screen.queryByRole('group', { name: 'Distance' })).toBeNull();
      expect(document.activeElement).toBe(narrow ? surface.host : button);
    },
  );

  it('[TOUR-21] shows hidden marks again when a tool starts from the panel of a tag', async () => {
    const { user, server, core } = await setup();
    server.on('GET /api/tour/:location/tags/:number', { status: 200, body: buildTag('V-101') });
    const store = await core.host.getService('tour', TourStore);
    await act(() => store.selectTag('V-101'));
    const panel = within(await screen.findByRole('complementary', { name: 'V-101' }));
    const stores = [
      ['Measure', await core.host.getService('annotate', MeasureStore)],
      ['Annotate', await core.host.getService('annotate', AnnotationStore)],
    ] as const;
    for (const [name, items] of stores) {
      act(() => items.setOverlayVisible(false));
      await user.click(await panel.findByRole('button', { name }));
      expect(items.overlayVisible).toBe(true);
    }
  });

  it('[TOUR-12] ignores a click during the transition to another picture', async () => {
    const { user } = await setup();
    await chooseTool(user, 'Distance');
    surface.moving = true;
    await click(...toWallPixel(-1, 1));
    expect([readStatus('Distance'), surface.pickCount]).toEqual(['Click the first point', 0]);
    surface.moving = false;
    await click(...toWallPixel(-1, 1));
    expect(readStatus('Distance')).not.toBe('Click the first point');
  });

  it('[TOUR-21] reports on a click that the view has no depth', async () => {
    const { user } = await setup();
    await chooseTool(user, 'Distance');
    surface.pick = async () => {
      surface.depth = false;
      return undefined;
    };
    await click(...toWallPixel(-1, 1));
    await waitFor(() => expect(readStatus('Distance')).toBe('The depth of this view is unknown'));
  });

  it('[TOUR-08] clears the error of a click on the next click', async () => {
    const { user } = await setup();
    await chooseTool(user, 'Diameter');
    await click(...toWallPixel(-1, 1.5));
    await waitFor(() => expect(readStatus('Diameter')).toBe('This surface is not round'));
    surface.loading = new Promise(() => undefined);
    await click(533, 300);
    expect(readStatus('Diameter')).toBe('Click a pipe');
  });

  it('[TOUR-08] removes a point, steps back on Escape, and reports a click without a surface', async () => {
    const { user, server } = await setup();
    await chooseTool(user, 'Distance');
    await click(400, 20);
    expect(readStatus('Distance')).toBe('There is nothing to measure here');
    await click(...toWallPixel(-2, 1));
    await click(...toWallPixel(-1, 1));
    fireEvent.keyDown(document.body, { key: 'z', ctrlKey: true });
    await click(...toWallPixel(-2, 2));
    expect(readStatus('Distance')).toContain('1.000\u00a0±');
    fireEvent.keyDown(document.body, { key: 'Escape' });
    expect(readStatus('Distance')).toBe('Click the first point');
    fireEvent.keyDown(document.body, { key: 'Escape' });
    expect(screen.queryByRole('group', { name: 'Distance' })).toBeNull();
    await click(...toWallPixel(-2, 1));
    expect(sentInputs(server)).toHaveLength(0);
  });

  it('[TOUR-08] measures with the keyboard by a crosshair in the middle', async () => {
    const { user, server } = await setup();
    await chooseTool(user, 'Coordinates');
    fireEvent.keyDown(document.body, { key: 'ArrowLeft' });
    fireEvent.keyDown(document.body, { key: 'Enter' });
    await waitFor(() => expect(sentInputs(server)).toHaveLength(1));
    expect(sentInputs(server)[0]!.points[0]!.point).toEqual([0, 5, 1.7]);
  });

  it('[TOUR-08] moves the focus to the picture and names the keys if a tool was chosen by keyboard', async () => {
    const { user, server } = await setup();
    const button = screen.getByRole('button', { name: 'Measure' });
    act(() => button.focus());
    await user.keyboard('{Enter}');
    const item = await screen.findByRole('menuitemradio', { name: 'Distance' });
    act(() => item.focus());
    await user.keyboard('{Enter}');
    await waitFor(() => expect(document.activeElement).toBe(surface.host));
    expect(readStatus('Distance')).toBe('Arrow keys move the crosshair, Enter sets the first point');
    await user.keyboard('{Enter}');
    expect(readStatus('Distance')).toBe('Arrow keys move the crosshair, Enter sets the next point');
    // Escape removes the point and then ends the tool.
    await user.keyboard('{Escape}');
    expect(document.activeElement).toBe(surface.host);
    await user.keyboard('{Escape}');
    expect(screen.queryByRole('group', { name: 'Distance' })).toBeNull();
    expect(document.activeElement).toBe(button);
    expect(sentInputs(server)).toHaveLength(0);
  });

  it('[TOUR-08] ignores repeats of the Enter key that chose the tool', async () => {
    const { user } = await setup();
    await chooseTool(user, 'Distance');
    await act(async () => void fireEvent.keyDown(document.body, { key: 'Enter', repeat: true }));
    expect(readStatus('Distance')).toBe('Click the first point');
    await act(async () => void fireEvent.keyDown(document.body, { key: 'Enter' }));
    expect(readStatus('Distance')).toBe('Arrow keys move the crosshair, Enter sets the next point');
  });

  it('[TOUR-08] describes the controls of the input device that was used last, and does not move the focus for a mouse', async () => {
    const { user } = await setup();
    await chooseTool(user, 'Height');
    expect(document.activeElement).not.toBe(surface.host);
    expect(readStatus('Height')).toBe('Click the first point');
    await touchDown(surface, 100, 100);
    expect(readStatus('Height')).toBe('Tap the first point');
    fireEvent.keyDown(document.body, { key: 'ArrowLeft' });
    expect(readStatus('Height')).toBe('Arrow keys move the crosshair, Enter sets the first point');
    await click(...toWallPixel(-2, 1));
    await user.click(screen.getByRole('button', { name: 'Undo point' }));
    expect(readStatus('Height')).toBe('Click the first point');
  });

  it('[TOUR-08] asks before the tour is left or reloaded while points are set, and not afterwards', async () => {
    const { user, core } = await setup();
    const isReloadAllowed = (): boolean => window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
    await chooseTool(user, 'Distance');
    expect(isReloadAllowed()).toBe(true);
    await click(...toWallPixel(-2, 1));
    await click(...toWallPixel(0, 1));
    expect(isReloadAllowed()).toBe(false);
    act(() => core.host.root.get(Navigation).goToUrl('/console/home'));
    await user.click(await screen.findByRole('button', { name: 'Stay' }));
    expect(readStatus('Distance')).toContain('2.000');
    await user.click(screen.getByRole('button', { name: 'Finish' }));
    expect(isReloadAllowed()).toBe(true);
  });

  it('[TOUR-08] keeps the points without a question when the module or the viewpoint changes', async () => {
    const { user, core } = await setup();
    const store = await core.host.getService('tour', TourStore);
    const { measurementDraft } = await core.host.getService('annotate', MeasureStore);
    await chooseTool(user, 'Distance');
    await click(...toWallPixel(-2, 1));
    await click(...toWallPixel(0, 1));
    const { points } = measurementDraft;
    expect(points).toHaveLength(2);
    const expectNoQuestion = (): void => {
      expect(screen.queryByRole('button', { name: 'Stay', hidden: true })).toBeNull();
      expect(measurementDraft.points).toBe(points);
      expect(readStatus('Distance')).toContain('2.000');
    };
    await user.click(screen.getByRole('button', { name: 'Other view' }));
    await screen.findByText('The other module');
    await waitFor(() => expect(decodeViewState(window.location.search)).toMatchObject({ module: 'fixture.other' }));
    expectNoQuestion();
    await user.click(screen.getByRole('button', { name: 'Scan view' }));
    await waitFor(() => expect(screen.queryByText('The other module')).toBeNull());
    expectNoQuestion();
    act(() => store.goTo('node-N2'));
    // A question would be asked when the address changes.
    await waitFor(() =>
      expect(decodeViewState(window.location.search)).toMatchObject({ module: 'fixture.scan', node: 'N2' }),
    );
    expectNoQuestion();
  });

  it('keeps the points if Escape is pressed while a dialog is open', async () => {
    const { user } = await setup();
    await chooseTool(user, 'Distance');
    await click(...toWallPixel(-2, 1));
    await click(...toWallPixel(0, 1));
    const dialog = document.body.appendChild(document.createElement('div'));
    dialog.setAttribute('aria-modal', 'true');
    await user.keyboard('{Escape}');
    expect(readStatus('Distance')).toContain('2.000');
    dialog.remove();
    await user.keyboard('{Escape}');
    expect(readStatus('Distance')).not.toContain('2.000');
  });

  it('[TOUR-10] shows any of the seven units and remembers the choice', async () => {
    const { user, server } = await setup();
    surface.focal = fineFocalPx;
    await chooseTool(user, 'Distance');
    await click(...toWallPixel(-2, 1));
    await click(...toWallPixel(0, 1));
    const unit = within(screen.getByRole('group', { name: 'Distance' })).getByRole('combobox', {
      name: 'Unit of length',
    });
    const readings: string[] = [];
    for (const option of ['m', 'cm', 'mm', 'ft', 'in', 'yd', 'ftUS']) {
      await user.selectOptions(unit, option);
      readings.push(readStatus('Distance')!.replaceAll('\u00a0', ' '));
    }
    expect(readings).toEqual([
      '2.0000 ± 0.0028 m',
      '200.00 ± 0.28 cm',
      '2,000.0 ± 2.8 mm',
      '6.5617 ± 0.0093 ft',
      '78.74 ± 0.11 in',
      '2.1872 ± 0.0031 yd',
      '6.5617 ± 0.0093 US survey ft',
    ]);
    expect(server.sentTo('PUT /api/me/preferences').at(-1)!.body).toMatchObject({ lengthUnit: 'ftUS' });
  });

  it('[TOUR-08] shows a measurement as unsaved while the server is unreachable, and sends it afterwards', async () => {
    let offline = true;
    const put: FakeHandler = (request) => {
      if (offline) throw new ConnectionLostError();
      return replyWithSaved(request);
    };
    const { user, server, storage } = await setup({ put });
    await chooseTool(user, 'Coordinates');
    await click(...toWallPixel(-2, 1));
    const firstNote = await screen.findByRole('button', { name: '1 item not saved yet' });
    // A button in a status would be announced as a status.
    expect(firstNote.closest('[role="status"]')).toBeNull();
    expect(screen.getByText('1 item not saved yet', { selector: '[role="status"]' })).toBeDefined();
    await click(...toWallPixel(-1, 1));
    await user.click(screen.getByRole('button', { name: 'Stop measuring' }));
    // The note does not depend on a tool or a list, and opens the list.
    const note = await screen.findByRole('button', { name: '2 items not saved yet' });
    await user.click(note);
    const panel = await screen.findByRole('complementary', { name: 'Measurements' });
    expect(within(panel).getAllByText('Not saved yet')).toHaveLength(2);
    expect(storage.get<readonly unknown[]>('annotate.outbox')).toHaveLength(2);
    offline = false;
    await act(async () => void window.dispatchEvent(new Event('online')));
    await waitFor(() => expect(screen.queryByText(/not saved yet/i)).toBeNull());
    expect(storage.get('annotate.outbox')).toBeUndefined();
    const uids = new Set(server.sentTo(putPath).map(({ path }) => path));
    expect(uids.size).toBe(2);
  });

  it("[TOUR-08] offers a choice between the own and another person's version on a conflict", async () => {
    const savedMeasurement: Measurement = {
      uid: '00000000-0000-4000-8000-000000000001',
      location: 'lower',
      kind: 'HEIGHT',
      name: 'Clearance',
      points: [
        { point: [0, 5, 1], sigma: null, source: 'MODEL', edge: false },
        { point: [0, 5, 3], sigma: null, source: 'MODEL', edge: false },
      ],
      result: { value: 2, sigma: null, details: { horizontal: 0 } },
      unit: 'm',
      tour: 'tour-T1',
      node: 'node-N1',
      view: null,
      shared: true,
      version: 4,
      author: 'Ben Osei',
      own: false,
      editable: true,
      createdAt: '2026-11-20T09:00:00Z',
      updatedAt: '2026-11-20T09:00:00Z',
    };
    let savedVersion = 5;
    const { user, server } = await setup({
      measurements: [savedMeasurement],
      put: (request) =>
        (request.body as MeasurementInput).version === savedVersion
          ? replyWithSaved(request)
          : {
              status: 409,
              body: {
                code: 'E007',
                message: 'Changed.',
                reference: 'r',
                current: { ...savedMeasurement, name: 'Headroom', version: savedVersion },
              },
            },
    });
    await user.click(screen.getByRole('button', { name: 'Measure' }));
    await user.click(await screen.findByRole('menuitem', { name: /Show measurements/ }));
    const rename = async (name: string) => {
      await user.click(screen.getByRole('button', { name: 'Rename' }));
      await user.clear(screen.getByRole('textbox', { name: 'Name' }));
      await user.type(screen.getByRole('textbox', { name: 'Name' }), `${name}{Enter}`);
    };
    expect(screen.queryByRole('switch', { name: 'Shared' })).toBeNull();
    await rename('Mine');
    expect(await screen.findByText('Someone else has saved it as “Headroom”.')).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Keep mine' }));
    await waitFor(() => expect(sentInputs(server).at(-1)).toMatchObject({ name: 'Mine', version: 5 }));
    savedVersion = 9;
    await rename('Mine again');
    await user.click(await screen.findByRole('button', { name: 'Take theirs' }));
    expect(screen.getByRole('button', { name: 'Headroom' })).toBeDefined();
  });

  it('[TOUR-08] deletes and restores a measurement', async () => {
    const { user, server } = await setup();
    await chooseTool(user, 'Coordinates');
    await click(...toWallPixel(-2, 1));
    await openList(user);
    await user.click(await screen.findByRole('button', { name: 'Delete' }));
    expect(await screen.findByText('Coordinates 1 was deleted')).toBeDefined();
    await waitFor(() => expect(server.sentTo(deletePath)).toHaveLength(1));
    expect(screen.queryByRole('button', { name: 'Coordinates 1' })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Undo' }));
    expect(await screen.findByRole('button', { name: 'Coordinates 1' })).toBeDefined();
    await waitFor(() => expect(sentInputs(server)).toHaveLength(2));
  });
});
