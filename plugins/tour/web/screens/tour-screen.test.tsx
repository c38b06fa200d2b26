import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { contribute, decodeViewState, storageKeys, type AccessFlag, type TourSession } from '#core';
import { BrowserStorage, Navigation, Notifications, webPlugin, type InstalledPlugin } from '#core/web';
import {
  buildMe,
  FakeServer,
  ConnectionLostError,
  renderApp,
  type FakeHandler,
  type FakeReply,
} from '#core/testing/web';
import {
  surfaceOverlays,
  tourGates,
  TourLayout,
  tourModules,
  TourStore,
  tourTools,
  TourTools,
  ViewSurfaces,
  type SurfaceOverlayProps,
  type TourGateProps,
  type ViewSurface,
  type TagHit,
} from '#plugins/tour';
import { recentTextsKey } from '../stores/tour-search.ts';
import { locationsWeb } from '#plugins/locations/testing/web';
import { modelWeb } from '#plugins/model-3d/testing/web';
import { scanWeb } from '#plugins/scan/testing/web';
import { vrWeb } from '#plugins/vr/testing/web';
import { phoneQuery } from '../components/frame/use-glass.ts';
import { idleAfterMs } from '../components/frame/use-idle.ts';
import tourWeb from '../index.ts';
import { CorrectionStore } from '../stores/correction-store.ts';
import { FakeEngine, createServicesWith } from '../../testing/web/fake-engine.ts';
import { buildTag, buildTour } from '../../testing/web/test-tour.ts';

/** jsdom has no layout and so no `ResizeObserver`. */
class FakeResizeObserver implements ResizeObserver {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}
vi.stubGlobal('ResizeObserver', FakeResizeObserver);
afterEach(() => void vi.useRealTimers());

/** Makes the window a phone until the end of the test. */
function stubPhone(): void {
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: query === phoneQuery || query === '(pointer: coarse)',
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }));
  onTestFinished(() => {
    vi.unstubAllGlobals();
    vi.stubGlobal('ResizeObserver', FakeResizeObserver);
  });
}

const buildLocation = (uid: string, parent: string | null, name: string, locationType: string) => ({
  uid,
  label: name,
  name,
  parent,
  root: 'site',
  locationType,
});
const locations = [
  buildLocation('site', null, 'Halvorsen Bravo', 'PRIMARY_LOCATION'),
  buildLocation('unit', 'site', 'Process module', 'PLATFORM_UNIT'),
  buildLocation('lower', 'unit', 'Lower deck', 'LOC_LEVEL'),
];

/** A plugin with two modules, one of which requires an access flag. */
const fixturePlugin: InstalledPlugin = {
  id: 'fixture',
  settings: {},
  bridges: [],
  web: webPlugin()({
    contributions: [
      contribute(tourModules, {
        id: 'fixture.pano',
        order: 10,
        title: 'fixture.pano',
        shortTitle: 'fixture.p',
        viewType: 'PANO',
        icon: async () => ({ default: () => null }),
        load: async () => ({ default: () => <p>picture</p> }),
      }),
      contribute(tourModules, {
        id: 'fixture.scan',
        order: 20,
        access: 'scanAccess',
        title: 'fixture.scan',
        shortTitle: 'fixture.s',
        viewType: 'TRU_VIEW',
        icon: async () => ({ default: () => null }),
        load: async () => ({ default: () => <p>scan</p> }),
      }),
    ],
    messages: {
      en: async () => ({
        default: { 'fixture.pano': 'Pano', 'fixture.p': 'PA', 'fixture.scan': 'Scan view', 'fixture.s': 'SC' },
      }),
    },
  }),
};

/** The plugins of the product's modules with default settings. */
const viewerPlugins: readonly InstalledPlugin[] = [
  { id: 'vr', settings: { hoverNavigation: false }, web: vrWeb, bridges: [] },
  { id: 'scan', settings: { token: false }, web: scanWeb, bridges: [] },
  { id: 'model-3d', settings: { engine: 'builtin' }, web: modelWeb, bridges: [] },
];

const buildTagHit = (changes: Partial<TagHit> = {}): TagHit => ({
  number: 'V-101',
  type: 'TAG',
  kind: 'VESSEL',
  description: 'First stage separator',
  match: 'DESCRIPTION',
  ...changes,
});

interface SetupOptions {
  readonly reply?: FakeReply | (() => FakeReply);
  readonly address?: string;
  readonly flags?: readonly AccessFlag[];
  readonly server?: FakeServer;
  readonly plugins?: readonly InstalledPlugin[];
  /** The replies to the searches for the codes in the URL. */
  readonly foundNodes?: readonly object[];
  readonly foundTags?: readonly object[];
  /** The reply to requests for a tag. */
  readonly tagReply?: FakeReply | FakeHandler;
}

async function setup(options: SetupOptions = {}) {
  const rendered = await render(options);
  await waitFor(() => expect(['success', 'failure']).toContain(rendered.store.loading.tour));
  return rendered;
}

async function render({
  foundNodes = [],
  foundTags = [],
  tagReply = { status: 200, body: buildTag('V-101', { line: '6"-PG-1' }) },
  reply = { status: 200, body: buildTour() },
  address = '/console/tour/unit',
  flags = ['scanAccess'],
  plugins = [fixturePlugin],
  server = new FakeServer(),
}: SetupOptions = {}) {
  const engine = new FakeEngine();
  server
    .on('GET /api/locations', { status: 200, body: locations })
    .on('GET /api/tour/:location', reply)
    .on('GET /api/tour/:location/visited', { status: 200, body: [] })
    .on('PUT /api/tour/:location/visited/:node', { status: 200, body: {} })
    .on('GET /api/tour-nodes', { status: 200, body: foundNodes })
    .on('GET /api/tour-tags', { status: 200, body: foundTags })
    .on('GET /api/tour/:location/tags', ({ query }) => ({
      status: 200,
      body: query.get('type') === 'TAG' ? [buildTagHit()] : [],
    }))
    .on('GET /api/tour/:location/tags/:number', tagReply);
  const me = buildMe({ access: { flags: [...flags], locations: 'ALL', deactivatedRoles: [] } });
  const rendered = await renderApp({
    plugins: [
      { id: 'tour', settings: {}, web: { ...tourWeb, services: createServicesWith(engine) }, bridges: [] },
      { id: 'locations', settings: { alphabetical: true }, web: locationsWeb, bridges: [] },
      ...plugins,
    ],
    server,
    me,
    url: address,
  });
  const { host } = rendered.core;
  const [store, tools] = await Promise.all([host.getService('tour', TourStore), host.getService('tour', TourTools)]);
  return { ...rendered, host, server, engine, store, tools, storage: host.root.get(BrowserStorage) };
}

const readView = () => decodeViewState(window.location.search);

describe('tour screen', () => {
  it.each([
    [
      ['vr', 'scan', 'model-3d'],
      ['vrAccess', 'scanAccess', 'threeDimensionalAccess'],
      ['Panorama', 'Scan', '3D model'],
    ],
    [
      ['vr', 'scan', 'model-3d'],
      ['vrAccess', 'threeDimensionalAccess'],
      ['Panorama', '3D model'],
    ],
    [['vr', 'scan', 'model-3d'], ['vrAccess'], ['Panorama']],
    [
      ['vr', 'model-3d'],
      ['vrAccess', 'scanAccess', 'threeDimensionalAccess'],
      ['Panorama', '3D model'],
    ],
    [['vr'], ['vrAccess', 'scanAccess', 'threeDimensionalAccess'], ['Panorama']],
    [
      ['vr', 'scan', 'model-3d'],
      ['scanAccess', 'threeDimensionalAccess'],
      ['Scan', '3D model'],
    ],
    [
      ['scan', 'model-3d'],
      ['vrAccess', 'scanAccess', 'threeDimensionalAccess'],
      ['Scan', '3D model'],
    ],
  ] as const)(
    '[TOUR-01:vr] [TOUR-01:scan] [TOUR-01:3d] with the profile %j, offers a role with %j the modules %j',
    async (ids, flags, expected) => {
      await setup({ flags, plugins: viewerPlugins.filter(({ id }) => ids.some((pluginId) => pluginId === id)) });
      const rail = await screen.findByRole('navigation', { name: 'Tour modules' });
      const labels = within(rail)
        .getAllByRole('button')
        .map((button) => button.getAttribute('aria-label') ?? '');
      expect(labels.filter((name) => name !== 'Split view')).toEqual(expected);
    },
  );

  it('[RTE-08:tour] [TOUR-02] opens the tour with its modules and tools and shows its name', async () => {
    const { store } = await setup();
    expect(await screen.findByText('picture')).toBeDefined();
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Separator area, Separation');
    await waitFor(() => expect(store.loading).toEqual({ tour: 'success', modules: 'success', tools: 'success' }));
    expect(screen.getByRole('navigation', { name: 'Current location' }).textContent).toContain('Halvorsen Bravo');
    expect(screen.getByRole('link', { name: 'Halvorsen Bravo' }).getAttribute('href')).toBe(
      '/dashboard/console/unit/site',
    );
  });

  it.each([
    [{ status: 403, body: { code: 'E003', message: 'No.', reference: 'r-1' } }, 'You do not have access to tours'],
    [{ status: 404, body: { code: 'E004', message: 'No.', reference: 'r-1' } }, 'No tour at this location'],
    [{ status: 500, body: { code: 'E000', message: 'No.', reference: 'r-77' } }, 'r-77'],
    [{ status: 200, body: buildTour({ nodes: [], links: [] }) }, 'This tour has no viewpoints yet'],
  ])('[TOUR-02] shows an error for the reply %j and leads back to the units of the site', async (reply, text) => {
    await setup({ reply });
    expect((await screen.findByRole('heading', { level: 1 })).closest('div')?.textContent).toContain(text);
    expect(screen.getAllByRole('link', { name: 'Home' }).length).toBeGreaterThan(0);
    expect((await screen.findByRole('link', { name: 'Back to the units' })).getAttribute('href')).toBe(
      '/dashboard/console/unit/site',
    );
  });

  it.each([
    ['[ACC-03:tour]', 'tours', { reply: { status: 403, body: { code: 'E003', message: 'No.', reference: 'r' } } }],
    ['[ACC-03:tools]', 'the tools', { flags: [], plugins: viewerPlugins }],
  ] as const)('%s asks a person without access to %s to request access from the admin', async (_, thing, options) => {
    await setup(options);
    expect(await screen.findByRole('heading', { level: 1, name: `You do not have access to ${thing}` })).toBeDefined();
    expect(screen.getByText('Please request access from the admin.')).toBeDefined();
  });

  it('[TOUR-02] opens the tour on retry after a broken connection', async () => {
    let offline = true;
    const { user } = await setup({
      reply: () => {
        if (offline) throw new ConnectionLostError();
        return { status: 200, body: buildTour() };
      },
    });
    expect(await screen.findByText('You are offline')).toBeDefined();
    offline = false;
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('picture')).toBeDefined();
  });

  it('opens the tour only after the person has passed every gate', async () => {
    const buildGate = (id: string, order: number) =>
      contribute(tourGates, {
        id,
        order,
        load: async () => ({
          default: ({ location, onPass }: TourGateProps) => <button onClick={onPass}>{`${id} ${location}`}</button>,
        }),
      });
    const gates: InstalledPlugin = {
      id: 'gates',
      settings: {},
      bridges: [],
      web: webPlugin()({ contributions: [buildGate('gates.second', 20), buildGate('gates.first', 10)] }),
    };
    const { user, store } = await setup({ plugins: [fixturePlugin, gates] });
    const first = await screen.findByRole('button', { name: 'gates.first unit' });
    expect(store.loading.tour).toBe('success');
    expect(screen.queryByText('picture')).toBeNull();
    await user.click(first);
    await user.click(await screen.findByRole('button', { name: 'gates.second unit' }));
    expect(await screen.findByText('picture')).toBeDefined();
    expect(screen.queryByRole('button', { name: /^gates/ })).toBeNull();
  });

  it('shows only the permitted modules and reports missing access if there is none', async () => {
    await setup({ flags: [] });
    expect(within(await screen.findByRole('navigation', { name: 'Tour modules' })).getAllByRole('button')).toHaveLength(
      1,
    );
    document.body.replaceChildren();
    await setup({ plugins: [] });
    expect(await screen.findByText('You do not have access to the tools')).toBeDefined();
  });

  it('[TOUR-05] keeps the direction when the module changes and remembers the module', async () => {
    const { user, tools, storage } = await setup();
    await screen.findByText('picture');
    act(() => tools.setView({ pan: 222, tilt: 7, fov: 40 }));
    await user.click(screen.getByRole('button', { name: 'Scan view' }));
    expect(await screen.findByText('scan')).toBeDefined();
    expect(tools.mode).toBe('TRU_VIEW');
    expect(tools.view).toEqual({ pan: 222, tilt: 7, fov: 40 });
    expect(storage.get(storageKeys.tourCategory)).toBe('fixture.scan');
    expect(readView()).toMatchObject({ module: 'fixture.scan', pan: 222 });
  });

  it('stores the whole view in the URL with a history entry for each node', async () => {
    const { store, tools, storage } = await setup();
    await screen.findByText('picture');
    expect(readView()).toMatchObject({
      module: 'fixture.pano',
      node: 'N1',
      pan: 10,
      tilt: -5,
      pos: [10, 5, 1.7],
      floor: 'D1',
    });
    const entries = window.history.length;
    act(() => tools.setView({ pan: 100.126 }));
    await waitFor(() => expect(readView()?.pan).toBe(100.13));
    expect(window.history.length).toBe(entries);
    expect(storage.get<TourSession>(storageKeys.tourSession)).toMatchObject({
      location: 'unit',
      title: 'Separator area',
    });
    act(() => store.goTo('node-N2'));
    expect(readView()).toMatchObject({ node: 'N2' });
    expect(window.history.length).toBe(entries + 1);
    act(() => tools.setView({ pan: 300 }));
    await waitFor(() => expect(readView()?.pan).toBe(300));
    act(() => window.history.back());
    await waitFor(() => expect(store.currentNode?.code).toBe('N1'));
    expect(tools.requestedView).toMatchObject({ pan: 100.13, turn: true });
    expect(window.history.length).toBe(entries + 1);
  });

  it('keeps the last view of a node in the history even if the next node follows immediately', async () => {
    const { store, tools } = await setup();
    await screen.findByText('picture');
    act(() => tools.setView({ pan: 123 }));
    act(() => store.goTo('node-N2'));
    expect(readView()).toMatchObject({ node: 'N2' });
    act(() => window.history.back());
    await waitFor(() => expect(store.currentNode?.code).toBe('N1'));
    expect(tools.requestedView).toMatchObject({ pan: 123, turn: true });
  });

  it('stops writing the URL when the person leaves, even before the tour is unmounted', async () => {
    const { host, store } = await setup();
    await screen.findByText('picture');
    await act(async () => {
      host.root.get(Navigation).goToUrl('/console/unit/site');
      store.goTo('node-N2');
    });
    expect(window.location.pathname).toMatch(/\/console\/unit\/site$/);
    await waitFor(() => expect(screen.queryByText('picture')).toBeNull());
  });

  it('opens at the view of a link with its tag', async () => {
    const { store, tools } = await setup({
      address: '/console/tour/unit?v=1&module=fixture.scan&node=N3&pan=45&tilt=10&fov=30&pos=0,0,0&sel=V-101',
    });
    expect(await screen.findByText('scan')).toBeDefined();
    expect(store.currentNode?.code).toBe('N3');
    expect(tools.view).toEqual({ pan: 45, tilt: 10, fov: 30 });
    expect(await screen.findByText('First stage separator')).toBeDefined();
  });

  it('shows two modules side by side, swaps them, and stores them in the URL', async () => {
    const { user, store } = await setup();
    await screen.findByText('picture');
    await user.click(screen.getByRole('button', { name: 'Split view' }));
    expect(await screen.findByText('scan')).toBeDefined();
    expect(screen.getByText('picture')).toBeDefined();
    expect(readView()).toMatchObject({ module: 'fixture.pano', beside: 'fixture.scan' });
    const secondaryRail = screen.getByRole('navigation', { name: 'Tour modules of the other view' });
    await user.click(within(secondaryRail).getByRole('button', { name: 'Pano' }));
    expect(store).toMatchObject({ category: 'fixture.scan', secondaryModule: 'fixture.pano' });
    expect([...document.querySelectorAll('p')].map((part) => part.textContent)).toEqual(['scan', 'picture']);
    await user.click(screen.getByRole('button', { name: 'Split view', pressed: true }));
    expect(screen.queryByText('picture')).toBeNull();
    expect(readView()).not.toHaveProperty('beside');
    act(() => window.history.back());
    expect(await screen.findByText('picture')).toBeDefined();
    expect(store).toMatchObject({ category: 'fixture.scan', secondaryModule: 'fixture.pano' });
  });

  it('keeps the state of a module tool that the split view of a phone moves to another row', async () => {
    vi.stubGlobal('DeviceOrientationEvent', class {});
    stubPhone();
    const { user, engine } = await setup({
      flags: ['vrAccess', 'scanAccess'],
      plugins: [...viewerPlugins.filter(({ id }) => id === 'vr'), fixturePlugin],
      address: '/console/tour/unit?v=1&module=vr.module&node=N1&pan=45&tilt=10&fov=30&pos=10,5,1.7',
    });
    await user.click(await screen.findByRole('button', { name: 'Look around by moving the device' }));
    const findTool = () => screen.findByRole('button', { name: 'Stop following the device', hidden: true });
    const singleViewTool = await findTool();
    await user.click(screen.getByRole('button', { name: 'Split view' }));
    await screen.findByRole('button', { name: 'More tools' });
    const splitViewTool = await findTool();
    expect(splitViewTool).not.toBe(singleViewTool);
    expect(splitViewTool.getAttribute('aria-pressed')).toBe('true');
    await user.click(screen.getByRole('button', { name: 'Split view', pressed: true }));
    expect((await findTool()).getAttribute('aria-pressed')).toBe('true');
    expect(engine.followsDevice).toBe(true);
    await user.click(await findTool());
    expect(engine.followsDevice).toBe(false);
  });

  it('shows the tools of the module in a group before other tools on a phone', async () => {
    stubPhone();
    const buildTool = (id: string, order: number, modules?: readonly string[]) =>
      contribute(tourTools, {
        id: `tool-fixture.${id}`,
        order,
        ...(modules ? { modules } : {}),
        load: async () => ({ default: () => <button>{id}</button> }),
      });
    const toolPlugin: InstalledPlugin = {
      id: 'tool-fixture',
      settings: {},
      bridges: [],
      web: webPlugin()({
        contributions: [buildTool('Measure', 1), buildTool('Date', 5, ['fixture.pano']), buildTool('Draw', 7)],
      }),
    };
    await setup({ plugins: [fixturePlugin, toolPlugin] });
    await screen.findByText('Draw');
    const groups = [...screen.getByRole('toolbar').querySelectorAll('button')].map(
      (button) => [button.parentElement, button.textContent] as const,
    );
    expect(groups.map(([, name]) => name)).toEqual(expect.arrayContaining(['Date', 'Measure', 'Draw', '']));
    const find = (name: string) => groups.findIndex(([, text]) => text === name);
    expect([find('Date'), find('Measure'), find('Draw')]).toEqual(
      [find('Date'), find('Measure'), find('Draw')].toSorted((a, b) => a - b),
    );
    expect(groups[find('Measure')]?.[0]).toBe(groups[find('Draw')]?.[0]);
    expect(groups[find('Measure')]?.[0]).toBe(groups.at(-1)?.[0]);
    expect(groups[find('Date')]?.[0]).not.toBe(groups[find('Measure')]?.[0]);
  });

  it.each([
    ['all visible modules', ['fixture.pano', 'fixture.scan'], true],
    ['one visible module', ['fixture.pano'], false],
    ['any module', undefined, true],
  ])('in the split view of a phone, shows a tool of %s in the collapsed row: %s', async (_, modules, shared) => {
    stubPhone();
    const toolPlugin: InstalledPlugin = {
      id: 'tool-fixture',
      settings: {},
      bridges: [],
      web: webPlugin()({
        contributions: [
          contribute(tourTools, {
            id: 'tool-fixture.tool',
            order: 10,
            ...(modules ? { modules } : {}),
            load: async () => ({ default: () => <button>Fixture tool</button> }),
          }),
        ],
      }),
    };
    const { user } = await setup({ plugins: [fixturePlugin, toolPlugin] });
    await screen.findByText('picture');
    await user.click(screen.getByRole('button', { name: 'Split view' }));
    const moreTools = await screen.findByRole('button', { name: 'More tools' });
    await screen.findByText('Fixture tool');
    expect(screen.queryByRole('button', { name: 'Fixture tool' }) !== null).toBe(shared);
    await user.click(moreTools);
    const group = screen.queryByRole('group', { name: 'Pano' });
    expect(group !== null).toBe(!shared);
    await user.click(screen.getByRole('button', { name: 'Fixture tool' }));
    // A press on a tool in the expanded part keeps the bar expanded. Any other press collapses the bar.
    expect(moreTools.getAttribute('aria-expanded')).toBe(String(!shared));
    await user.click(screen.getByText('picture'));
    expect(moreTools.getAttribute('aria-expanded')).toBe('false');
  });

  it('moves the divider by keyboard within its limits and back to the middle', async () => {
    const { user } = await setup({
      address:
        '/console/tour/unit?v=1&module=fixture.pano&beside=fixture.scan&node=N1&pan=45&tilt=10&fov=30&pos=10,5,1.7',
    });
    await screen.findByText('scan');
    const divider = screen.getByRole('separator', { name: 'Divider between the two views' });
    act(() => divider.focus());
    await user.keyboard('{ArrowRight}{ArrowRight}');
    expect(divider.getAttribute('aria-valuenow')).toBe('60');
    await user.keyboard('{End}{ArrowRight}');
    expect(divider.getAttribute('aria-valuenow')).toBe('80');
    await user.keyboard('{Enter}');
    expect(divider.getAttribute('aria-valuenow')).toBe('50');
  });

  it('follows a freely moving camera to the nearest node without a history entry and keeps the eye position', async () => {
    const { store, tools } = await setup();
    await screen.findByText('picture');
    const pushState = vi.spyOn(window.history, 'pushState');
    act(() => store.moveTo([12.2, 5, 1.7], 'fixture.pano'));
    expect(store.currentNode?.code).toBe('N1');
    act(() => store.moveTo([13, 5.5, 1.6], 'fixture.pano'));
    expect(store.currentNode?.code).toBe('N2');
    expect(tools.position).toEqual([13, 5.5, 1.6]);
    await waitFor(() => expect(readView()).toMatchObject({ node: 'N2', pos: [13, 5.5, 1.6] }));
    expect(pushState).not.toHaveBeenCalled();
    act(() => store.goTo('node-N1'));
    expect(tools.position).toEqual([10, 5, 1.7]);
    expect(pushState).toHaveBeenCalledTimes(1);
    pushState.mockRestore();
  });

  it('[TOUR-03] hides everything but the picture on H, except in text fields', async () => {
    const { store, user } = await setup();
    await screen.findByText('picture');
    await user.type(screen.getByRole('combobox', { name: /^Search/ }), 'h');
    expect(store.toolbarHidden).toBe(false);
    void act(() => void fireEvent.keyDown(document.body, { key: 'h' }));
    expect(store.toolbarHidden).toBe(true);
    await user.click(screen.getByRole('button', { name: 'Show controls' }));
    expect(store.toolbarHidden).toBe(false);
  });

  it('fades the frame after some time without input and shows it again on any input', async () => {
    const { container } = await setup();
    await screen.findByText('picture');
    const chrome = container.querySelector('[data-idle]')!;
    vi.useFakeTimers();
    void act(() => void fireEvent.pointerMove(document.body));
    expect(chrome.getAttribute('data-idle')).toBe('false');
    void act(() => void vi.advanceTimersByTime(idleAfterMs - 1));
    expect(chrome.getAttribute('data-idle')).toBe('false');
    void act(() => void vi.advanceTimersByTime(1));
    expect(chrome.getAttribute('data-idle')).toBe('true');
    await act(async () => void fireEvent.keyDown(document.body, { key: 'Shift' }));
    expect(chrome.getAttribute('data-idle')).toBe('false');
  });

  it('activates nothing in the faded frame by the touch that shows the frame again', async () => {
    const { container, store } = await setup();
    await screen.findByText('picture');
    const chrome = container.querySelector('[data-idle]')!;
    const hide = screen.getByRole('button', { name: 'Hide controls (H)' });
    vi.useFakeTimers();
    void act(() => void fireEvent.pointerMove(document.body));
    void act(() => void vi.advanceTimersByTime(idleAfterMs));
    expect(chrome.getAttribute('data-idle')).toBe('true');
    const tap = (): void =>
      act(() => {
        fireEvent.pointerDown(hide);
        fireEvent.touchStart(hide);
        fireEvent.click(hide);
      });
    tap();
    expect(chrome.getAttribute('data-idle')).toBe('false');
    expect(store.toolbarHidden).toBe(false);
    tap();
    expect(store.toolbarHidden).toBe(true);
  });

  it('[TOUR-07:tag] finds viewpoints and tags, goes to the chosen tag and opens its panel', async () => {
    const { user, store, tools } = await setup();
    await screen.findByText('picture');
    void act(() => void fireEvent.keyDown(document.body, { key: '/' }));
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('combobox', { name: /^Search/ })));
    await user.keyboard('sep');
    const panel = await screen.findByRole('complementary', { name: 'Search results' });
    expect(await within(panel).findByRole('option', { name: /^Sep ?arator area/ })).toBeDefined();
    await user.click(await within(panel).findByRole('option', { name: /V-101/ }));
    expect(tools.requestedView).toMatchObject({ pan: 30, tilt: 2 });
    const tag = await screen.findByRole('complementary', { name: 'V-101' });
    expect(tag.textContent).toContain('E 12.00 m');
    expect(tag.textContent).toContain('6"-PG-1');
    await user.click(await within(tag).findByRole('button', { name: /Pump row/ }));
    expect(store.currentNode?.code).toBe('N2');
    await user.keyboard('{Escape}');
    expect(screen.getByRole('complementary', { name: 'Search results' })).toBeDefined();
    await user.keyboard('{Escape}');
    expect(screen.queryByRole('complementary')).toBeNull();
  });

  it('[PID-07] searches completely by keyboard', async () => {
    const { user, server, store } = await setup();
    server.on('GET /api/tour/:location/tags', ({ query }) => ({
      status: 200,
      body: query.get('type') === 'TAG' ? ['PT-1001', 'PT-1002'].map((number) => buildTagHit({ number })) : [],
    }));
    await screen.findByText('picture');
    void act(() => void fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true }));
    const box = screen.getByRole('combobox', { name: /^Search/ });
    await waitFor(() => expect(document.activeElement).toBe(box));
    await user.keyboard('pt1001');
    const [first, second] = await within(screen.getByRole('listbox')).findAllByRole('option');
    const readActive = () => document.getElementById(box.getAttribute('aria-activedescendant') ?? '');
    expect(box.getAttribute('aria-controls')).toBe(screen.getByRole('listbox').id);
    expect([box.getAttribute('aria-expanded'), readActive()]).toEqual(['true', first]);
    expect(first?.querySelector('mark')?.textContent).toBe('PT-1001');
    await user.keyboard('{ArrowDown}');
    expect([readActive(), second?.getAttribute('aria-selected')]).toEqual([second, 'true']);
    await user.keyboard('{ArrowDown}{ArrowUp}{ArrowUp}');
    expect(readActive()).toBe(first);
    await user.keyboard('{Enter}');
    await screen.findByRole('complementary', { name: 'V-101' });
    expect(server.sentTo('GET /api/tour/:location/tags/:number').at(-1)?.path).toContain('PT-1001');
    expect([document.activeElement, store.panel]).toEqual([box, 'tag']);
    await user.keyboard('{ArrowDown}');
    expect(store.panel).toBe('search');
  });

  it('waits for the running search on Enter, but not if the text changes', async () => {
    const { user, server } = await setup();
    const replies: ((reply: FakeReply) => void)[] = [];
    server.on('GET /api/tour/:location/tags', ({ query }) =>
      query.get('type') === 'TAG' ? new Promise((resolve) => replies.push(resolve)) : { status: 200, body: [] },
    );
    await screen.findByText('picture');
    await user.type(screen.getByRole('combobox', { name: /^Search/ }), 'pt-1{Enter}');
    await waitFor(() => expect(replies).toHaveLength(1));
    await user.keyboard('0');
    await waitFor(() => expect(replies).toHaveLength(2));
    for (const reply of replies) reply({ status: 200, body: [buildTagHit({ number: 'PT-10' })] });
    await screen.findByRole('option', { name: /PT-10/ });
    expect(screen.queryByRole('complementary', { name: 'V-101' })).toBeNull();
    await user.keyboard('1{Enter}');
    await waitFor(() => expect(replies).toHaveLength(3));
    replies[2]?.({ status: 200, body: [buildTagHit({ number: 'PT-101' })] });
    expect(await screen.findByRole('complementary', { name: 'V-101' })).toBeDefined();
  });

  it('lists the texts of recent searches, which fill the box', async () => {
    const { user, storage } = await setup();
    await screen.findByText('picture');
    const box = screen.getByRole<HTMLInputElement>('combobox', { name: /^Search/ });
    await user.type(box, 'sep');
    await user.click(await screen.findByRole('option', { name: /V-101/ }));
    expect(storage.get(recentTextsKey)).toEqual(['sep']);
    await user.clear(box);
    const group = await screen.findByRole('group', { name: 'Recent searches' });
    await user.keyboard('{Enter}');
    expect(box.value).toBe('');
    await user.keyboard('{ArrowDown}{Enter}');
    expect(box.value).toBe('sep');
    expect(group.isConnected).toBe(false);
  });

  it('shows failed groups of a search with the hits of other groups, and retries the failed groups', async () => {
    const { user, server } = await setup();
    await screen.findByText('picture');
    server.on('GET /api/tour/:location/tags', { status: 500, body: { code: 'E000', message: 'No.', reference: 'r' } });
    await user.type(screen.getByRole('combobox', { name: /^Search/ }), 'sep');
    expect((await screen.findByText('The search failed: Tags, Lines')).closest('[role=alert]')).not.toBeNull();
    expect(screen.getByRole('option', { name: /^Sep ?arator area/ })).toBeDefined();
    server.on('GET /api/tour/:location/tags', { status: 200, body: [buildTagHit()] });
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(screen.getAllByRole('option', { name: /V-101/ })).toHaveLength(2));
    expect(screen.queryByText(/^The search failed/)).toBeNull();
  });

  it('reports that viewpoints cannot be searched if those of a large tour fail to load', async () => {
    const { user, server, store } = await setup({ reply: { status: 200, body: buildTour({ complete: false }) } });
    await screen.findByText('picture');
    server.on('GET /api/tour/:location', { status: 500, body: { code: 'E000', message: 'No.', reference: 'r' } });
    await user.type(screen.getByRole('combobox', { name: /^Search/ }), 'sep');
    expect(await screen.findByText('The search failed: Viewpoints')).toBeDefined();
    await user.keyboard('{Enter}');
    await waitFor(() => expect(store.selectedTag?.number).toBe('V-101'));
  });

  it('finds accessible locations and opens the tour there', async () => {
    const { user } = await setup();
    await screen.findByText('picture');
    await user.type(screen.getByRole('combobox', { name: /^Search/ }), 'lower dek');
    const group = await screen.findByRole('group', { name: 'Locations with a similar spelling' });
    const option = within(group).getByRole('option', { name: /^Lower deck.*Halvorsen Bravo › Process module/ });
    await user.click(option);
    await waitFor(() => expect(window.location.pathname).toMatch(/\/console\/tour\/lower$/));
  });

  it('labels hits with a similar spelling', async () => {
    const { user, server } = await setup();
    await screen.findByText('picture');
    server.on('GET /api/tour/:location/tags', ({ query }) => ({
      status: 200,
      body: query.get('type') === 'TAG' ? [buildTagHit({ number: 'PT-1001', match: 'SIMILAR' })] : [],
    }));
    await user.type(screen.getByRole('combobox', { name: /^Search/ }), 'pt1o01');
    expect(await screen.findByRole('group', { name: 'Tags with a similar spelling' })).toBeDefined();
  });

  it('lists exact hits before groups of similar ones', async () => {
    const { user, server } = await setup();
    await screen.findByText('picture');
    server.on('GET /api/tour/:location/tags', ({ query }) => ({
      status: 200,
      body: [
        query.get('type') === 'TAG'
          ? buildTagHit({ number: 'P-1001', match: 'SIMILAR' })
          : buildTagHit({ number: '6"-PG-1', type: 'LINE', kind: 'LINE' }),
      ],
    }));
    await user.type(screen.getByRole('combobox', { name: /^Search/ }), 'pg1');
    await screen.findByRole('group', { name: 'Lines' });
    const options = within(screen.getByRole('listbox')).getAllByRole('option');
    expect(options.map((option) => option.textContent)).toEqual([
      expect.stringContaining('6"-PG-1'),
      expect.stringContaining('P-1001'),
    ]);
    await user.keyboard('{Enter}');
    const listRequests = () => server.sentTo('GET /api/tour/:location/tags/:number');
    await waitFor(() => expect(listRequests()).toHaveLength(1));
    expect(decodeURIComponent(listRequests()[0]?.path ?? '')).toMatch(/6"-PG-1$/);
  });

  it('[TOUR-07:line] finds a line, goes to a node that sees it and shows its details', async () => {
    const { user, server, tools } = await setup();
    await screen.findByText('picture');
    const line = buildTagHit({ number: '6"-PG-1', type: 'LINE', kind: 'LINE', description: 'Process gas, 6"' });
    const pipe = { service: 'Process gas', nps: '6', outsideDiameter: 0.1683, from: 'V-101', to: 'K-1' };
    server
      .on('GET /api/tour/:location/tags', ({ query }) => ({
        status: 200,
        body: query.get('type') === 'LINE' ? [line] : [],
      }))
      .on('GET /api/tour/:location/tags/:number', {
        status: 200,
        body: buildTag(line.number, { ...line, position: null, pipe }),
      });
    await user.type(screen.getByRole('combobox', { name: /^Search/ }), 'pg-1');
    await user.click(await screen.findByRole('option', { name: /Process gas/ }));
    expect(tools.requestedView).toMatchObject({ pan: 30, tilt: 2 });
    const panel = await screen.findByRole('complementary', { name: line.number });
    for (const text of ['Line', 'Process gas', 'V-101', 'K-1']) expect(panel.textContent).toContain(text);
  });

  it('shows a tag in another module, and goes from a tag to its line', async () => {
    const { user, store, server, tools } = await setup();
    await screen.findByText('picture');
    await act(() => store.goToTag('V-101'));
    const panel = await screen.findByRole('complementary', { name: 'V-101' });
    expect(within(panel).queryByRole('button', { name: 'Show in Pano' })).toBeNull();
    act(() => tools.setView({ pan: 200 }));
    await user.click(await within(panel).findByRole('button', { name: 'Show in Scan view' }));
    expect(await screen.findByText('scan')).toBeDefined();
    await waitFor(() => expect(tools.requestedView).toMatchObject({ pan: 30, tilt: 2 }));
    expect(store.category).toBe('fixture.scan');
    await user.click(await within(panel).findByRole('button', { name: '6"-PG-1' }));
    const lines = server.sentTo('GET /api/tour/:location/tags/:number').map(({ path }) => decodeURIComponent(path));
    expect(lines.at(-1)).toMatch(/6"-PG-1$/);
  });

  it('links the latest revision of each document of a tag and loads earlier revisions on request', async () => {
    const { user, server, store } = await setup();
    const revision = (name: string, status: string, issuedOn: string) => ({
      revision: name,
      status,
      issuedOn,
      address: `/api/files/${name}`,
      mediaType: 'application/pdf',
      bytes: 2048,
      sha256: '0'.repeat(64),
    });
    const [first, latest] = [revision('A', 'S3', '2025-02-17'), revision('B', 'A1', '2025-06-02')];
    const document = { uid: 'document', code: 'DS-101', title: 'Data sheet V-101' };
    server
      .on('GET /api/tour/:location/tags/:number', {
        status: 200,
        body: buildTag('V-101', { documents: [{ ...document, latest, revisions: 2 }] }),
      })
      .on('GET /api/tour/:location/documents/:code', { status: 503 });
    await act(async () => store.selectTag('V-101'));
    const link = await screen.findByRole('link', { name: 'Data sheet V-101' });
    expect([link.getAttribute('href'), link.getAttribute('target')]).toEqual(['/api/files/B', '_blank']);
    const section = screen.getByRole('region', { name: 'Documents' });
    expect(section.textContent).toContain('DS-101 · Revision B · Published (A1) · Jun 2, 2025 · 2.05\u00a0KB');
    await user.click(within(section).getByRole('button', { name: '1 earlier revision' }));
    await within(section).findByRole('alert');
    server.on('GET /api/tour/:location/documents/:code', {
      status: 200,
      body: { ...document, formerCodes: [], revisions: [latest, first], tags: ['V-101'] },
    });
    await user.click(within(section).getByRole('button', { name: 'Try again' }));
    expect((await within(section).findByRole('link', { name: 'Revision A' })).getAttribute('href')).toBe(
      '/api/files/A',
    );
    expect(within(section).queryByRole('link', { name: 'Revision B' })).toBeNull();
  });

  it('shows no documents section for a tag without documents', async () => {
    const { store } = await setup();
    await act(async () => store.selectTag('V-101'));
    expect(await screen.findByRole('region', { name: 'Visible from' })).toBeDefined();
    expect(screen.queryByRole('region', { name: 'Documents' })).toBeNull();
  });

  it('closes only the top layer on Escape and lists the shortcuts', async () => {
    const { user, store } = await setup();
    await screen.findByText('picture');
    await user.click(screen.getByRole('button', { name: 'Viewpoints' }));
    await act(async () => store.selectTag('V-101'));
    expect(await screen.findByRole('complementary', { name: 'V-101' })).toBeDefined();
    await user.keyboard('{Escape}');
    expect(screen.getByRole('complementary', { name: 'Viewpoints' })).toBeDefined();
    const viewpointsButton = screen.getByRole('button', { name: 'Viewpoints' });
    act(() => viewpointsButton.focus());
    await user.keyboard('?');
    // jsdom has no layout, so the focus trap of the dialog treats the dialog as hidden.
    const dialog = await screen.findByRole('dialog', { hidden: true });
    expect(dialog.textContent).toMatch(/^Keyboard shortcuts.*Ctrl\+KSearch tags, lines and viewpoints/);
    // The dialog handles keys only once it has the focus.
    await waitFor(() => expect(dialog.contains(document.activeElement)).toBe(true));
    // Shortcuts do not apply while the dialog is open.
    await user.keyboard('/h');
    expect(dialog.contains(document.activeElement)).toBe(true);
    expect(store.toolbarHidden).toBe(false);
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog', { hidden: true })).toBeNull());
    await waitFor(() => expect(document.activeElement).toBe(viewpointsButton));
    expect(screen.getByRole('complementary', { name: 'Viewpoints' })).toBeDefined();
    await user.keyboard('{Escape}');
    expect(screen.queryByRole('complementary')).toBeNull();
  });

  it('[TOUR-07:tag] [TOUR-07:line] shows "No result found" if nothing matches', async () => {
    const { user, server } = await setup();
    await screen.findByText('picture');
    server.on('GET /api/tour/:location/tags', { status: 200, body: [] });
    await user.type(screen.getByRole('combobox', { name: /^Search/ }), 'zzz');
    expect(await screen.findByText('No result found')).toBeDefined();
  });

  it('marks the current and the visited viewpoints in the list and on the map', async () => {
    const { user, store } = await setup();
    await screen.findByText('picture');
    act(() => store.goTo('node-N2'));
    await user.click(screen.getByRole('button', { name: 'Viewpoints' }));
    const panel = screen.getByRole('complementary', { name: 'Viewpoints' });
    expect(
      within(panel)
        .getByRole('button', { name: /Pump row/ })
        .getAttribute('aria-current'),
    ).toBe('location');
    expect(within(panel).getByRole('button', { name: /Separator area/ }).textContent).toContain('Visited');
    const map = screen.getByRole('region', { name: 'Map of Lower' });
    expect(within(map).getByRole('button', { name: 'Pump row' }).style).toMatchObject({ left: '35%', top: '75%' });
    await user.click(within(map).getByRole('button', { name: 'Separator area, visited' }));
    expect(store.currentNode?.code).toBe('N1');
    await user.selectOptions(within(map).getByRole('combobox', { name: 'Deck' }), 'Upper');
    expect(within(screen.getByRole('group', { name: 'Plan of Upper' })).getAllByRole('button')).toHaveLength(1);
  });

  it('fetches the image of the deck only once the picture of the node is on screen', async () => {
    const { host } = await setup();
    await screen.findByText('picture');
    let showPicture = (): void => undefined;
    const ready = new Promise<void>((resolve) => (showPicture = resolve));
    const surfaces = await host.getService('tour', ViewSurfaces);
    act(
      () =>
        void surfaces.register({
          module: 'fixture.pano',
          host: document.body,
          ready: () => ready,
          pick: async () => undefined,
          findSurfacePoints: async () => new Float64Array(0),
          toPixel: () => undefined,
          sees: () => true,
          onChanged: () => () => undefined,
          takePicture: async () => new Blob(),
        }),
    );
    const map = screen.getByRole('region', { name: 'Map of Lower' });
    expect(map.querySelector('img')).toBeNull();
    await act(async () => {
      showPicture();
      await ready;
    });
    await waitFor(() => expect(map.querySelector('img')).not.toBeNull());
  });

  it('shows the offline note while the frame is faded, but not while the frame is hidden', async () => {
    const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true);
    const { user, server } = await setup();
    await screen.findByText('picture');
    server.on('GET /api/me', () => {
      throw new ConnectionLostError();
    });
    online.mockReturnValue(false);
    act(() => void window.dispatchEvent(new Event('offline')));
    const note = await screen.findByText('You are offline. Only loaded content can be seen.');
    expect(note.closest('[data-idle]')).toBeNull();
    await user.keyboard('h');
    expect(screen.queryByText('You are offline. Only loaded content can be seen.')).toBeNull();
    online.mockRestore();
  });

  it('hides the offline note if the server replies while the browser reports offline', async () => {
    const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true);
    const { server } = await setup();
    await screen.findByText('picture');
    const requestsBefore = server.sentTo('GET /api/me').length;
    online.mockReturnValue(false);
    act(() => void window.dispatchEvent(new Event('offline')));
    await waitFor(() => expect(server.sentTo('GET /api/me')).toHaveLength(requestsBefore + 1));
    await act(async () => undefined);
    expect(screen.queryByText('You are offline. Only loaded content can be seen.')).toBeNull();
    online.mockRestore();
  });

  const buildFoundNode = (site: string, location: string, code = 'P01') => ({
    uid: `node-of-${site}`,
    code,
    name: 'Pump row',
    site: { uid: site, name: `Site ${site}` },
    tour: { name: 'Separation', location },
  });

  it('[DAT-06:viewpoint] opens the node with the code of a URL that names no location', async () => {
    const { server } = await setup({
      address: '/console/tour?node=n2',
      foundNodes: [buildFoundNode('site', 'unit', 'N2')],
    });
    await waitFor(() => expect(window.location.pathname).toContain('/console/tour/unit'));
    await screen.findByText('picture');
    await waitFor(() => expect(decodeViewState(window.location.search)).toMatchObject({ node: 'N2' }));
    expect(server.sentTo('GET /api/tour-nodes')).toHaveLength(1);
  });

  it('[DAT-06:viewpoint] offers links with the view of the URL if several sites have the code', async () => {
    await setup({
      address: '/console/tour/gone?v=1&module=fixture.pano&node=P01&pan=5&tilt=1&fov=50&pos=1,2,3',
      reply: { status: 403, body: { code: 'E003', message: 'No.' } },
      foundNodes: [buildFoundNode('a', 'unit-a'), buildFoundNode('b', 'unit-b')],
    });
    await screen.findByRole('heading', { name: 'P01 exists at several sites' });
    const links = screen.getAllByRole('link', { name: /Pump row/ });
    expect(links.map((link) => link.textContent)).toEqual([
      'Site a: Pump row (Separation)',
      'Site b: Pump row (Separation)',
    ]);
    expect(links[1]?.getAttribute('href')).toMatch(/\/console\/tour\/unit-b\?v=1&module=fixture\.pano&node=P01&pan=5/);
  });

  it("[DAT-06:viewpoint] searches only the tour's site for an unknown node and opens the tour without it", async () => {
    const { server } = await setup({
      address: '/console/tour/unit?v=1&module=fixture.pano&node=GONE&pan=5&tilt=1&fov=50&pos=1,2,3',
    });
    await screen.findByText('picture');
    expect(server.sentTo('GET /api/tour-nodes').map(({ query }) => Object.fromEntries(query))).toEqual([
      { code: 'GONE', site: 'site' },
    ]);
    await waitFor(() => expect(decodeViewState(window.location.search)).toMatchObject({ node: 'N1' }));
  });

  it('[TOUR-23] follows a link to a node of a large tour that is not loaded yet', async () => {
    const wholeTour = buildTour();
    const server = new FakeServer();
    const { host } = await setup({ server });
    server.on('GET /api/tour/:location', ({ query }) => {
      const nodes = wholeTour.nodes.filter(({ code }) => (query.get('near') === 'N3') === (code === 'N3'));
      return { status: 200, body: buildTour({ nodes, complete: false }) };
    });
    act(() => host.root.get(Navigation).goToUrl('/console/tour/lower'));
    await screen.findByText('picture');
    await waitFor(() => expect(readView()).toMatchObject({ node: 'N1' }));
    act(() => host.root.get(Navigation).goToUrl('/console/tour/lower?node=N3'));
    await waitFor(() => expect(readView()).toMatchObject({ node: 'N3' }));
    await screen.findByText('picture');
    // The node belongs to this tour, so other tours are not searched.
    expect(server.sentTo('GET /api/tour-nodes')).toEqual([]);
  });

  it('[DAT-06:viewpoint] names the node if no node has the code', async () => {
    await render({ address: '/console/tour?node=NOWHERE' });
    await screen.findByRole('heading', { name: 'Not found: viewpoint NOWHERE' });
    expect(screen.getByRole('link', { name: 'Home' })).toBeDefined();
  });
});

describe('links to a tag', () => {
  const notFound: FakeReply = { status: 404, body: { code: 'E004', message: 'No.' } };
  const buildFoundTag = (site: string, location: string) => ({
    uid: `tag-of-${site}`,
    number: 'V-101',
    description: 'Separator',
    site: { uid: site, name: `Site ${site}` },
    tour: { name: 'Separation', location },
  });
  const waitForView = (view: object) => waitFor(() => expect(readView()).toMatchObject(view));

  it('[TOUR-23] opens the nearest viewpoint of a tag of the tour, turned to the tag', async () => {
    const { store } = await setup({ address: '/console/tour/unit?tag=V-101' });
    await screen.findByText('picture');
    await waitForView({ node: 'N2', pan: 40, tilt: 3, fov: 45, sel: 'V-101' });
    expect(store.panel).toBe('tag');
    // The start node of the tour was not visited.
    expect(store.visitedNodes).toEqual(['node-N2']);
  });

  it('[TOUR-23] opens a tag in another letter case once, and turns to it so that the panel does not cover it', async () => {
    const { server, store } = await setup({
      address: '/console/tour/unit?tag=v101',
      tagReply: ({ path }) => (path.endsWith('/V-101') ? { status: 200, body: buildTag('V-101') } : notFound),
      foundTags: [buildFoundTag('site', 'unit')],
    });
    await screen.findByText('picture');
    await waitForView({ node: 'N2', pan: 40, fov: 45, sel: 'V-101' });
    await waitFor(() => expect(store.selectedTag?.state).toBe('success'));
    expect(store.selectedTag?.restored).toBe(false);
    expect(server.sentTo('GET /api/tour/:location/tags/:number').map(({ path }) => path.split('/').at(-1))).toEqual([
      'v101',
      'V-101',
    ]);
  });

  it('[TOUR-23] opens the tour of a tag from a URL without a location', async () => {
    await setup({ address: '/console/tour?tag=V-101', foundTags: [buildFoundTag('site', 'unit')] });
    await waitFor(() => expect(window.location.pathname).toContain('/console/tour/unit'));
    await waitForView({ node: 'N2', sel: 'V-101' });
  });

  it('[TOUR-23] offers the sites that have a tag with the number', async () => {
    await render({
      address: '/console/tour?tag=V-101',
      foundTags: [buildFoundTag('a', 'unit-a'), buildFoundTag('b', 'unit-b')],
    });
    await screen.findByRole('heading', { name: 'V-101 exists at several sites' });
    const links = screen.getAllByRole('link', { name: /Separator/ });
    expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
      ['Site a: V-101, Separator (Separation)', '/dashboard/console/tour/unit-a?tag=V-101'],
      ['Site b: V-101, Separator (Separation)', '/dashboard/console/tour/unit-b?tag=V-101'],
    ]);
  });

  it('[TOUR-23] names a tag and a viewpoint that no site has, and offers links to other pages', async () => {
    await render({ address: '/console/tour?tag=PSV-9&node=P99' });
    await screen.findByRole('heading', { name: 'Not found: tag PSV-9, viewpoint P99' });
    expect(screen.getByRole('link', { name: 'Home' })).toBeDefined();
  });

  it('[TOUR-23] opens the site that has both the tag and the viewpoint', async () => {
    const foundNode = { uid: 'n', code: 'N1', name: 'Separator area', tour: { name: 'Separation', location: 'unit' } };
    await setup({
      address: '/console/tour?tag=V-101&node=N1',
      foundTags: [buildFoundTag('a', 'unit-a'), buildFoundTag('site', 'unit')],
      foundNodes: [{ ...foundNode, site: { uid: 'site', name: 'Site' } }],
    });
    await waitFor(() => expect(window.location.pathname).toContain('/console/tour/unit'));
    await waitForView({ node: 'N1', pan: 30, sel: 'V-101' });
  });

  it.each([
    ['tag=V-101&node=N1', { node: 'N1', pan: 30, tilt: 2, fov: 45, sel: 'V-101' }],
    ['tag=V-101&node=N3', { node: 'N3', pan: 10, tilt: -5, sel: 'V-101' }],
    ['tag=%20V-101%20&fov=30', { node: 'N2', pan: 40, fov: 30, sel: 'V-101' }],
    ['tag=V-101&module=fixture.scan', { node: 'N2', module: 'fixture.scan' }],
    ['node=N2&pan=77', { node: 'N2', pan: 77, tilt: -5 }],
    ['v=1&module=fixture.pano&node=N3&pan=5&tilt=1&fov=50&pos=1,2,3&tag=V-101', { node: 'N3', pan: 5, pos: [1, 2, 3] }],
    ['node=N1&floor=D2', { node: 'N1', floor: 'D2' }],
  ])('[TOUR-23] completes the link ?%s by the best view', async (query, view) => {
    const { host, server } = await setup({ address: `/console/tour/unit?${query}` });
    await screen.findByText(query.includes('fixture.scan') ? 'scan' : 'picture');
    await waitForView(view);
    expect(host.root.get(Notifications).notices).toEqual([]);
    for (const { path } of server.sentTo('GET /api/tour/:location/tags/:number')) expect(path).toMatch(/\/V-101$/);
  });

  it.each([
    ['', 'plan.view'],
    ['?tag=V-101', 'fixture.pano'],
    ['?node=N2', 'fixture.pano'],
    ['?node=N2&module=plan.view', 'plan.view'],
  ])('[TOUR-23] opens the address /console/tour/unit%s in the module %s', async (query, module) => {
    const planPlugin: InstalledPlugin = {
      id: 'plan',
      settings: {},
      bridges: [],
      web: webPlugin()({
        contributions: [
          contribute(tourModules, {
            id: 'plan.view',
            order: 5,
            title: 'fixture.pano',
            shortTitle: 'fixture.p',
            icon: async () => ({ default: () => null }),
            load: async () => ({ default: () => <p>plan</p> }),
          }),
        ],
      }),
    };
    await setup({ address: `/console/tour/unit${query}`, plugins: [fixturePlugin, planPlugin] });
    await waitForView({ module });
  });

  it('[TOUR-23] opens another tour of the site if only that tour shows the tag', async () => {
    const { server } = await setup({
      address: '/console/tour/lower?tag=V-101',
      tagReply: { status: 200, body: buildTag('V-101', { seenFrom: [] }) },
      foundTags: [buildFoundTag('site', 'unit')],
    });
    await waitFor(() => expect(window.location.pathname).toContain('/console/tour/unit'));
    expect(server.sentTo('GET /api/tour-tags').map(({ query }) => Object.fromEntries(query))).toContainEqual({
      number: 'V-101',
      site: 'site',
    });
    await screen.findByText('picture');
    await waitForView({ node: 'N1', sel: 'V-101' });
  });

  it('[TOUR-23] opens a tour at its start and names the unknown tag', async () => {
    const { host, store } = await setup({ address: '/console/tour/unit?tag=PSV-9', tagReply: notFound });
    await waitFor(() =>
      expect(host.root.get(Notifications).notices).toMatchObject([
        { message: 'tour.link.incomplete', values: { parts: 'tag PSV-9' } },
      ]),
    );
    await waitForView({ node: 'N1', pan: 10 });
    expect([store.selectedTag, store.panel]).toEqual([undefined, undefined]);
  });

  it('[TOUR-23] names all parts of a link that could not be restored in one notice', async () => {
    const { host, unmount } = await setup({
      address:
        '/console/tour/unit?v=1&module=gone.module&beside=fixture.scan&node=GONE&pan=north&tilt=1&fov=50&pos=1,2,3' +
        '&floor=D9&sel=PSV-9',
      flags: [],
      tagReply: notFound,
    });
    const notifications = host.root.get(Notifications);
    const parts = 'value of “pan”, module gone.module, module fixture.scan, viewpoint GONE, deck D9, tag PSV-9';
    await waitFor(() => expect(notifications.notices.map(({ values }) => values)).toEqual([{ parts }]));
    unmount();
    expect(notifications.notices).toEqual([]);
  });

  it('[TOUR-23] follows a link to a tag while the tour is open', async () => {
    const { host } = await setup();
    await screen.findByText('picture');
    await waitForView({ node: 'N1' });
    act(() => host.root.get(Navigation).goToUrl('/console/tour/unit?tag=V-101'));
    await waitForView({ node: 'N2', sel: 'V-101' });
    // Follows the same link again, after the person has gone to another viewpoint.
    act(() => host.root.get(Navigation).goToUrl('/console/tour/unit?node=N3'));
    await waitForView({ node: 'N3' });
    act(() => host.root.get(Navigation).goToUrl('/console/tour/unit?tag=V-101'));
    await waitForView({ node: 'N2' });
  });
});

describe('short links', () => {
  it('[TOUR-23] opens the view of a short link', async () => {
    const server = new FakeServer().on('GET /api/tour-links/:code', {
      status: 200,
      body: { location: 'unit', view: 'v=1&module=fixture.pano&node=N2&pan=5&tilt=1&fov=50&pos=1,2,3' },
    });
    const { store } = await setup({ address: '/s/ab23cd45', server });
    expect(store.currentNode?.code).toBe('N2');
    await waitFor(() => expect(window.location.pathname).toBe('/dashboard/console/tour/unit'));
    await waitFor(() => expect(readView()).toMatchObject({ node: 'N2', pan: 5 }));
  });

  it('[TOUR-23] names a short link that does not exist or is not accessible', async () => {
    const server = new FakeServer().on('GET /api/tour-links/:code', {
      status: 404,
      body: { code: 'E004', message: '' },
    });
    await render({ address: '/s/ab23cd45', server });
    await screen.findByRole('heading', { name: 'The link ab23cd45 was not found' });
    expect(screen.getByRole('link', { name: 'Home' })).toBeDefined();
  });

  it('offers a retry if the server does not answer', async () => {
    const server = new FakeServer().on('GET /api/tour-links/:code', () => {
      throw new ConnectionLostError();
    });
    await render({ address: '/s/ab23cd45', server });
    expect(await screen.findByRole('button', { name: 'Try again' })).toBeDefined();
  });
});

/** Creates a surface that looks north from `eye` with a focal length of 100 pixels. */
function createSurface(module: string, eye: readonly [number, number, number] = [0, 0, 0]) {
  const listeners = new Set<() => void>();
  let east = eye[0];
  const surface: Pick<ViewSurface, 'module' | 'host' | 'isCorrectable'> & Partial<ViewSurface> = {
    module,
    host: document.createElement('div'),
    isCorrectable: true,
    toPixel: ([x, y, z]) => {
      const depth = y - eye[1];
      return depth > 0 ? { x: (100 * (x - east)) / depth, y: (-100 * (z - eye[2])) / depth } : undefined;
    },
    sees: () => true,
    onChanged: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  const moveTo = (x: number): void => {
    east = x;
    for (const listener of listeners) listener();
  };
  return { surface: surface as ViewSurface, moveTo };
}

describe('TourFrame', () => {
  it('stays visible while the tools of another picture are loaded', async () => {
    const { host } = await setup();
    const tools = await screen.findByRole('toolbar');
    const [getService, never] = [host.getService.bind(host), new Promise<never>(() => undefined)];
    vi.spyOn(host, 'getService').mockImplementation((plugin, token) =>
      (token as unknown) === CorrectionStore ? never : getService(plugin, token),
    );
    const surfaces = await getService('tour', ViewSurfaces);
    await act(async () => void surfaces.register(createSurface('fixture.pano').surface));
    expect(screen.getByRole('toolbar')).toBe(tools);
    expect(screen.queryByRole('button', { name: 'Brightness and contrast' })).toBeNull();
  });

  it('shows the tool for pictures while a module loads its picture, but not for a module without pictures', async () => {
    const plan: InstalledPlugin = {
      id: 'plan',
      settings: {},
      bridges: [],
      web: webPlugin()({
        contributions: [
          contribute(tourModules, {
            id: 'plan.view',
            order: 50,
            title: 'fixture.pano',
            shortTitle: 'fixture.p',
            icon: async () => ({ default: () => null }),
            load: async () => ({ default: () => <p>plan</p> }),
          }),
        ],
      }),
    };
    const { host, store } = await setup({ plugins: [fixturePlugin, plan] });
    const surfaces = await host.getService('tour', ViewSurfaces);
    const remove = await act(async () => surfaces.register(createSurface('fixture.pano').surface));
    const findPictureTool = () => screen.queryByRole('button', { name: 'Brightness and contrast' });
    await waitFor(() => expect(findPictureTool()).not.toBeNull());
    await act(async () => {
      remove();
      store.chooseModule('fixture.scan');
    });
    expect(findPictureTool()).not.toBeNull();
    await act(async () => store.chooseModule('plan.view'));
    expect(findPictureTool()).toBeNull();
  });

  it('draws overlays on every picture and follows its camera', async () => {
    const activate = vi.fn();
    function Zones({ Shape }: SurfaceOverlayProps) {
      return (
        <>
          <Shape
            id="zone"
            points={[
              [1, 2, 0],
              [3, 2, 0],
              [3, 4, 0],
            ]}
            closed
            filled
            label="Hot work"
            onActivate={activate}
          />
          <Shape id="behind" points={[[0, -5, 0]]} label="Behind the eye" />
        </>
      );
    }
    const permits: InstalledPlugin = {
      id: 'permits',
      settings: {},
      bridges: [],
      web: webPlugin()({
        contributions: [
          contribute(surfaceOverlays, { id: 'permits.zones', order: 1, load: async () => ({ default: Zones }) }),
        ],
      }),
    };
    const { host, user } = await setup({ plugins: [fixturePlugin, permits] });
    const surfaces = await host.getService('tour', ViewSurfaces);
    const [pano, scan] = [createSurface('fixture.pano'), createSurface('fixture.scan', [1, 0, 0])];
    document.body.append(pano.surface.host, scan.surface.host);
    await act(async () => {
      surfaces.register(pano.surface);
      surfaces.register(scan.surface);
    });
    const readOutline = ({ surface }: typeof pano) =>
      surface.host.querySelector('[role=button] path')?.getAttribute('d');
    await waitFor(() => expect(readOutline(pano)).toBe('M50.0 0.0L150.0 0.0L75.0 0.0L50.0 0.0Z'));
    expect(readOutline(scan)).toBe('M0.0 0.0L100.0 0.0L50.0 0.0L0.0 0.0Z');
    expect(document.body.textContent).not.toContain('Behind the eye');
    await act(async () => pano.moveTo(1));
    expect(readOutline(pano)).toBe(readOutline(scan));
    const [zone] = screen.getAllByRole('button', { name: 'Hot work' });
    await user.click(zone!);
    zone!.focus();
    await user.keyboard('{Enter}');
    expect(activate).toHaveBeenCalledTimes(2);
    for (const { surface } of [pano, scan]) surface.host.remove();
  });

  it('reports the covered and the free areas of the pictures', async () => {
    const boundingBox = vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (
      this: Element,
    ) {
      if (this.tagName === 'HEADER') return new DOMRect(0, 0, 1000, 48);
      if (this.tagName === 'NAV' && this.getAttribute('aria-label') === 'Tour modules')
        return new DOMRect(8, 64, 56, 200);
      if (this.tagName === 'ASIDE') return new DOMRect(632, 56, 360, 636);
      return this.contains(document.querySelector('[data-idle]')) || this.querySelector('p')
        ? new DOMRect(0, 0, 1000, 700)
        : new DOMRect();
    });
    const { host, store } = await setup();
    const layout = await host.getService('tour', TourLayout);
    const picture = await screen.findByText('picture');
    const region = picture.parentElement!;
    const readEdges = () => ['top', 'right', 'left'].map((edge) => region.style.getPropertyValue(`--viewer-${edge}`));
    const readFree = () =>
      ['left', 'top', 'width', 'height'].map((side) => region.style.getPropertyValue(`--viewer-free-${side}`));
    await waitFor(() => expect(readEdges()).toEqual(['56px', '8px', '72px']));
    expect(readFree()).toEqual(['0px', '48px', '1000px', '652px']);
    expect(layout.findFreeArea(region)).toEqual({ left: 0, top: 48, width: 1000, height: 652 });
    await act(async () => store.setPanel('places'));
    await waitFor(() => expect(readEdges()).toEqual(['56px', '376px', '72px']));
    expect(layout.findFreeArea(region)).toEqual({ left: 0, top: 48, width: 632, height: 652 });
    expect(readFree()).toEqual(['0px', '48px', '632px', '652px']);
    expect(layout.coveredAreas).toContainEqual({ left: 632, top: 56, width: 360, height: 636 });
    await act(async () => store.setPanel(undefined));
    await waitFor(() => expect(layout.coveredAreas).toHaveLength(2));
    boundingBox.mockRestore();
  });
});
