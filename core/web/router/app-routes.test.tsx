import { act, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { basePath, routeRef, routes, type AccessFlag } from '#core';
import {
  ChunkLoadError,
  Navigation,
  routeCategories,
  RouteLink,
  Routes,
  UnsavedWork,
  useService,
  useUnsavedWork,
  type InstalledPlugin,
  type RouteDeclaration,
} from '#core/web';
import { buildMe, ConnectionLostError, FakeServer, renderApp } from '#core/testing/web';

const unit = routeRef('fixture.unit', 'console/unit/:location');
const report = routeRef('fixture.report', 'admin/console/reports');
const tour = routeRef('fixture.tour', 'console/tour/:location');
const form = routeRef('fixture.form', 'console/form');

let repaired = false;
const screens: Record<string, () => React.ReactNode> = {
  home: () => (
    <>
      <h1>Home</h1>
      <RouteLink to={unit} params={{ location: 'north a' }}>
        to unit
      </RouteLink>
      <RouteLink to={report}>to report</RouteLink>
      <RouteLink to={routeRef('absent.screen', 'console/absent')}>to absent</RouteLink>
    </>
  ),
  unit: () => <h1>Unit</h1>,
  view: () => <h1>Tour</h1>,
  report: () => <h1>Report</h1>,
  throws: () => {
    if (!repaired) throw new Error('drawing failed');
    return <h1>Fixed</h1>;
  },
  form: function Form() {
    const [note, setNote] = useState('');
    useUnsavedWork(note !== '', 'fixture.form');
    const navigation = useService(Navigation);
    return (
      <>
        <h1>Form</h1>
        <input aria-label="note" value={note} onChange={(event) => setNote(event.target.value)} />
        <button type="button" onClick={() => navigation.goTo(unit, { location: 'x' })}>
          leave
        </button>
        <button type="button" onClick={() => navigation.goToUrl('/console/form?tab=2')}>
          other tab
        </button>
      </>
    );
  },
};
let loads: Record<string, () => Promise<{ readonly default: () => React.ReactNode }>>;

function fixture(): InstalledPlugin {
  const route = (
    name: string,
    ref: RouteDeclaration['routeRef'],
    overrides: Partial<RouteDeclaration> = {},
  ): RouteDeclaration => ({
    routeRef: ref,
    title: `fixture.${name}`,
    audience: 'user',
    category: 'TOUR',
    load: () => loads[name]?.() ?? Promise.resolve({ default: screens[name] ?? (() => null) }),
    ...overrides,
  });
  return {
    id: 'fixture',
    settings: {},
    bridges: [],
    web: {
      routes: [
        route('home', routes.home),
        route('unit', unit),
        route('view', tour, { audience: 'bare' }),
        route('report', report, {
          audience: 'admin',
          category: 'ADMIN',
          access: 'userManagement' as AccessFlag as never,
        }),
        route('throws', routeRef('fixture.throws', 'console/throws')),
        route('form', form),
        route('chart', routeRef('fixture.chart', 'admin/console/dashboard/tours'), {
          audience: 'admin',
          category: 'DASHBOARD',
          access: 'tourDashboardAccess' as never,
        }),
      ],
      menu: [{ id: 'fixture.menu', slot: 'admin.sidebar', to: report, order: 10 }],
      messages: {
        en: () =>
          Promise.resolve({
            default: Object.fromEntries(
              [...Object.keys(screens), 'chart'].map((name) => [`fixture.${name}`, `The ${name}`]),
            ),
          }),
      },
    },
  };
}

const openApp = (url: string, setup: Parameters<typeof renderApp>[0] = {}) =>
  renderApp({ plugins: [fixture()], url, ...setup });
const readUrl = () => window.location.pathname.slice(basePath.length) + window.location.search;

beforeEach(() => {
  repaired = false;
  loads = {};
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe('core routes', () => {
  it('[RTE-01] redirects / to the login', async () => {
    const { page } = await openApp('/');
    expect(page.opened).toEqual(['/login']);
  });

  it.each(['/login', '/adminlogin', '/login/admin', '/login/register'])(
    '[RTE-04] [RTE-05] leaves %s to the sign-in page',
    async (url) => {
      const { page } = await openApp('/console/home');
      page.opened.length = 0;
      await act(async () => {
        window.history.pushState(null, '', basePath + url);
        window.dispatchEvent(new PopStateEvent('popstate'));
      });
      expect(page.opened).toEqual([url]);
    },
  );

  it('[RTE-02] shows the not-found page at /404, outside the shell', async () => {
    await openApp('/404');
    expect(screen.getByRole('heading', { name: 'Page not found' })).toBeDefined();
    expect(screen.queryByRole('main')).toBeNull();
  });

  it('[RTE-02] [RTE-07] shows the not-found page for an unknown inner path inside the main shell', async () => {
    await openApp('/console/no-such-thing');
    expect(screen.getByRole('main').textContent).toContain('Page not found');
  });

  it('[RTE-03] shows error pages at /500 and /403', async () => {
    const first = await openApp('/500');
    expect(screen.getByRole('heading', { name: 'An error occurred. Please refresh page' })).toBeDefined();
    first.unmount();
    await openApp('/403');
    expect(screen.getByRole('heading', { name: 'You do not have access to this page' })).toBeDefined();
  });

  it('[RTE-06] shows a loading message at /loading', async () => {
    await openApp('/loading');
    expect(screen.getByRole('status').textContent).toBe('Loading');
  });

  it('[RTE-08:home] redirects the inner /dashboard to home', async () => {
    await openApp('/dashboard');
    expect(screen.getByRole('heading', { name: 'Home' })).toBeDefined();
    expect(readUrl()).toBe('/console/home');
  });

  it('[RTE-08:no-access] [SES-15] explains at /console/no-access how to get access', async () => {
    await openApp('/console/no-access');
    expect(screen.getByRole('main').textContent).toBe(
      'You do not have access to the applicationPlease request access from the admin.',
    );
  });

  it('leads an admin from /admin/console to the first screen of the menu', async () => {
    await openApp('/admin/console', { me: buildMe({ isAdmin: true }) });
    expect(await screen.findByRole('heading', { name: 'Report' })).toBeDefined();
  });
});

describe('guards', () => {
  it('[RTE-16] redirects an anonymous visitor to the login with the requested URL', async () => {
    const { page } = await openApp('/console/unit/north%20a?floor=2#pump', { me: null });
    expect(page.opened).toEqual([`/login?next=${encodeURIComponent('/console/unit/north%20a?floor=2#pump')}`]);
  });

  it('[RTE-16] redirects from the admin area to the admin login', async () => {
    const { page } = await openApp('/admin/console/reports', { me: null });
    expect(page.opened).toEqual([`/adminlogin?next=${encodeURIComponent('/admin/console/reports')}`]);
  });

  it('[RTE-16] opens a deep link after sign-in', async () => {
    await openApp('/console/unit/north%20a');
    expect(await screen.findByRole('heading', { name: 'Unit' })).toBeDefined();
  });

  it('[ACC-02] explains a missing flag and loads no code', async () => {
    loads['report'] = () => Promise.reject(new Error('must not be loaded'));
    await openApp('/admin/console/dashboard/tours', {
      me: buildMe({ isAdmin: true, access: { flags: ['import'], locations: 'ALL', deactivatedRoles: [] } }),
    });
    expect(screen.getByRole('main').textContent).toBe(
      'You do not have access to the dashboardsPlease request access from the admin.',
    );
  });

  it('[ACC-02] opens a dashboard to a person with its flag who is not an admin', async () => {
    const me = buildMe({ access: { flags: ['tourDashboardAccess'], locations: 'ALL', deactivatedRoles: [] } });
    const { unmount } = await openApp('/admin/console/dashboard/tours', { me });
    expect(screen.getByRole('main').textContent).toBe('');
    expect(document.title).toBe('The chart · Test plant');
    unmount();
    await openApp('/admin/console/reports', { me });
    expect(screen.getByRole('main').textContent).toContain('You do not have access to the application');
  });

  it('[ACC-02] closes a dashboard to everybody without the flag, admin or not', async () => {
    const me = buildMe({ access: { flags: ['userManagement'], locations: 'ALL', deactivatedRoles: [] } });
    for (const isAdmin of [false, true]) {
      const { unmount } = await openApp('/admin/console/dashboard/tours', { me: { ...me, isAdmin } });
      expect(screen.getByRole('main').textContent).toContain('You do not have access to the dashboards');
      unmount();
    }
  });

  it('[RTE-16] redirects an anonymous visitor from a dashboard to the user login', async () => {
    const { page } = await openApp('/admin/console/dashboard/tours', { me: null });
    expect(page.opened).toEqual([`/login?next=${encodeURIComponent('/admin/console/dashboard/tours')}`]);
  });

  it.each(['/admin/console', '/admin/console/reports', '/admin/console/no-such-thing'])(
    '[ACC-05] closes the admin area to people who are not admins: %s',
    async (url) => {
      const me = buildMe({ access: { flags: ['userManagement'], locations: 'ALL', deactivatedRoles: [] } });
      await openApp(url, { me });
      expect(screen.getByRole('main').textContent).toContain('You do not have access to the application');
    },
  );

  it('[RTE-08:account-deactivate] [SES-05] [SES-14] says that the account is inactive and leads back to the login', async () => {
    const server = new FakeServer().on('POST /auth/pub/user/logout', { status: 200, body: {} });
    const { core, user, page } = await openApp('/console/home', { server });
    await act(async () => core.tokenManager.setInactive());
    expect(readUrl()).toBe('/console/account-deactivate');
    expect(screen.getByRole('heading', { name: 'Your Account is Inactive' })).toBeDefined();
    expect(screen.getByText('Please ask your admin to activate it.')).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Back to login' }));
    await waitFor(() => expect(page.opened).toEqual(['/login?error=userData']));
  });
});

describe('links', () => {
  it('opens screens by route ref, and renders no link to an absent screen', async () => {
    const { user } = await openApp('/console/home');
    expect(screen.queryByText('to report')).toBeNull();
    expect(screen.queryByText('to absent')).toBeNull();
    await user.click(await screen.findByText('to unit'));
    expect(readUrl()).toBe('/console/unit/north%20a');
    const heading = await screen.findByRole('heading', { name: 'Unit' });
    await waitFor(() => expect(document.activeElement).toBe(heading));
    expect(document.title).toBe('The unit · Test plant');
  });

  it('[RTE-14] gives every route one of the three categories', async () => {
    const { core } = await openApp('/console/home');
    const table = core.host.root.get(Routes);
    expect(table.all.every(({ category }) => routeCategories.includes(category))).toBe(true);
    expect([
      table.match('/console/tour/x')?.category,
      table.match('/admin/console/reports')?.category,
      table.match('/admin/console/dashboard/tours')?.category,
    ]).toEqual(['TOUR', 'ADMIN', 'DASHBOARD']);
  });

  it('[RTE-15] records the latest 10 URLs with titles, ignoring changes within a screen', async () => {
    const { core } = await openApp('/console/home');
    const navigation = core.host.root.get(Navigation);
    for (let n = 0; n < 12; n += 1) await act(async () => navigation.goTo(unit, { location: String(n) }));
    await act(async () => navigation.goToUrl('/console/unit/11?pan=20'));
    expect(navigation.recentScreens.map(({ url }) => url)).toEqual([
      ...Array.from({ length: 9 }, (_, n) => `/console/unit/${n + 2}`),
      '/console/unit/11?pan=20',
    ]);
    expect(navigation.recentScreens.at(-1)?.title).toBe('The unit');
  });
});

describe('failures', () => {
  it('[ERR-01] [ERR-03] keeps the shell when a screen throws, shows a reference, and retries', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const { user } = await openApp('/console/throws');
    expect(screen.getByRole('main').textContent).toContain('An error occurred. Please refresh page');
    const reference = /Reference: ([0-9a-f]{8})/.exec(document.body.textContent)?.[1];
    expect(log.mock.calls.flat().join(' ')).toContain(reference);
    repaired = true;
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('heading', { name: 'Fixed' })).toBeDefined();
  });

  it('[ERR-02] tries three times to load a chunk, then offers a reload and a retry', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    let attempts = 0;
    let broken = true;
    loads['unit'] = () => {
      attempts += 1;
      return broken
        ? Promise.reject(new TypeError('Failed to fetch dynamically imported module'))
        : Promise.resolve({ default: () => <h1>Unit</h1> });
    };
    const { page } = await openApp('/console/unit/x');
    await act(() => vi.advanceTimersByTimeAsync(10_000));
    expect(attempts).toBe(3);
    expect(screen.getByRole('alert').textContent).toContain('This part of the application could not be loaded');
    act(() => screen.getByRole('button', { name: 'Reload page' }).click());
    expect(page.reloads).toBe(1);
    broken = false;
    await act(async () => {
      screen.getByRole('button', { name: 'Try again' }).click();
      await vi.advanceTimersByTimeAsync(10);
    });
    expect(screen.getByRole('heading', { name: 'Unit' })).toBeDefined();
  });

  it.each([
    ['en', true, 'There is no connection to the server.', 'Try again'],
    ['fr', true, 'La connexion au serveur est interrompue.', 'Réessayer'],
    ['en', false, 'There is no connection to the server.', 'Try again'],
  ] as const)(
    '[ERR-02] offers only a retry without a connection, and retries when it returns (%s, browser offline: %s)',
    async (language, browserOffline, message, retryLabel) => {
      vi.spyOn(console, 'error').mockImplementation(() => undefined);
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      const load = vi.fn(async (): Promise<{ default: () => React.ReactNode }> => {
        throw new TypeError('Failed to fetch dynamically imported module');
      });
      loads['unit'] = load;
      const server = new FakeServer();
      const { core } = await openApp('/console/home', { server, language });
      const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(!browserOffline);
      server.on('GET /api/me', () => {
        throw new ConnectionLostError();
      });
      await act(async () => core.host.root.get(Navigation).goTo(unit, { location: 'x' }));
      // A browser that knows that it is offline makes no pauses between the attempts.
      await act(() => vi.advanceTimersByTimeAsync(browserOffline ? 100 : 10_000));
      expect(screen.getByRole('alert').textContent).toContain(message);
      expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([retryLabel]);
      online.mockReturnValue(true);
      load.mockImplementation(async () => ({ default: () => <h1>Unit</h1> }));
      await act(async () => {
        window.dispatchEvent(new Event('online'));
        await vi.advanceTimersByTimeAsync(10);
      });
      expect(screen.getByRole('heading', { name: 'Unit' })).toBeDefined();
      online.mockRestore();
    },
  );

  it('[ERR-02] offers a reload again if the server answers although the browser reports no connection', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    loads['unit'] = () => Promise.reject(new ChunkLoadError('fixture.unit', 3));
    await openApp('/console/unit/x');
    expect(await screen.findByRole('button', { name: 'Reload page' })).toBeDefined();
    expect(screen.getByRole('alert').textContent).toContain('a new version was installed');
    online.mockRestore();
  });

  it('[ERR-03] shows a message if the server is unreachable at the start, and continues once it answers', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const server = new FakeServer()
      .on('POST /auth/pub/user/token/renew', { status: 502 })
      .on('GET /api/me', { status: 200, body: buildMe() });
    document.cookie = 'username=ada@example.com; Path=/';
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    await openApp('/console/home', { server, me: null });
    await act(() => vi.advanceTimersByTimeAsync(5_000));
    expect(screen.getByRole('alert').textContent).toContain('An error occurred. Please refresh page');
    server.on('POST /auth/pub/user/token/renew', {
      status: 200,
      body: { accessToken: 'a', refreshToken: 'cookie', username: 'ada@example.com', isAdmin: false, expiresIn: 50 },
    });
    await act(async () => {
      screen.getByRole('button', { name: 'Try again' }).click();
      await vi.advanceTimersByTimeAsync(200);
    });
    expect(screen.getByRole('heading', { name: 'Home' })).toBeDefined();
  });
});

describe('unsaved work', () => {
  it('[ERR-02] asks before the person leaves unsaved work', async () => {
    const { user, core } = await openApp('/console/form');
    await user.type(await screen.findByLabelText('note'), 'kept');
    await user.click(screen.getByText('other tab'));
    expect(readUrl()).toBe('/console/form?tab=2');
    await user.click(screen.getByText('leave'));
    await user.click(await screen.findByRole('button', { name: 'Stay' }));
    expect((screen.getByLabelText('note') as HTMLInputElement).value).toBe('kept');
    expect(core.host.root.get(UnsavedWork).exists).toBe(true);
    const closing = new Event('beforeunload', { cancelable: true });
    window.dispatchEvent(closing);
    expect(closing.defaultPrevented).toBe(true);
    await user.click(screen.getByText('leave'));
    await user.click(await screen.findByRole('button', { name: 'Leave' }));
    expect(await screen.findByRole('heading', { name: 'Unit' })).toBeDefined();
  });

  it("[ERR-02] asks when the person presses the browser's back button", async () => {
    const { user, core } = await openApp('/console/home');
    await act(async () => core.host.root.get(Navigation).goTo(form, {}));
    await user.type(await screen.findByLabelText('note'), 'kept');
    await act(async () => {
      window.history.back();
    });
    await user.click(await screen.findByRole('button', { name: 'Stay' }));
    expect(readUrl()).toBe('/console/form');
    await act(async () => {
      window.history.back();
    });
    await user.click(await screen.findByRole('button', { name: 'Leave' }));
    expect(await screen.findByRole('heading', { name: 'Home' })).toBeDefined();
    expect(readUrl()).toBe('/console/home');
  });

  it('[ERR-02] mentions unsaved work on the page that offers a reload', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    loads['unit'] = () => Promise.reject(new ChunkLoadError('fixture.unit', 3));
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { core } = await openApp('/console/unit/x');
    await act(async () => {
      core.host.root.get(UnsavedWork).register('test');
      await vi.advanceTimersByTimeAsync(10_000);
    });
    expect(screen.getByRole('alert').textContent).toContain('You have unsaved changes on this page');
  });
});
