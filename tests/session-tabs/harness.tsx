import { useState } from 'react';
import { createRoot } from 'react-dom/client';
import { observer } from 'mobx-react-lite';
import { routes, type Product } from '#core';
import type { getMe } from '#core/api';
import { HttpClient, Notifications, useService, useText, type InstalledPlugin } from '#core/web';
import { App, startFirstRequests } from '../../core/web/app/app.tsx';
import { composeCore } from '../../core/web/app/compose-core.ts';
import { plainComponents } from '../../core/web/router/plain-components.tsx';
import { openSessionChannel } from '../../core/web/session/session-channel.ts';
import { createSignInApi } from '../../core/web/sign-in/sign-in-api.ts';
import { createSignInSession } from '../../core/web/sign-in/sign-in-session.ts';

/** The functions that tests call in each tab. */
export interface Harness {
  /** Makes simultaneous calls. Returns the number of successful calls, and the errors of the other calls. */
  burst(count: number): Promise<{ readonly ok: number; readonly failures: readonly string[] }>;
  state(): { readonly session: string; readonly person: string | undefined; readonly stored: string };
  login(username: string, password: string): Promise<void>;
  logout(): Promise<void>;
  reloadAll(): void;
}
declare global {
  var harness: Harness;
}

const product: Product = {
  profile: 'test',
  title: 'Session',
  shortName: 'Session',
  version: '0.0.0',
  login: { type: 'EMAIL_PW', providers: [] },
  languages: ['en', 'fr'],
  timeZone: 'UTC',
  progressiveWebApp: false,
  logo: '',
  backgrounds: [],
};

/** A screen below the banner, with typed text and an unsaved change. */
const HomeScreen = observer(function HomeScreen() {
  const http = useService(HttpClient);
  const { notices } = useService(Notifications);
  const text = useText();
  const [saved, setSaved] = useState('');
  return (
    <>
      {notices.map(({ id, message, action }) => (
        <div key={id} role="alert">
          <p>{text(message)}</p>
          {action?.href === undefined ? null : (
            <a href={action.href} target={action.newTab ? '_blank' : undefined} rel="noreferrer">
              {text(action.label)}
            </a>
          )}
        </div>
      ))}
      <h1>Home</h1>
      <input aria-label="note" />
      <button
        type="button"
        onClick={() =>
          void http.call<typeof getMe>('GET', '/api/me', {}).then(({ username }) => setSaved(`saved by ${username}`))
        }
      >
        save
      </button>
      <output>{saved}</output>
    </>
  );
});

const plugin: InstalledPlugin = {
  id: 'harness',
  settings: {},
  bridges: [],
  web: {
    routes: [
      {
        routeRef: routes.home,
        title: 'harness.home',
        audience: 'user',
        category: 'TOUR',
        load: async () => ({ default: HomeScreen }),
      },
    ],
    messages: { en: async () => ({ default: { 'harness.home': 'Home' } }) },
  },
};

const isLogin = /\/(login|adminlogin)\b/.test(window.location.pathname);
const core = isLogin ? undefined : composeCore(product, [plugin]);

globalThis.harness = {
  burst: async (count) => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: count }, () => core?.host.root.get(HttpClient).call<typeof getMe>('GET', '/api/me', {})),
    );
    const failures = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [String(outcome.reason)] : []));
    return { ok: count - failures.length, failures };
  },
  state: () => ({
    session: core?.session.state ?? 'login',
    person: core?.session.me?.username,
    stored: document.cookie + JSON.stringify({ ...localStorage, ...sessionStorage }),
  }),
  login: async (username, password) => {
    const channel = openSessionChannel();
    // Signs in like the sign-in page, but stays on the page.
    const session = createSignInSession({ channel, isAdminLogin: () => false, leave: () => undefined });
    const reply = await createSignInApi('', () => 'en').login(username, password, false);
    if ('accessToken' in reply) void session.finish(reply);
  },
  logout: async () => core?.session.logout(),
  reloadAll: () => core?.session.reloadAll(),
};

const rootElement = document.getElementById('root');
if (core && rootElement) {
  startFirstRequests(core);
  createRoot(rootElement).render(<App core={core} components={plainComponents} />);
}
