import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { Route, Routes } from 'react-router-dom';
import { describe, expect, it, vi } from 'vitest';
import { contribute, routeRef, type LocationRow, type TourSession } from '#core';
import {
  buildMe,
  buildSite,
  ConnectionLostError,
  FakeServer,
  type FakeReply,
  renderApp,
  renderScreen,
  type WebSetup,
} from '#core/testing/web';
import { ApiError, BrowserStorage, type InstalledPlugin } from '#core/web';
import { home, locationScreens, setUpSteps, type LocationScreen } from '#plugins/locations';
import locations from '../index.ts';
import SetUpScreen from '../admin/screens/set-up-screen.tsx';
import HomeScreen from './home-screen.tsx';
import UnitScreen from './unit-screen.tsx';

const rows: readonly LocationRow[] = [
  { ...buildSite('b', { timeZone: 'Asia/Kolkata' }), name: 'Bravo', label: 'Bravo field' },
  {
    uid: 'b1',
    name: 'Process module',
    label: 'M10',
    parent: 'b',
    root: 'b',
    locationType: 'PLATFORM_UNIT',
    version: 1,
  },
  { uid: 'b1a', name: 'Cellar deck', label: '', parent: 'b1', root: 'b', locationType: 'LOC_LEVEL', version: 1 },
  { uid: 'a', name: 'Ålesund base', label: '', parent: null, root: 'a', locationType: 'PRIMARY_LOCATION', version: 1 },
];
const pictures = [
  {
    location: 'b',
    icon: '/api/files/icon',
    navigationImage: '/api/files/navigation',
    version: 1,
    areas: [
      {
        location: 'b1',
        polygon: [
          [0, 0],
          [1, 0],
          [1, 1],
        ],
      },
    ],
  },
];
const tourView = routeRef('tour.view', 'console/tour/:location');
const buildPlugins = (changes: Pick<LocationScreen, 'listLocations'> = {}): readonly InstalledPlugin[] => [
  { id: 'locations', settings: { alphabetical: false }, web: locations, bridges: [] },
  {
    id: 'tour',
    settings: {},
    web: {
      routes: [
        {
          routeRef: tourView,
          title: 'tour.title',
          audience: 'bare',
          category: 'TOUR',
          load: async () => ({ default: () => null }),
        },
      ],
      contributions: [contribute(locationScreens, { id: 'tour.unit', order: 10, to: tourView, ...changes })],
    },
    bridges: [],
  },
];
const plugins = buildPlugins();
const buildServer = (list: readonly LocationRow[]) =>
  new FakeServer()
    .on('GET /api/locations', { status: 200, body: list })
    .on('GET /api/location-pictures', { status: 200, body: pictures });
const renderNode = (node: React.ReactNode, setup: WebSetup = {}) =>
  renderScreen(node, { plugins, server: buildServer(rows), ...setup });
const unitScreen = (
  <Routes>
    <Route path="console/unit/:location" element={<UnitScreen />} />
  </Routes>
);

const loseConnection = (): never => {
  throw new ConnectionLostError();
};
const createPendingAnswer = () => {
  let resolve: (locations: readonly string[]) => void = () => undefined;
  const answer = new Promise<readonly string[]>((settle) => (resolve = settle));
  return { answer, resolve };
};
const goOnline = () => act(async () => void window.dispatchEvent(new Event('online')));

describe('home', () => {
  it.each(['/console/home', '/dashboard'])('[RTE-08:home] is at %s', async (url) => {
    await renderApp({ plugins, server: buildServer(rows), url });
    expect(await screen.findByRole('heading', { level: 1, name: 'Where do you want to go?' })).toBeDefined();
  });

  it('[LOC-03] lists the sites of the server with their units', async () => {
    await renderNode(<HomeScreen />);
    expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe('Where do you want to go?');
    const links = await screen.findAllByRole('link');
    expect(links.map((link) => link.getAttribute('href'))).toEqual([
      '/dashboard/console/unit/b',
      '/dashboard/console/unit/a',
    ]);
    expect(links[0]?.textContent).toContain('1 unit');
  });

  it('[PRO-03] lists the sites by name if the profile says so', async () => {
    await renderNode(<HomeScreen />, {
      plugins: [{ id: 'locations', settings: { alphabetical: true }, web: locations, bridges: [] }],
    });
    const links = await screen.findAllByRole('link');
    expect(links.map((link) => link.getAttribute('href'))).toEqual([
      '/dashboard/console/unit/a',
      '/dashboard/console/unit/b',
    ]);
  });

  it('finds sites by the name of the site or of a location in it, ignoring accents', async () => {
    const { user } = await renderNode(<HomeScreen />);
    const search = await screen.findByRole('searchbox');
    await user.type(search, 'ales');
    await waitFor(() => expect(screen.getAllByRole('link')).toHaveLength(1));
    expect(window.location.search).toBe('?search=ales');
    await user.clear(search);
    await user.type(search, 'cellar');
    await waitFor(() => expect(screen.getByRole('link').getAttribute('href')).toBe('/dashboard/console/unit/b'));
  });

  it('[ANA-04:no-data] reports that nothing was found, and clears the search', async () => {
    const { user } = await renderNode(<HomeScreen />, { url: '/console/home?search=zulu' });
    expect(await screen.findByText('No result found')).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Clear search' }));
    await waitFor(() => expect(screen.getAllByRole('link')).toHaveLength(2));
  });

  it('shows a list instead of cards if the person prefers it', async () => {
    await renderNode(<HomeScreen />, { me: buildMe({ preferences: { defaultView: 'list' } }) });
    expect((await screen.findByRole('tab', { name: 'List' })).getAttribute('aria-selected')).toBe('true');
  });

  it('[ACC-03:locations] tells a person without locations whom to contact', async () => {
    await renderNode(<HomeScreen />, {
      server: buildServer([]),
      me: buildMe({ access: { flags: [], locations: ['gone'], deactivatedRoles: [] } }),
    });
    expect(await screen.findByText('Please request access from your admin.')).toBeDefined();
  });

  it('[ANA-04:no-data] tells a person with access to all locations how to create the first location', async () => {
    await renderNode(<HomeScreen />, {
      server: buildServer([]),
      me: buildMe({ access: { flags: [], locations: 'ALL', deactivatedRoles: [] } }),
    });
    expect(await screen.findByText('No locations yet')).toBeDefined();
    expect(screen.getByText(/load the demo plant/)).toBeDefined();
    expect(screen.queryByText(/roles/)).toBeNull();
  });

  const buildSetUp = (dismissed: boolean, siteState: 'TODO' | 'DONE', skipped: boolean) => ({
    dismissed,
    steps: [
      {
        id: 'locations.sites',
        state: siteState,
        detail: { message: 'locations.setUp.site', values: { name: 'Bravo', zone: 'Asia/Kolkata' } },
        skipped: false,
      },
      { id: 'tour.align', state: 'TODO', detail: { message: 'tour.none', values: {} }, skipped },
      { id: 'absent.step', state: 'TODO', detail: { message: 'absent.none', values: {} }, skipped: false },
    ],
  });
  const admin = buildMe({
    userType: 'TENANT_ADMIN',
    isAdmin: true,
    access: { flags: ['configure'], locations: 'ALL', deactivatedRoles: [] },
  });
  const pluginsWithSteps: readonly InstalledPlugin[] = plugins.map((plugin) =>
    plugin.id === 'tour'
      ? {
          ...plugin,
          web: {
            ...plugin.web,
            contributions: [contribute(setUpSteps, { id: 'tour.align', order: 20, title: 'tour.align', to: home })],
          },
        }
      : plugin,
  );

  it('shows an admin of an empty product the steps of the plugins in it, with one action each', async () => {
    const server = buildServer([]).on('GET /api/set-up', { status: 200, body: buildSetUp(false, 'TODO', false) });
    const { user } = await renderNode(<HomeScreen />, { plugins: pluginsWithSteps, server, me: admin });
    const list = await screen.findByRole('region', { name: 'Set up your site' });
    expect(within(list).getByText('0 of 2 done')).toBeDefined();
    expect(within(list).getAllByRole('listitem')).toHaveLength(2);
    expect(within(list).getByText('Bravo, Asia/Kolkata')).toBeDefined();
    const start = within(list).getByRole('link', { name: 'Start: Sites and units' });
    expect(start.getAttribute('href')).toBe('/dashboard/admin/console/sites?add=site');

    server.on('PUT /api/set-up', { status: 500, body: { code: 'E000', message: 'x', reference: 'ref-1' } });
    await user.click(within(list).getByRole('button', { name: 'Skip: tour.align' }));
    expect(await within(list).findByRole('alert')).toBeDefined();
    server.on('PUT /api/set-up', { status: 200, body: buildSetUp(false, 'TODO', true) });
    await user.click(within(list).getByRole('button', { name: 'Skip: tour.align' }));
    expect(await within(list).findByText('0 of 1 done')).toBeDefined();
    expect(within(list).queryByRole('alert')).toBeNull();
    expect(within(list).getByRole('button', { name: 'Do not skip: tour.align' })).toBeDefined();

    server.on('PUT /api/set-up', { status: 200, body: buildSetUp(true, 'TODO', true) });
    await user.click(within(list).getByRole('button', { name: 'Remove this list from the home page' }));
    expect(await screen.findByText('No locations yet')).toBeDefined();
    expect(server.requests.filter(({ method }) => method === 'PUT').map(({ body }) => body)).toEqual([
      { step: 'tour.align', hidden: true },
      { step: 'tour.align', hidden: true },
      { step: null, hidden: true },
    ]);
  });

  it('hides the set-up list on the home page once it is complete, and shows it on its own screen', async () => {
    const server = buildServer(rows).on('GET /api/set-up', { status: 200, body: buildSetUp(false, 'DONE', true) });
    await renderNode(
      <>
        <HomeScreen />
        <SetUpScreen />
      </>,
      { plugins: pluginsWithSteps, server, me: admin },
    );
    expect(await screen.findByText('Everything is set up.')).toBeDefined();
    expect(await screen.findByText('1 of 1 done')).toBeDefined();
    expect(screen.getAllByRole('region', { name: 'Set up your site' })).toHaveLength(1);
    expect(screen.getByRole('link', { name: 'Edit: Sites and units' }).getAttribute('href')).toBe(
      '/dashboard/admin/console/sites',
    );
  });

  it('shows the sites on retry after a failure', async () => {
    const server = buildServer(rows).on('GET /api/locations', {
      status: 500,
      body: { code: 'E000', message: 'x', reference: 'ref-1' },
    });
    const { user } = await renderNode(<HomeScreen />, { server });
    const retryButton = await screen.findByRole('button', { name: 'Try again' });
    server.on('GET /api/locations', { status: 200, body: rows });
    await user.click(retryButton);
    expect(await screen.findAllByRole('link')).toHaveLength(2);
  });

  it('shows the sites without their images', async () => {
    await renderNode(<HomeScreen />, { server: buildServer(rows).on('GET /api/location-pictures', { status: 500 }) });
    expect(await screen.findAllByRole('link')).toHaveLength(2);
  });

  it('loads the sites when a lost connection returns', async () => {
    const server = buildServer(rows).on('GET /api/locations', loseConnection);
    await renderNode(<HomeScreen />, { server });
    expect(await screen.findByRole('button', { name: 'Try again' })).toBeDefined();
    server.on('GET /api/locations', { status: 200, body: rows });
    await goOnline();
    expect(await screen.findAllByRole('link')).toHaveLength(2);
  });

  it('shows the initials of a site whose image cannot be loaded, until the connection returns', async () => {
    const { container } = await renderNode(<HomeScreen />);
    await waitFor(() => expect(container.querySelector('img')).not.toBeNull());
    fireEvent.error(container.querySelector('img')!);
    expect(container.querySelector('img')).toBeNull();
    expect(screen.getByText('B')).toBeDefined();
    await goOnline();
    expect(container.querySelector('img')).not.toBeNull();
  });

  it('links to the last tour view while the person can access its location', async () => {
    const session: TourSession = {
      location: 'b1',
      address: '/console/tour/b1?node=P03',
      title: 'Separator area',
      at: '2026-11-20T10:00:00Z',
    };
    const storage: BrowserStorage = {
      get: <T,>() => session as T,
      set: () => undefined,
      remove: () => undefined,
      clear: () => undefined,
      onChange: () => () => undefined,
    };
    const services = [[BrowserStorage, storage]] as const;
    const first = await renderNode(<HomeScreen />, { services });
    const link = await screen.findByRole('link', { name: /Continue where you left off/ });
    expect(link.getAttribute('href')).toBe('/dashboard/console/tour/b1?node=P03');
    expect(link.textContent).toContain('Bravo › Process module › Separator area, Nov 20, 2026, 03:30 PM GMT+5:30');
    first.unmount();
    await renderNode(<HomeScreen />, { services, server: buildServer(rows.filter(({ uid }) => uid === 'a')) });
    await screen.findByRole('link', { name: /lesund/ });
    expect(screen.queryByRole('link', { name: /Continue/ })).toBeNull();
  });

  it('is shown in French', async () => {
    await renderNode(<HomeScreen />, { language: 'fr' });
    expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe('Où souhaitez-vous aller\u00a0?');
  });
});

describe('unit selection', () => {
  it('[RTE-08:unit] is at /console/unit/{location}', async () => {
    await renderApp({ plugins, server: buildServer(rows), url: '/console/unit/b' });
    expect(await screen.findByRole('navigation', { name: 'Units of Bravo' })).toBeDefined();
  });

  it('[LOC-04] shows the units as areas of the image and as a tree, each with a link to its tour', async () => {
    await renderNode(unitScreen, { url: '/console/unit/b' });
    const tree = await screen.findByRole('navigation', { name: 'Units of Bravo' });
    expect(
      within(tree)
        .getAllByRole('link')
        .map((link) => link.getAttribute('href')),
    ).toEqual(['/dashboard/console/tour/b1', '/dashboard/console/tour/b1a']);
    expect(screen.getByRole('img', { name: 'Aerial view of Bravo' })).toBeDefined();
    expect(screen.getByRole('link', { name: 'Open the tour of Process module' })).toBeDefined();
  });

  it('lists units without links if no plugin has a screen for them', async () => {
    await renderNode(unitScreen, { plugins: plugins.filter(({ id }) => id === 'locations'), url: '/console/unit/b' });
    const tree = await screen.findByRole('navigation', { name: 'Units of Bravo' });
    expect(within(tree).getByText('Process module')).toBeDefined();
    expect(await screen.findByRole('img', { name: 'Aerial view of Bravo' })).toBeDefined();
    expect(screen.queryByRole('link', { name: /Process module/ })).toBeNull();
  });

  it('[LOC-04] says on the image and in the tree that a unit has no tour', async () => {
    const listLocations = async () => ['b1a'];
    await renderNode(unitScreen, { plugins: buildPlugins({ listLocations }), url: '/console/unit/b' });
    const tree = await screen.findByRole('navigation', { name: 'Units of Bravo' });
    expect(await screen.findByRole('img', { name: 'Process module: no tour available' })).toBeDefined();
    expect(screen.queryByRole('link', { name: /Process module/ })).toBeNull();
    // On the area, in the legend that replaces it on a small picture, and in the tree.
    expect(screen.getAllByText('No tour available')).toHaveLength(3);
    const [unit] = within(tree).getAllByRole('listitem');
    expect(unit?.textContent).toMatch(/^Process module.*No tour available/);
    expect(within(tree).getByRole('link', { name: /^Cellar deck/ }).textContent).not.toContain('No tour');
  });

  it('[LOC-04] shows units only once it is known which of them have a tour', async () => {
    const { answer, resolve } = createPendingAnswer();
    await renderNode(unitScreen, {
      plugins: buildPlugins({ listLocations: () => answer }),
      url: '/console/unit/b',
    });
    // Everything else must be loaded, so that only the answer renders the screen again.
    expect(await screen.findByRole('img', { name: 'Aerial view of Bravo' })).toBeDefined();
    expect(screen.queryByText('Process module')).toBeNull();
    expect(screen.queryByRole('link')).toBeNull();
    expect(screen.getByLabelText('Loading')).toBeDefined();
    await act(async () => resolve(['b1a']));
    expect(screen.getByRole('img', { name: 'Process module: no tour available' })).toBeDefined();
    expect(screen.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
      '/dashboard/console/tour/b1a',
    ]);
  });

  it('[LOC-04] keeps the links during a retry, and marks the units without a tour afterwards', async () => {
    const { answer, resolve } = createPendingAnswer();
    const listLocations = vi
      .fn<() => Promise<readonly string[]>>()
      .mockRejectedValueOnce(new ApiError(0, undefined))
      .mockReturnValue(answer);
    await renderNode(unitScreen, { plugins: buildPlugins({ listLocations }), url: '/console/unit/b' });
    expect(await screen.findByRole('link', { name: 'Open the tour of Process module' })).toBeDefined();
    await goOnline();
    expect(listLocations).toHaveBeenCalledTimes(2);
    expect(screen.getByRole('link', { name: 'Open the tour of Process module' })).toBeDefined();
    await act(async () => resolve(['b1a']));
    expect(screen.getByRole('img', { name: 'Process module: no tour available' })).toBeDefined();
  });

  it('[LOC-04] links all units if the list of units with a tour cannot be loaded', async () => {
    const listLocations = vi.fn(async () => Promise.reject(new Error('lost')));
    await renderNode(unitScreen, { plugins: buildPlugins({ listLocations }), url: '/console/unit/b' });
    expect(await screen.findByRole('link', { name: 'Open the tour of Process module' })).toBeDefined();
    await waitFor(() => expect(listLocations).toHaveBeenCalled());
    expect(screen.queryByText('No tour available')).toBeNull();
  });

  it('opens a tour from the image by keyboard', async () => {
    const { user } = await renderNode(unitScreen, { url: '/console/unit/b' });
    const area = await screen.findByRole('link', { name: 'Open the tour of Process module' });
    area.focus();
    await user.keyboard('{Enter}');
    expect(window.location.pathname).toBe('/dashboard/console/tour/b1');
  });

  it('reports an unknown location and a location without units', async () => {
    const first = await renderNode(unitScreen, { url: '/console/unit/zulu' });
    expect(await screen.findByText('This location is not available to you')).toBeDefined();
    first.unmount();
    await renderNode(unitScreen, { url: '/console/unit/a' });
    expect(await screen.findByText('This location has no units yet')).toBeDefined();
  });

  it('offers to load a failed image again, and loads it when the connection returns', async () => {
    const { user, container } = await renderNode(unitScreen, { url: '/console/unit/b' });
    const description = { name: 'Aerial view of Bravo' };
    const findImage = () => container.querySelector('figure img')!;
    await screen.findByRole('img', description);
    fireEvent.error(findImage());
    expect(screen.getByText('The picture could not be loaded.')).toBeDefined();
    expect(screen.queryByRole('link', { name: 'Open the tour of Process module' })).toBeNull();
    const tree = screen.getByRole('navigation', { name: 'Units of Bravo' });
    expect(within(tree).getAllByRole('link')).toHaveLength(2);
    const retryButton = screen.getByRole('button', { name: 'Try again' });
    await user.click(retryButton);
    expect(document.activeElement).toBe(retryButton);
    expect(retryButton.getAttribute('aria-disabled')).toBe('true');
    fireEvent.error(findImage());
    expect(document.activeElement).toBe(retryButton);
    expect(retryButton.getAttribute('aria-disabled')).toBeNull();
    await goOnline();
    fireEvent.load(findImage());
    expect(screen.getByRole('img', description)).toBeDefined();
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
    expect(document.activeElement?.contains(findImage())).toBe(true);
    expect(document.activeElement).not.toBe(document.body);
  });

  it('announces a failed image in a status element that was on the page before and contains only text', async () => {
    const { container } = await renderNode(unitScreen, { url: '/console/unit/b' });
    await screen.findByRole('img', { name: 'Aerial view of Bravo' });
    const statuses = screen.getAllByRole('status');
    fireEvent.error(container.querySelector('figure img')!);
    const status = screen.getByText('The picture could not be loaded.');
    expect(statuses).toContain(status);
    expect(status.querySelector('button')).toBeNull();
  });

  it('offers to load the list of images again after a failure, and keeps the card until the reply', async () => {
    const server = buildServer(rows).on('GET /api/location-pictures', { status: 500 });
    const { user } = await renderNode(unitScreen, { server, url: '/console/unit/b' });
    const retryButton = await screen.findByRole('button', { name: 'Try again' });
    const columns = screen.getByRole('navigation', { name: 'Units of Bravo' }).parentElement;
    const { className } = columns!;
    let sendReply: (reply: FakeReply) => void = () => undefined;
    server.on('GET /api/location-pictures', () => new Promise((resolve) => (sendReply = resolve)));
    await user.click(retryButton);
    expect(document.activeElement).toBe(retryButton);
    expect(retryButton.getAttribute('aria-disabled')).toBe('true');
    expect(columns!.className).toBe(className);
    await act(async () => sendReply({ status: 200, body: pictures }));
    expect(await screen.findByRole('img', { name: 'Aerial view of Bravo' })).toBeDefined();
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
    expect(document.activeElement).not.toBe(document.body);
  });

  it.each([
    ['en', 'You are offline. Only loaded content can be seen.'],
    ['fr', 'Vous êtes hors ligne. Seul le contenu déjà chargé est visible.'],
  ] as const)('reports a lost connection in %s', async (language, text) => {
    const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true);
    const server = buildServer(rows);
    await renderNode(unitScreen, { server, language, url: '/console/unit/b' });
    await screen.findByRole('navigation');
    server.on('GET /api/me', loseConnection);
    online.mockReturnValue(false);
    act(() => void window.dispatchEvent(new Event('offline')));
    expect(await screen.findByText(text)).toBeDefined();
    online.mockReturnValue(true);
    await goOnline();
    expect(screen.queryByText(text)).toBeNull();
    online.mockRestore();
  });

  it('reports a lost connection also if no locations could be loaded', async () => {
    const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true);
    const server = buildServer(rows).on('GET /api/locations', loseConnection);
    await renderNode(unitScreen, { server, url: '/console/unit/b' });
    expect(await screen.findByRole('button', { name: 'Try again' })).toBeDefined();
    server.on('GET /api/me', loseConnection);
    online.mockReturnValue(false);
    act(() => void window.dispatchEvent(new Event('offline')));
    expect(await screen.findByText('You are offline. Only loaded content can be seen.')).toBeDefined();
    online.mockRestore();
  });
});
