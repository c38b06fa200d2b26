import { act, render, type RenderResult } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import { Suspense, type ReactNode } from 'react';
import { vi } from 'vitest';
import { basePath, type Language, type Product, type Token } from '#core';
import type { Me } from '#core/api';
import type { InstalledPlugin } from '#core/web';
import { App } from '../../web/app/app.tsx';
import { composeCore, type Core } from '../../web/app/compose-core.ts';
import { HostScope, PluginScope } from '../../web/kernel/plugin-scope.tsx';
import { I18nProvider } from '../../web/i18n/i18n-provider.tsx';
import { listPendingLoads } from '../../web/router/loaded.ts';
import { plainComponents } from '../../web/router/plain-components.tsx';
import { AppComponentsContext, type AppComponents } from '../../web/router/app-components.ts';
import { Router } from 'react-router-dom';
import { GuardedHistory } from '../../web/router/guarded-history.ts';
import { observer } from 'mobx-react-lite';
import { FakeLocks } from './fake-locks.ts';
import { FakePage } from './fake-page.ts';
import { FakeServer } from './fake-server.ts';
import { buildMe, buildProduct } from './test-people.ts';

export interface WebSetup {
  /** The plugins of the product, with real services and messages. */
  readonly plugins?: readonly InstalledPlugin[];
  /** Replies to calls; `/api/me` returns `me` by default. */
  readonly server?: FakeServer;
  /** The signed-in person; null if nobody is signed in. */
  readonly me?: Me | null;
  readonly product?: Product;
  readonly language?: Language;
  /** Within the base path. */
  readonly url?: string;
  /** Replaces services of core: `[[HttpClient, fake]]`. */
  readonly services?: readonly (readonly [Token<unknown>, unknown])[];
  readonly components?: AppComponents;
}

export interface WebHarness {
  readonly core: Core;
  readonly server: FakeServer;
  readonly page: FakePage;
}

export type RenderedWeb = RenderResult & WebHarness & { readonly user: UserEvent };

let runningCores: Core[] = [];

/** Creates core with a fake server, page and locks, and a signed-in person. It is disposed after each test. */
export async function createWebHarness(setup: WebSetup = {}): Promise<WebHarness> {
  const {
    plugins = [],
    server = new FakeServer(),
    me = buildMe(),
    product = buildProduct(),
    language = 'en',
    url = '/console/home',
    services = [],
  } = setup;
  document.cookie = `language=${language}; Path=/`;
  window.history.replaceState(null, '', basePath + url);
  window.matchMedia ??= matchNoMedia;
  const page = new FakePage();
  const core = composeCore(product, plugins, {
    adapter: server.adapter,
    page,
    locks: new FakeLocks(),
    fetch: async () => new Response(null, { status: 204 }),
  });
  runningCores = [...runningCores, core];
  for (const [token, value] of services)
    (core.host.root.isBound(token) ? core.host.root.rebind(token) : core.host.root.bind(token)).toConstantValue(value);
  if (me) {
    if (!server.hasHandler('GET /api/me')) server.on('GET /api/me', { status: 200, body: me });
    const now = Date.now();
    core.tokenManager.adopt({
      accessToken: 'test-token',
      username: me.username,
      isAdmin: me.isAdmin,
      issuedAt: now,
      expiresAt: now + 50_000,
    });
    await core.session.resume();
  }
  return { core, server, page };
}

/** Renders a screen or component as part of a plugin, within core's providers. Resolves when nothing is pending. */
export async function renderScreen(
  node: ReactNode,
  setup: WebSetup & { readonly plugin?: string } = {},
): Promise<RenderedWeb> {
  const harness = await createWebHarness(setup);
  const { plugin = setup.plugins?.[0]?.id ?? 'core', components = plainComponents } = setup;
  await harness.core.i18n.loadAllMessages(['core', plugin]);
  const user = userEvent.setup();
  const rendered = await act(async () =>
    render(
      <HostScope host={harness.core.host}>
        <I18nProvider>
          <AppComponentsContext value={components}>
            <InRouter core={harness.core}>
              <Suspense fallback={<components.pending />}>
                <PluginScope plugin={plugin}>{node}</PluginScope>
              </Suspense>
            </InRouter>
          </AppComponentsContext>
        </I18nProvider>
      </HostScope>,
    ),
  );
  await settle(harness.core);
  return { ...rendered, ...harness, user };
}

/** Renders the whole application at a URL. */
export async function renderApp(setup: WebSetup = {}): Promise<RenderedWeb> {
  const harness = await createWebHarness(setup);
  await harness.core.i18n.loadAllMessages(['core', ...(setup.plugins ?? []).map(({ id }) => id)]);
  const user = userEvent.setup();
  const rendered = await act(async () =>
    render(<App core={harness.core} components={setup.components ?? plainComponents} />),
  );
  await settle(harness.core);
  return { ...rendered, ...harness, user };
}

/**
 * Waits for pending code and its own imports. Tests with fake timers advance time themselves, because a broken import
 * would never settle.
 */
async function settle(core: Core): Promise<void> {
  for (
    let pendingPromises = listPending(core);
    pendingPromises.length > 0 && !vi.isFakeTimers();
    pendingPromises = listPending(core)
  ) {
    await act(async () => {
      await Promise.allSettled(pendingPromises);
    });
  }
}

function listPending(core: Core): readonly Promise<unknown>[] {
  return [...core.host.listPending(), ...listPendingLoads()];
}

export function disposeHarnesses(): void {
  for (const core of runningCores) core.dispose();
  runningCores = [];
}

const InRouter = observer(function InRouter({ core, children }: { readonly core: Core; readonly children: ReactNode }) {
  const history = core.host.root.get(GuardedHistory);
  return (
    <Router basename={basePath} location={history.location} navigationType={history.action} navigator={history}>
      {children}
    </Router>
  );
});

/** Replaces `matchMedia`, which jsdom lacks. No query matches. */
function matchNoMedia(media: string): MediaQueryList {
  const target = new EventTarget();
  return Object.assign(target, {
    matches: false,
    media,
    onchange: null,
    addListener: () => undefined,
    removeListener: () => undefined,
  });
}
