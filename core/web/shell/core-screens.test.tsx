import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { routeUrl, basePath, inactiveUserMessage, routeRef, routes, type AccessFlag } from '#core';
import { ChunkLoadError, HttpClient, UnsavedWork, type InstalledPlugin } from '#core/web';
import { buildMe, buildProduct, FakeServer, renderApp, type WebSetup } from '#core/testing/web';
import { launchStepSeconds } from '../ui/launch-animation.tsx';
// Preloads lazy code, so that no test waits for a compiler.
import '../ui/animation-player.tsx';
import './header-tools.tsx';
import './leave-dialog.tsx';
import { components } from './app-components.ts';

const player = vi.hoisted(() => ({
  loadAnimation: vi.fn((_options: { readonly animationData: unknown }) => ({ destroy: () => undefined })),
}));
vi.mock('lottie-web/build/player/lottie_light', () => ({ default: player }));

let failure: Error | undefined;
function TestScreen() {
  if (failure) throw failure;
  return <h1>Here we are</h1>;
}
const plugin: InstalledPlugin = {
  id: 'fixture',
  settings: {},
  bridges: [],
  web: {
    routes: [
      {
        routeRef: routeRef('fixture.view', 'console/tour/:location'),
        title: 'fixture.title',
        audience: 'bare',
        category: 'TOUR',
        load: async () => ({ default: TestScreen }),
      },
      {
        routeRef: routeRef('fixture.list', 'console/list'),
        title: 'fixture.title',
        audience: 'user',
        category: 'TOUR',
        access: 'vrAccess',
        load: async () => ({ default: TestScreen }),
      },
    ],
    messages: { en: async () => ({ default: { 'fixture.title': 'Tour' } }) },
  },
};

const fakeServer = () => new FakeServer().on('POST /auth/pub/user/logout', { status: 200, body: {} });
const open = (url: string, setup: WebSetup = {}) =>
  renderApp({ components, plugins: [plugin], server: fakeServer(), ...setup, url });
const readHeading = () => screen.getByRole('heading', { level: 1 }).textContent;

beforeEach(() => {
  // In development, Fluent warns of a missing theme object. The product's theme is a stylesheet.
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  failure = undefined;
  player.loadAnimation.mockClear();
  window.matchMedia = (query) =>
    Object.assign(new EventTarget(), {
      matches: false,
      media: query,
      onchange: null,
      addListener: () => undefined,
      removeListener: () => undefined,
    });
});

describe('core screens', () => {
  it('[RTE-02] shows the not-found page at /404, and in the shell at an unknown inner path', async () => {
    const { unmount } = await open('/404');
    expect(readHeading()).toBe('Page not found');
    unmount();
    const { user } = await open('/console/nonsense');
    expect(within(screen.getByRole('main')).getByRole('heading', { name: 'Page not found' })).toBeTruthy();
    expect(screen.getByRole('banner')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Go to home' }));
    expect(location.pathname).toBe(`${basePath}/console/home`);
  });

  it('[RTE-03] explains the problem at /500 and /403', async () => {
    const { page, unmount, user } = await open('/500');
    expect(readHeading()).toBe('An error occurred. Please refresh page');
    await user.click(screen.getByRole('button', { name: 'Reload page' }));
    expect(page.reloads).toBe(1);
    unmount();
    await open('/403');
    expect(readHeading()).toBe('You do not have access to this page');
    expect(screen.getByText('Please request access from the admin.')).toBeTruthy();
  });

  it('[SES-15] [ACC-03:application] explains how to get access to the application', async () => {
    const me = buildMe({ access: { flags: [], locations: [], deactivatedRoles: ['Field engineers'] } });
    const { page, user } = await open('/console/no-access', { me });
    expect(readHeading()).toBe('You do not have access to the application');
    expect(screen.getByText('Please request access from the admin.')).toBeTruthy();
    expect(screen.getByText('Role Deactivated: Field engineers')).toBeTruthy();
    await user.click(within(screen.getByRole('main')).getByRole('button', { name: 'Log out' }));
    await waitFor(() => expect(page.opened).toHaveLength(1));
  });

  it('[ACC-03:vr] names the screen that the person cannot access', async () => {
    await open('/console/list', { me: buildMe({ access: { flags: [], locations: 'ALL', deactivatedRoles: [] } }) });
    expect(readHeading()).toBe('You do not have access to VR');
  });

  it.each([
    ['[ACC-03:dashboards]', 'tourDashboardAccess', 'access to the dashboards'],
    ['[ACC-03:dashboards]', 'permitDashboardAccess', 'access to the dashboards'],
    ['[ACC-03:vr]', 'vrAccess', 'access to VR'],
    ['[ACC-03:scan]', 'scanAccess', 'access to scans'],
    ['[ACC-03:permit]', 'permitAccess', 'access to permits'],
    ['[ACC-03:pid]', 'pidAccess', 'access to PID'],
  ] as const)('%s explains to a person without %s how to get %s', async (_, access, subject) => {
    const guardedPlugin: InstalledPlugin = {
      ...plugin,
      web: {
        ...plugin.web,
        routes: [
          {
            routeRef: routeRef('fixture.guarded', 'console/guarded'),
            title: 'fixture.title',
            audience: 'user',
            category: 'TOUR',
            access: access as AccessFlag as never,
            load: async () => ({ default: TestScreen }),
          },
        ],
      },
    };
    const meWith = (flags: readonly AccessFlag[]) =>
      buildMe({ access: { flags: [...flags], locations: 'ALL', deactivatedRoles: [] } });
    const { unmount } = await open('/console/guarded', { plugins: [guardedPlugin], me: meWith([]) });
    expect(readHeading()).toBe(`You do not have ${subject}`);
    expect(screen.getByText('Please request access from the admin.')).toBeTruthy();
    unmount();
    await open('/console/guarded', { plugins: [guardedPlugin], me: meWith([access]) });
    expect(readHeading()).toBe('Here we are');
  });

  it.each([
    ['a person', buildMe(), buildProduct(), ['/login?error=userData'], []],
    ['an admin', buildMe({ isAdmin: true }), buildProduct(), ['/adminlogin'], []],
    [
      'anybody, with a logout URL',
      buildMe(),
      buildProduct({ login: { type: 'EMAIL_PW', providers: [], logoutAddress: 'https://sso.example/out' } }),
      [],
      ['https://sso.example/out'],
    ],
  ])(
    '[SES-14] explains that the account is inactive and leads %s back to the login',
    async (_, me, product, openedUrls, left) => {
      const server = fakeServer().on('GET /api/thing', {
        status: 401,
        body: { code: 'E006', message: inactiveUserMessage, reference: 'r' },
      });
      const { core, page, user } = await open('/console/list', { me, product, server });
      await act(async () => {
        await core.host.root
          .get(HttpClient)
          .raw({ url: '/api/thing' })
          .catch(() => undefined);
      });
      expect(location.pathname).toBe(basePath + routeUrl(routes.accountDeactivate, {}));
      expect(readHeading()).toBe('Your Account is Inactive');
      expect(screen.getByText('Please ask your admin to activate it.')).toBeTruthy();
      await user.click(screen.getByRole('button', { name: 'Back to login' }));
      await waitFor(() => expect([page.opened, page.externalUrls]).toEqual([openedUrls, left]));
      expect(server.sentTo('POST /auth/pub/user/logout')).toHaveLength(1);
    },
  );

  it('[ERR-02] offers a reload if code fails to load, and warns of unsaved changes', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    failure = new ChunkLoadError('fixture.list', 3);
    const { core, page, unmount, user } = await open('/console/list');
    expect(screen.getByText('This part of the application could not be loaded')).toBeTruthy();
    await act(async () => {
      core.host.root.get(UnsavedWork).register('a form');
    });
    expect(screen.getByText(/You have unsaved changes on this page/)).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Reload page' }));
    expect(page.reloads).toBe(1);
    failure = undefined;
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('Here we are')).toBeTruthy();
    unmount();
    vi.restoreAllMocks();
  });

  it('[ERR-03] shows the reference of a failed screen and offers a retry', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    failure = new Error('broken');
    const { user } = await open('/console/list');
    expect(screen.getByText('An error occurred. Please refresh page')).toBeTruthy();
    expect(screen.getByText(/^Reference: \w+/)).toBeTruthy();
    expect(screen.queryByText(/broken/)).toBeNull();
    failure = undefined;
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('Here we are')).toBeTruthy();
    vi.restoreAllMocks();
  });

  it('asks before the person leaves unsaved work, with "Stay" as the default', async () => {
    const { core } = await open('/console/list');
    const leave = core.host.root.get(UnsavedWork);
    const opener = document.body.appendChild(document.createElement('button'));
    opener.focus();
    await act(async () => {
      leave.register('a form');
      void leave.confirmLeave();
    });
    const dialog = within(
      (await screen.findByText('Unsaved changes')).closest<HTMLElement>('[role=alertdialog]') ?? document.body,
    );
    // Without layout, the focus library treats the dialog as inactive.
    expect(dialog.getAllByRole('button', { hidden: true }).map((button) => button.textContent)).toEqual([
      'Stay',
      'Leave',
    ]);
    await act(async () => dialog.getByText('Stay').click());
    expect(leave.question).toBeUndefined();
    expect(document.activeElement).toBe(opener);
    opener.remove();
    leave.discard();
  });
});

describe('/loading', () => {
  it('[RTE-06] shows an animation with steps 0.4 s apart', async () => {
    await open('/loading');
    expect(readHeading()).toBe('Opening the page');
    expect(launchStepSeconds).toBe(0.4);
    const delays = [...document.querySelectorAll('svg g')].map((step) => getComputedStyle(step).animationDelay);
    expect(delays).toEqual(['0.0s', '0.4s', '0.8s', '1.2s', '1.6s']);
  });

  it('[RTE-06] opens the tour when its code is loaded', async () => {
    await open('/loading?to=/console/tour/a1%3Fpan%3D12');
    expect(await screen.findByText('Here we are')).toBeTruthy();
    expect(location.pathname + location.search).toBe(`${basePath}/console/tour/a1?pan=12`);
  });

  it.each(['https://evil.example', '//evil.example', '/\\evil.example', 'javascript:alert(1)'])(
    'ignores the target %s',
    async (to) => {
      await open(`/loading?to=${encodeURIComponent(to)}`);
      expect(location.pathname).toBe(`${basePath}/loading`);
    },
  );

  it('[API-12] plays an animation description fetched by GET from the given path', async () => {
    const description = { v: '5.7.0', layers: [] };
    const server = new FakeServer().on('GET /api/files/launch.json', { status: 200, body: description });
    await open('/loading?animation=/api/files/launch.json', { server });
    await waitFor(() => expect(player.loadAnimation).toHaveBeenCalledOnce());
    expect(player.loadAnimation.mock.calls[0]?.[0].animationData).toEqual(description);
    expect(server.sentTo('GET /api/files/launch.json')).toHaveLength(1);
  });

  it('[API-12] plays the built-in animation if the description fails to load or has another origin', async () => {
    const server = new FakeServer();
    const { unmount } = await open('/loading?animation=/api/files/missing.json', { server });
    await waitFor(() => expect(server.sentTo('GET /api/files/missing.json')).toHaveLength(1));
    expect(document.querySelectorAll('svg g')).toHaveLength(5);
    unmount();
    await open('/loading?animation=https://evil.example/x.json', { server });
    expect(server.requests.filter(({ path }) => path.includes('x.json'))).toEqual([]);
    expect(player.loadAnimation).not.toHaveBeenCalled();
  });
});
