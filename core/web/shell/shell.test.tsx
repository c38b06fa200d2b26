import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { basePath, contribute, routeRef, routes, type LocationRow } from '#core';
import {
  adminGroups,
  banners,
  headerParts,
  Locations,
  noticeAreas,
  useText,
  webPlugin,
  type InstalledPlugin,
  type NoticeAreaProps,
  type WebPlugin,
} from '#core/web';
import { buildMe, buildProduct, FakeServer, renderApp, type WebSetup } from '#core/testing/web';
// Preloads lazy code, so that no test waits for a compiler.
import './admin-drawer.tsx';
import './admin-menu.tsx';
import './header-tools.tsx';
import { components } from './app-components.ts';

const thing = routeRef('parts.thing', 'admin/console/thing');
const people = routeRef('parts.people', 'admin/console/people');
const groupedRoute = routeRef('parts.grouped', 'admin/console/grouped');
const chart = routeRef('parts.chart', 'admin/console/dashboard/permits');
const ungroupedRoute = routeRef('parts.loose', 'admin/console/loose');
const { home, location: unit } = routes;
const ownRoute = routeRef('parts.own', 'console/own');

function Screen() {
  return <h1>{useText()('parts.content')}</h1>;
}
const load = async () => ({ default: Screen });

const loadNotices = vi.fn(async () => ({ default: ({ area }: NoticeAreaProps) => <p>{`Notices at the ${area}`}</p> }));

const web: WebPlugin = webPlugin()({
  routes: [
    { routeRef: home, title: 'parts.home', audience: 'user', category: 'TOUR', load },
    { routeRef: unit, title: 'parts.unit', audience: 'user', category: 'TOUR', load },
    { routeRef: ownRoute, title: 'parts.own', audience: 'user', category: 'TOUR', load },
    { routeRef: thing, title: 'parts.thing', audience: 'admin', category: 'ADMIN', access: 'configure', load },
    { routeRef: people, title: 'parts.people', audience: 'admin', category: 'ADMIN', load },
  ],
  menu: [
    { id: 'parts.ownItem', slot: 'person.menu', to: ownRoute, order: 10 },
    { id: 'parts.headerItem', slot: 'user.header', to: ownRoute, order: 10 },
    { id: 'parts.thingItem', slot: 'admin.sidebar', to: thing, order: 20, group: 'configuration' },
    { id: 'parts.peopleItem', slot: 'admin.sidebar', to: people, order: 10, group: 'people' },
  ],
  contributions: [
    contribute(headerParts, {
      id: 'parts.search',
      order: 10,
      slot: 'middle',
      load: async () => ({ default: () => <input aria-label="Search" /> }),
    }),
    contribute(banners, {
      id: 'parts.banner',
      order: 10,
      area: 'bottom',
      load: async () => ({ default: () => <p>Maintenance tonight</p> }),
    }),
    contribute(noticeAreas, { id: 'parts.notices', order: 10, load: loadNotices }),
  ],
  messages: {
    en: async () => ({
      default: {
        'parts.content': 'The content',
        'parts.home': 'Where to?',
        'parts.unit': 'Unit',
        'parts.own': 'My things',
        'parts.thing': 'Thing',
        'parts.people': 'Persons',
        'parts.group': 'Our group',
        'parts.chart': 'Permits in figures',
      },
    }),
  },
});
const plugin: InstalledPlugin = { id: 'parts', settings: {}, web, bridges: [] };
const locations: readonly LocationRow[] = [
  { uid: 'n', label: 'N', name: 'North Alpha', parent: null, root: 'n', locationType: 'PRIMARY_LOCATION' },
  { uid: 'd', label: 'D', name: 'Process deck', parent: 'n', root: 'n', locationType: 'PLATFORM_UNIT' },
];

function fakeServer(): FakeServer {
  return new FakeServer()
    .on('GET /api/locations', { status: 200, body: locations })
    .on('POST /auth/pub/user/logout', { status: 200, body: {} })
    .on('PUT /api/me/preferences', ({ body }) => ({ status: 200, body }));
}

/** Makes media queries match as in a window of this width in pixels. */
function setWindowWidth(width: number) {
  window.matchMedia = (query) =>
    Object.assign(new EventTarget(), {
      matches: width <= Number(/max-width: (\d+)px/.exec(query)?.[1] ?? -1),
      media: query,
      onchange: null,
      addListener: () => undefined,
      removeListener: () => undefined,
    });
}

beforeEach(() => {
  // In development, Fluent warns of a missing theme object. The product's theme is a stylesheet.
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
});

function open(url: string, setup: WebSetup & { readonly width?: number } = {}) {
  setWindowWidth(setup.width ?? 1440);
  return renderApp({ plugins: [plugin], components, server: fakeServer(), ...setup, url });
}

const admin = buildMe({ isAdmin: true, userType: 'TENANT_ADMIN' });

describe('UserShell', () => {
  it('shows the product’s logo and short name, linked to home, and the contributed search', async () => {
    await open('/console/own', { product: buildProduct({ shortName: 'Halvorsen' }) });
    expect(screen.getByRole('link', { name: 'Halvorsen, home' }).getAttribute('href')).toBe(`${basePath}/console/home`);
    expect(within(screen.getByRole('banner')).getByLabelText('Search')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'My things' }).getAttribute('aria-current')).toBe('page');
  });

  it('shows the logo for dark backgrounds if the product has one', async () => {
    await open('/console/own', { product: buildProduct({ logo: '/light.svg', logoDark: '/dark.svg' }) });
    const logos = [...screen.getByRole('banner').querySelectorAll('a img')];
    expect(logos.map((logo) => logo.getAttribute('src'))).toEqual(['/light.svg', '/dark.svg']);
    const root = document.documentElement;
    const theme = root.dataset['theme'];
    onTestFinished(() => {
      if (theme === undefined) delete root.dataset['theme'];
      else root.dataset['theme'] = theme;
    });
    const listVisible = (name: string) => {
      root.dataset['theme'] = name;
      return logos.filter((logo) => getComputedStyle(logo).display !== 'none').map((logo) => logo.getAttribute('src'));
    };
    expect([listVisible('light'), listVisible('dark'), listVisible('contrast')]).toEqual([
      ['/light.svg'],
      ['/dark.svg'],
      ['/dark.svg'],
    ]);
  });

  it('[RTE-07] contains the inner screens and a skip link to them', async () => {
    const { user } = await open('/console/own');
    expect(within(screen.getByRole('main')).getByRole('heading', { name: 'The content' })).toBeTruthy();
    await user.click(screen.getByRole('link', { name: 'Skip to content' }));
    expect(document.activeElement).toBe(screen.getByRole('main'));
  });

  it('[LOC-06] shows notices and plugin banners at the top and the bottom', async () => {
    const { core, user } = await open('/console/own');
    const area = (name: 'top' | 'bottom') =>
      within(document.querySelector<HTMLElement>(`[data-area=${name}]`) ?? document.body);
    await act(async () => {
      core.notifications.show({
        id: 'a',
        kind: 'warning',
        area: 'top',
        message: 'core.failed.offline',
        dismissable: true,
      });
      core.notifications.show({ id: 'b', kind: 'info', area: 'bottom', message: 'core.loading', dismissable: false });
    });
    expect(area('top').getByText('The server could not be reached')).toBeTruthy();
    expect(area('bottom').getByText('Loading')).toBeTruthy();
    expect(area('bottom').getByText('Maintenance tonight')).toBeTruthy();
    expect(area('bottom').queryByRole('button', { name: 'Dismiss' })).toBeNull();
    await user.click(area('top').getByRole('button', { name: 'Dismiss' }));
    expect(area('top').queryByText('The server could not be reached')).toBeNull();
    await user.click(screen.getByRole('button', { name: /^Notifications/ }));
    expect(await screen.findByText('The server could not be reached')).toBeTruthy();
  });

  it('loads the code for notices of admins once there are notices, without a reload of the page', async () => {
    const { core } = await open('/console/own');
    expect(loadNotices).not.toHaveBeenCalled();
    await act(async () => core.session.showNotices());
    expect(await screen.findByText('Notices at the top')).toBeTruthy();
    expect(document.querySelector('[data-area=bottom]')?.textContent).toContain('Notices at the bottom');
  });

  it('[SES-08] [SES-11] shows an expired session in a red banner whose link opens the login in a new tab', async () => {
    const { core } = await open('/console/own');
    await act(async () =>
      core.notifications.show({
        id: 'core.session.expired',
        kind: 'error',
        area: 'top',
        message: 'core.session.expired',
        action: { label: 'core.login', href: '/dashboard/login', newTab: true },
        dismissable: false,
      }),
    );
    const banner = screen.getByRole('alert');
    expect(banner.textContent).toBe(
      'Your session has expired. Please click Login to login again in a new tab. On successful login you can come ' +
        'back to this tab and continue your work.',
    );
    const link = screen.getByRole('link', { name: 'Login (opens in a new tab)' });
    expect([link.getAttribute('href'), link.getAttribute('target')]).toEqual(['/dashboard/login', '_blank']);
    expect(banner.closest('.fui-MessageBar')?.querySelector('.fui-MessageBar__icon')).toBeTruthy();
  });

  it('runs the action of a notice', async () => {
    const { core, user } = await open('/console/own');
    const run = vi.fn();
    await act(async () =>
      core.notifications.show({
        id: 'u',
        kind: 'info',
        area: 'bottom',
        message: 'core.update.ready',
        action: { label: 'core.update.apply', run },
        dismissable: true,
      }),
    );
    await user.click(screen.getByRole('button', { name: core.i18n.text('core.update.apply') }));
    expect(run).toHaveBeenCalledOnce();
  });

  it('shows breadcrumbs with a link to each parent', async () => {
    const { core } = await open('/console/unit/d');
    await act(async () => core.host.root.get(Locations).load());
    const breadcrumbs = within(screen.getByRole('navigation', { name: 'You are here' }));
    expect(breadcrumbs.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
      'Home',
      'North Alpha',
      'Process deck',
    ]);
    expect(breadcrumbs.getByRole('link', { name: 'North Alpha' }).getAttribute('href')).toBe(
      `${basePath}/console/unit/n`,
    );
    expect(breadcrumbs.getByText('Process deck').getAttribute('aria-current')).toBe('page');
  });

  it('shows no breadcrumbs at home', async () => {
    await open('/console/home');
    expect(screen.queryByRole('navigation', { name: 'You are here' })).toBeNull();
  });

  it('changes the language and the theme', async () => {
    const { core, user } = await open('/console/own');
    await user.click(screen.getByRole('button', { name: /^EN, Language/ }));
    await user.click(await screen.findByRole('menuitemradio', { name: 'Français' }));
    await waitFor(() => expect(core.i18n.language).toBe('fr'));
    await user.click(await screen.findByRole('button', { name: 'Apparence' }));
    await user.click(await screen.findByRole('menuitemradio', { name: 'Sombre' }));
    expect(document.documentElement.dataset['theme']).toBe('dark');
  });

  it('has a person menu with name, pages and logout', async () => {
    const { page, server, user } = await open('/console/own');
    await user.click(screen.getByRole('button', { name: 'Your account, Ada' }));
    const menu = within(await screen.findByRole('menu'));
    expect(screen.getByText('ada@example.com')).toBeTruthy();
    expect((await menu.findByRole('menuitem', { name: 'My things' })).getAttribute('href')).toBe(
      `${basePath}/console/own`,
    );
    expect(menu.queryByRole('menuitem', { name: 'Administration' })).toBeNull();
    await user.click(menu.getByRole('menuitem', { name: 'Log out' }));
    await waitFor(() => expect(page.opened).toEqual(['/login']));
    expect(server.sentTo('POST /auth/pub/user/logout')).toHaveLength(1);
  });

  it('closes an open menu when the person goes back to another screen', async () => {
    const { user } = await open('/console/home');
    const button = () => screen.getByRole('button', { name: 'Your account, Ada' });
    await user.click(button());
    await user.click(await screen.findByRole('menuitem', { name: 'My things' }));
    await user.click(button());
    await screen.findByRole('menu');
    await act(async () => {
      const isBack = new Promise((resolve) => addEventListener('popstate', resolve, { once: true }));
      history.back();
      await isBack;
    });
    expect([location.pathname, screen.queryByRole('menu')]).toEqual([`${basePath}/console/home`, null]);
  });

  it('shows language, theme and header links in the person menu on a phone', async () => {
    const { user } = await open('/console/own', { width: 390 });
    expect(screen.queryByRole('button', { name: /^EN, Language/ })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Your account, Ada' }));
    expect(await screen.findByRole('menuitemradio', { name: 'Français' })).toBeTruthy();
    expect(screen.getByRole('menuitemradio', { name: 'High contrast' })).toBeTruthy();
    expect(await screen.findAllByRole('menuitem', { name: 'My things' })).toHaveLength(2);
  });
});

describe('AdminShell', () => {
  it('[ADM-12] has a menu 240 px wide of contributed items under collapsible headings', async () => {
    const { user } = await open('/admin/console/thing', { me: admin });
    const menu = within(screen.getByRole('navigation', { name: 'Administration menu' }));
    expect(menu.getAllByRole('button').map((button) => button.textContent)).toEqual(['People', 'Configuration']);
    expect(menu.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('aria-current')])).toEqual([
      ['Persons', null],
      ['Thing', 'page'],
    ]);
    const columns = getComputedStyle(
      screen.getByTestId('admin-sidebar').parentElement ?? document.body,
    ).gridTemplateColumns;
    expect(columns).toMatch(/^240px /);
    await user.click(menu.getByRole('button', { name: 'People' }));
    expect(menu.queryByRole('link', { name: 'Persons' })).toBeNull();
  });

  it('sorts contributed headings and shows items of an unknown heading under General', async () => {
    const menu = [
      ...(web.menu ?? []),
      { id: 'parts.groupedItem', slot: 'admin.sidebar', to: groupedRoute, order: 10, group: 'parts.group' },
      { id: 'parts.looseItem', slot: 'admin.sidebar', to: ungroupedRoute, order: 20, group: 'absent.group' },
    ] as const;
    const addedRoutes = [groupedRoute, ungroupedRoute].map(
      (ref) => ({ routeRef: ref, title: 'parts.thing', audience: 'admin', category: 'ADMIN', load }) as const,
    );
    const contributions = [contribute(adminGroups, { id: 'parts.group', order: 300, title: 'parts.group' })];
    await open('/admin/console/thing', {
      me: admin,
      plugins: [{ ...plugin, web: { ...web, menu, routes: [...(web.routes ?? []), ...addedRoutes], contributions } }],
    });
    const sidebar = within(screen.getByRole('navigation', { name: 'Administration menu' }));
    expect(sidebar.getAllByRole('button').map((button) => button.textContent)).toEqual([
      'People',
      'Our group',
      'Configuration',
      'General',
    ]);
  });

  it('[ADM-12] hides and shows the menu, also after a reload', async () => {
    const { user, unmount } = await open('/admin/console/thing', { me: admin });
    await user.click(screen.getByRole('button', { name: 'Hide menu' }));
    expect(screen.queryByRole('navigation', { name: 'Administration menu' })).toBeNull();
    unmount();
    const secondRender = await open('/admin/console/thing', { me: admin });
    expect(screen.queryByRole('navigation', { name: 'Administration menu' })).toBeNull();
    await secondRender.user.click(screen.getByRole('button', { name: 'Show menu' }));
    expect(screen.getByRole('navigation', { name: 'Administration menu' })).toBeTruthy();
  });

  it('[ADM-12] shows the menu in a drawer on small screens, and closes the drawer on selection', async () => {
    const { user } = await open('/admin/console/thing', { me: admin, width: 390 });
    expect(screen.queryByRole('navigation', { name: 'Administration menu' })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Show menu' }));
    await user.click(await screen.findByRole('link', { name: 'Persons' }));
    expect(location.pathname).toBe(`${basePath}/admin/console/people`);
    await waitFor(() =>
      expect(screen.getByRole('button', { name: 'Show menu' }).getAttribute('aria-expanded')).toBe('false'),
    );
  });

  it('shows only the menu items that the person’s flags allow', async () => {
    await open('/admin/console/people', {
      me: buildMe({ isAdmin: true, access: { flags: [], locations: 'ALL', deactivatedRoles: [] } }),
    });
    expect(
      within(screen.getByRole('navigation', { name: 'Administration menu' }))
        .getAllByRole('link')
        .map((link) => link.textContent),
    ).toEqual(['Persons']);
  });

  it('[ACC-02] shows only a dashboard to a person with its flag who is not an admin', async () => {
    const me = buildMe({ access: { flags: ['permitDashboardAccess'], locations: 'ALL', deactivatedRoles: [] } });
    const item = { id: 'parts.chartItem', slot: 'admin.sidebar', to: chart, order: 30 } as const;
    const route = {
      routeRef: chart,
      title: 'parts.chart',
      audience: 'admin',
      category: 'DASHBOARD',
      access: 'permitDashboardAccess' as never,
      load,
    } as const;
    const webWithChart = { ...web, menu: [...(web.menu ?? []), item], routes: [...(web.routes ?? []), route] };
    const { user } = await open('/console/own', { me, plugins: [{ ...plugin, web: webWithChart }] });
    await user.click(screen.getByRole('button', { name: 'Your account, Ada' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Administration' }));
    const menu = within(await screen.findByRole('navigation', { name: 'Administration menu' }));
    expect(menu.getAllByRole('link').map((link) => link.textContent)).toEqual(['Permits in figures']);
    await user.click(menu.getByRole('link', { name: 'Permits in figures' }));
    expect(within(screen.getByRole('main')).getByRole('heading', { name: 'The content' })).toBeTruthy();
  });

  it('opens an overview of all admin items', async () => {
    await open('/admin/console', { me: admin });
    const content = within(screen.getByRole('main'));
    expect(content.getByRole('heading', { level: 1, name: 'Administration' })).toBeTruthy();
    expect(content.getByRole('link', { name: 'Persons' }).getAttribute('href')).toBe(
      `${basePath}/admin/console/people`,
    );
  });

  it.each([
    [
      'the product has no admin page',
      [],
      'This product has no administration pages yet',
      /Your roles are not the cause/,
    ],
    [
      'the roles grant no access to any admin page',
      ['parts.thingItem'],
      'Your account has no administration pages',
      /Continue in the application/,
    ],
  ])('explains the empty administration if %s', async (_, items, title, hint) => {
    const menu = web.menu?.filter(({ slot, id }) => slot !== 'admin.sidebar' || items.includes(id)) ?? [];
    const me = buildMe({ isAdmin: true, access: { flags: [], locations: 'ALL', deactivatedRoles: [] } });
    await open('/admin/console', { me, plugins: [{ ...plugin, web: { ...web, menu } }] });
    const content = within(screen.getByRole('main'));
    expect(content.getByRole('heading', { level: 1, name: title })).toBeTruthy();
    expect(content.getByText(hint)).toBeTruthy();
  });

  it('[ACC-05] leads a person without administration pages from the admin login to the application', async () => {
    const me = buildMe({ isAdmin: false, access: { flags: [], locations: 'ALL', deactivatedRoles: [] } });
    const { user } = await open('/admin/console', { me });
    expect(screen.getByRole('heading', { level: 1, name: 'Your account has no administration pages' })).toBeTruthy();
    expect(screen.queryByText('You do not have access to the application')).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Open the application' }));
    expect(location.pathname).toBe(`${basePath}/console/home`);
  });

  it('leads home by the person menu, which offers the administration there', async () => {
    const { user } = await open('/admin/console', { me: admin });
    await user.click(screen.getByRole('button', { name: 'Your account, Ada' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Home' }));
    expect(location.pathname).toBe(`${basePath}/console/home`);
    await user.click(await screen.findByRole('button', { name: 'Your account, Ada' }));
    expect(await screen.findByRole('menuitem', { name: 'Administration' })).toBeTruthy();
  });
});
