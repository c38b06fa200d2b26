import { act, screen, waitFor } from '@testing-library/react';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { FakeServer, ConnectionLostError, renderScreen } from '#core/testing/web';
import { TourStore, TourTools, type OpenedTour, type TagPin } from '#plugins/tour';
import { buildNode, buildTag, buildTour, FakeEngine, createServicesWith, tourWeb } from '#plugins/tour/testing/web';
import vrWeb from '../index.ts';
import { dwellMs } from '../viewer/hover-navigation.ts';
import { PanoramaChoices } from '../stores/panorama-choices.ts';
import PanoramaModule from './panorama-module.tsx';

const pins: readonly TagPin[] = [
  { number: 'V-101', type: 'TAG', kind: 'VESSEL', description: 'Separator', pan: 30, tilt: 2, distance: 3 },
  { number: 'PT-1', type: 'TAG', kind: 'INSTRUMENT', description: 'Pressure', pan: 60, tilt: 2, distance: 5 },
];

async function setup({
  tour = buildTour(),
  hoverNavigation = false,
  engine = new FakeEngine(),
  server = new FakeServer(),
}: { tour?: OpenedTour; hoverNavigation?: boolean; engine?: FakeEngine; server?: FakeServer } = {}) {
  server
    .on('GET /api/tour/:location', { status: 200, body: tour })
    .on('PUT /api/tour/:location/visited/:node', { status: 200, body: {} })
    .on('GET /api/tour/:location/nodes/:node/tags', { status: 200, body: pins })
    .on('GET /api/tour/:location/tags/:number', { status: 200, body: buildTag('V-101') });
  const plugins = [
    { id: 'tour', settings: {}, web: { ...tourWeb, services: createServicesWith(engine) }, bridges: [] },
    { id: 'vr', settings: { hoverNavigation }, web: vrWeb, bridges: [] },
  ];
  const rendered = await renderScreen(<PanoramaModule />, { plugins, plugin: 'vr', server });
  const { host } = rendered.core;
  const [store, tools, choices] = await Promise.all([
    host.getService('vr', TourStore),
    host.getService('vr', TourTools),
    host.getService('vr', PanoramaChoices),
  ]);
  await act(async () => {
    await store.open('unit');
  });
  return { ...rendered, store, tools, choices, engine, hostElement: rendered.container.querySelector('div')! };
}

/** Builds a tour whose first node has one earlier capture. */
const buildTourWithEarlierCapture = (): OpenedTour => {
  const tour = buildTour();
  const [first, ...others] = tour.nodes;
  const picture = first!.picture!;
  return {
    ...tour,
    nodes: [
      {
        ...first!,
        captures: [
          {
            capturedAt: '2025-01-05T08:00:00.000Z',
            day: '2025-01-05',
            heading: 0,
            picture: { ...picture, id: 'earlier-N1' },
          },
        ],
      },
      ...others,
    ],
  };
};

const findPin = (engine: FakeEngine, part: string) => engine.pins.find((pin) => pin.label.includes(part));

describe('PanoramaModule', () => {
  const consoleError = vi.spyOn(console, 'error');
  afterAll(() => consoleError.mockRestore());

  // This is the first test, because the services are loaded once.
  it('loads its services without a React warning', async () => {
    await setup();
    expect(consoleError.mock.calls).toEqual([]);
  });

  it('shows the start node with pins for hotspots and tags', async () => {
    const { engine } = await setup();
    expect(engine.shownPictures).toEqual([
      { id: 'picture-N1', transition: 'fade', view: { pan: 10, tilt: -5, fov: 75 } },
    ]);
    expect(engine.preloadedPictures).toEqual(['picture-N2']);
    expect(engine.pins.map((pin) => pin.label)).toEqual(['Go to Pump row', 'V-101, Separator', 'PT-1, Pressure']);
    expect(findPin(engine, 'Pump row')).toMatchObject({ pan: 90, tilt: -20 });
  });

  it('[TOUR-12] walks to the node of a hotspot in the same direction', async () => {
    const { engine, store } = await setup();
    engine.setView({ pan: 200, tilt: 3 });
    await act(async () => findPin(engine, 'Pump row')?.onActivate());
    expect(store.currentNode?.code).toBe('N2');
    expect(engine.shownPictures.at(-1)).toEqual({ id: 'picture-N2', transition: 'walk', view: undefined });
    expect(engine.view).toMatchObject({ pan: 200, tilt: 3 });
    expect(engine.pins.map((pin) => pin.label)).toEqual(
      expect.arrayContaining(['Go to Separator area, visited', 'Go to Upper walkway']),
    );
    expect(engine.preloadedPictures).toEqual(['picture-N1', 'picture-N3']);
  });

  it('[TOUR-05] follows the view of a secondary module without changing its author', async () => {
    const { engine, tools } = await setup();
    act(() => tools.setView({ pan: 311, tilt: -7.5, fov: 41 }, 'scan.module'));
    expect(engine.view).toEqual({ pan: 311, tilt: -7.5, fov: 41 });
    expect(tools.viewAuthor).toBe('scan.module');
    act(() => engine.setView({ pan: 12 }));
    expect(tools).toMatchObject({ viewAuthor: 'vr.module', view: { pan: 12, tilt: -7.5, fov: 41 } });
  });

  it('fades to a node without a hotspot', async () => {
    const { engine, store } = await setup();
    await act(async () => store.goTo('node-N3'));
    expect(engine.shownPictures.at(-1)).toMatchObject({ id: 'picture-N3', transition: 'fade' });
  });

  it.each([
    [true, 'N2'],
    [false, 'N1'],
  ])(
    '[PRO-08] [TOUR-12] with hover navigation %s, shows node %s after the pointer rests on a hotspot',
    async (hoverNavigation, node) => {
      const { engine, store } = await setup({ hoverNavigation });
      vi.useFakeTimers();
      try {
        await act(async () => {
          window.dispatchEvent(new Event('pointermove'));
          engine.pins[0]?.onHover?.(true);
          await vi.advanceTimersByTimeAsync(2 * dwellMs);
        });
        // The pointer must move before, because a pointer that rests after a walk is ignored.
        expect(store.currentNode?.code).toBe('N1');
        await act(async () => {
          for (const element of document.querySelectorAll('div'))
            element.dispatchEvent(Object.assign(new Event('pointermove'), { movementX: 3, movementY: 0 }));
          await vi.advanceTimersByTimeAsync(2 * dwellMs);
        });
      } finally {
        vi.useRealTimers();
      }
      expect(store.currentNode?.code).toBe(node);
    },
  );

  it('shows only the selected tag while tags are hidden', async () => {
    const { engine, store, choices } = await setup();
    await act(async () => findPin(engine, 'V-101')?.onActivate());
    expect(store.selectedTag?.number).toBe('V-101');
    const selectedClassName = findPin(engine, 'V-101')?.className;
    expect(selectedClassName).not.toBe(findPin(engine, 'PT-1')?.className);
    await act(async () => choices.setShowsTags(false));
    expect(engine.pins.map((pin) => pin.label)).toEqual(['Go to Pump row', 'V-101, Separator']);
  });

  it('[TOUR-05] turns to a requested view and reports its view', async () => {
    const { engine, tools } = await setup();
    await act(async () => tools.look({ pan: 77, tilt: 9 }, true));
    expect(engine.turns).toEqual([expect.objectContaining({ pan: 77, tilt: 9 })]);
    expect(tools.view).toMatchObject({ pan: 77, tilt: 9 });
    await act(async () => tools.look({ fov: 30 }, false));
    expect(tools.view).toMatchObject({ pan: 77, fov: 30 });
  });

  it('[TOUR-15:background] reports a failed picture and retries', async () => {
    const engine = new FakeEngine();
    engine.failingPictures.add('picture-N1');
    const { user } = await setup({ engine });
    expect(screen.getByText('Failed to Retrieve Data')).toBeDefined();
    expect(screen.getByText('Try again after sometime')).toBeDefined();
    engine.failingPictures.clear();
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(engine.shownPictures).toHaveLength(2);
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('stays at the current node if the requested node cannot be loaded, and names both nodes', async () => {
    const engine = new FakeEngine();
    engine.failingPictures.add('picture-N2');
    const { store, user } = await setup({ engine });
    await act(async () => store.goTo('node-N2'));
    expect(store.currentNode?.code).toBe('N1');
    expect(engine.pins.map(({ label }) => label)).toContain('Go to Pump row, visited');
    const message = /^Pump row could not be loaded\. You are still at Separator area\.$/;
    expect(screen.getByText(message)).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect([store.currentNode?.code, screen.queryByText(message) !== null]).toEqual(['N1', true]);
    await user.click(screen.getByRole('button', { name: 'Close' }));
    expect(screen.queryByText(message)).toBeNull();
    await act(async () => store.goTo('node-N2'));
    engine.failingPictures.clear();
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect([store.currentNode?.code, screen.queryByText(message)]).toEqual(['N2', null]);
  });

  it('shows the latest date, or the date in the URL', async () => {
    const { engine, store } = await setup({ tour: buildTourWithEarlierCapture() });
    expect(engine.shownPictures.at(-1)?.id).toBe('picture-N1');
    await act(async () => store.setLayer('date', '2025-01-05'));
    expect(engine.shownPictures.at(-1)).toMatchObject({ id: 'earlier-N1', transition: 'fade' });
    expect(engine.pins.map((pin) => pin.label)).toContain('Go to Pump row');
    // The next node has no panorama of that day.
    await act(async () => store.goTo('node-N2'));
    expect(engine.shownPictures.at(-1)?.id).toBe('picture-N2');
    await act(async () => store.goTo('node-N1'));
    expect(engine.shownPictures.at(-1)?.id).toBe('earlier-N1');
  });

  it('compares two dates by a slider with the keyboard', async () => {
    const { engine, store, user } = await setup({ tour: buildTourWithEarlierCapture() });
    expect(screen.queryByRole('slider')).toBeNull();
    await act(async () => store.setLayer('compare', '2025-01-05~30'));
    expect(engine.comparison).toEqual({ id: 'earlier-N1', fraction: 0.3 });
    expect(engine.shownPictures.at(-1)?.id).toBe('picture-N1');
    const slider = screen.getByRole('slider', { name: /older image/ });
    expect(slider.getAttribute('aria-valuenow')).toBe('30');
    slider.focus();
    await user.keyboard('{ArrowRight}');
    expect(engine.comparison?.fraction).toBeCloseTo(0.32, 9);
    expect(store.layers['compare']).toBe('2025-01-05~32');
    await user.keyboard('{End}{ArrowRight}');
    expect(store.layers['compare']).toBe('2025-01-05~100');
    await user.keyboard('{Home}{PageUp}');
    expect(slider.getAttribute('aria-valuetext')).toMatch(/^10 % /);
    await act(async () => store.goTo('node-N2'));
    expect(engine.comparison).toBeUndefined();
    expect(screen.queryByRole('slider')).toBeNull();
    await act(async () => store.goTo('node-N1'));
    expect(engine.comparison?.id).toBe('earlier-N1');
    await act(async () => store.setLayer('compare', undefined));
    expect(engine.comparison).toBeUndefined();
  });

  it.each([true, false])(
    'restores the controls after a comparison as they were before (hidden: %s)',
    async (hidden) => {
      const { store } = await setup({ tour: buildTourWithEarlierCapture() });
      act(() => store.setToolbarHidden(hidden));
      await act(async () => store.setLayer('compare', '2025-01-05~30'));
      expect(store.toolbarHidden).toBe(true);
      await act(async () => store.setLayer('compare', undefined));
      expect(store.toolbarHidden).toBe(hidden);
    },
  );

  it('ends a comparison on Escape, even if a tooltip also handles the key', async () => {
    const { engine, store, user } = await setup({ tour: buildTourWithEarlierCapture() });
    await act(async () => store.setLayer('compare', '2025-01-05~30'));
    expect(engine.comparison?.id).toBe('earlier-N1');
    const hideTooltip = (event: Event) => event.preventDefault();
    document.addEventListener('keydown', hideTooltip, { capture: true, once: true });
    await user.keyboard('{Escape}');
    expect(engine.comparison).toBeUndefined();
  });

  it('moves the border of a comparison with the pointer', async () => {
    const { container, store } = await setup({ tour: buildTourWithEarlierCapture() });
    await act(async () => store.setLayer('compare', '2025-01-05~50'));
    const slider = screen.getByRole('slider');
    for (const element of container.querySelectorAll('div'))
      element.getBoundingClientRect = () => new DOMRect(100, 0, 800, 600);
    let isCaptured = false;
    slider.setPointerCapture = () => void (isCaptured = true);
    slider.hasPointerCapture = () => isCaptured;
    const dispatchPointer = (type: string, clientX: number) =>
      act(
        async () =>
          void slider.dispatchEvent(Object.assign(new MouseEvent(type, { bubbles: true, clientX }), { pointerId: 1 })),
      );
    await dispatchPointer('pointermove', 300);
    expect(store.layers['compare']).toBe('2025-01-05~50');
    await dispatchPointer('pointerdown', 500);
    await dispatchPointer('pointermove', 300);
    expect(store.layers['compare']).toBe('2025-01-05~25');
    await dispatchPointer('pointermove', 5000);
    expect(store.layers['compare']).toBe('2025-01-05~100');
  });

  it('reports a failed older picture of a comparison and retries', async () => {
    const engine = new FakeEngine();
    engine.failingPictures.add('earlier-N1');
    const { store, user } = await setup({ engine, tour: buildTourWithEarlierCapture() });
    await act(async () => store.setLayer('compare', '2025-01-05~50'));
    expect(screen.getByRole('alert').textContent).toContain('could not be loaded');
    engine.failingPictures.clear();
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(engine.comparison?.id).toBe('earlier-N1');
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('reports a node without a picture', async () => {
    await setup({ tour: buildTour({ nodes: [buildNode('N1', { name: 'New place', picture: null })] }) });
    expect(screen.getByText('New place has no image yet')).toBeDefined();
  });

  it('shows hotspots if tags cannot be loaded, and the tags once the connection returns', async () => {
    const server = new FakeServer();
    const { engine } = await setup({ server });
    server.on('GET /api/tour/:location/nodes/:node/tags', () => {
      throw new ConnectionLostError();
    });
    await act(async () => findPin(engine, 'Pump row')?.onActivate());
    expect(engine.pins.map((pin) => pin.label)).toEqual(['Go to Separator area, visited', 'Go to Upper walkway']);
    server.on('GET /api/tour/:location/nodes/:node/tags', { status: 200, body: pins });
    await act(async () => window.dispatchEvent(new Event('online')));
    await waitFor(() => expect(engine.pins.map((pin) => pin.label)).toContainEqual(expect.stringMatching(/^V-101/)));
  });

  it('reports a lost graphics context until it is restored', async () => {
    const { engine } = await setup();
    await act(async () => engine.emit('contextLost', undefined));
    expect(screen.getByText(/graphics of this device stopped/)).toBeDefined();
    await act(async () => engine.emit('contextRestored', undefined));
    expect(screen.queryByText(/graphics of this device stopped/)).toBeNull();
  });

  it('reports missing parts of the picture and retries them', async () => {
    const { engine, user } = await setup();
    await act(async () => engine.emit('tilesMissing', true));
    expect(screen.getByText(/Some parts of the image could not be loaded/)).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(engine.tileRetries).toBe(1);
    expect(screen.queryByText(/Some parts of the image could not be loaded/)).toBeNull();
  });

  it('detaches the engine on unmount', async () => {
    const { engine, unmount } = await setup();
    expect(engine.attachments).toBe(1);
    unmount();
    expect(engine.attachments).toBe(0);
  });
});
