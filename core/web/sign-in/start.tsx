import { createDOMRenderer, RendererProvider } from '@fluentui/react-components';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { routeUrl, basePath, cookieNames, routes, type Language, type Product } from '#core';
import { readApiBase } from '../http/api-base.ts';
import { chooseLanguage, readCookie } from '../kernel/device-choices.ts';
import { openSessionChannel } from '../session/session-channel.ts';
import { parseEntryParams } from './entry-params.ts';
import { prefetchApplication } from './prefetch-application.ts';
import { loadHttp, createSignInApi, type SignInApi } from './sign-in-api.ts';
import { SignInApp } from './sign-in-app.tsx';
import { findScreen } from './sign-in-screen.ts';
import { createSignInSession } from './sign-in-session.ts';

export interface SignInOptions {
  /** Tests replace the calls. */
  readonly api?: SignInApi;
  readonly leave?: (url: string) => void;
}

/** Hydrates the prerendered sign-in page, or renders it. Called once, by the generated entry. */
export function startSignIn(
  product: Product,
  { api: replacedApi, leave = (url) => location.assign(url) }: SignInOptions = {},
): void {
  const root = document.getElementById('root');
  if (root === null)
    throw new Error("The sign-in page has no element with the id 'root'. It does not come from the build.");
  const html = document.documentElement;
  const prerendered = root.hasChildNodes();
  const language: Language =
    (prerendered ? product.languages.find((available) => available === html.lang) : undefined) ??
    chooseLanguage(product.languages);
  const api = replacedApi ?? createSignInApi(readApiBase(), () => (html.lang === 'fr' ? 'fr' : 'en'));
  const channel = openSessionChannel();
  const isAdminLogin = () => findScreen(location.pathname, product) === 'adminLogin';
  const session = createSignInSession({ channel, isAdminLogin, leave });
  const username = readCookie(cookieNames.username);
  const tree = (
    <RendererProvider renderer={createDOMRenderer(document)} targetDocument={document}>
      <SignInApp
        product={product}
        api={api}
        screen={findScreen(location.pathname, product)}
        language={language}
        entryParams={parseEntryParams(location.search)}
        onFinish={session.finish}
        {...(html.dataset['resuming'] === undefined || username === undefined
          ? {}
          : { resume: () => session.resume(api, username, readCookie(cookieNames.isAdmin) === 'true') })}
      />
    </RendererProvider>
  );
  document.onsubmit = document.oninput = null;
  if (prerendered) hydrateRoot(root, tree);
  else createRoot(root).render(tree);

  channel.listen((message) => {
    if (message.type === 'RELOAD') leave(`${basePath}${routeUrl(routes.home, {})}`);
    if (message.type === 'LOGIN' && (message.token.isAdmin || !isAdminLogin())) void session.openApplication();
  });
  // A page from the back/forward cache would still show its submission in progress.
  addEventListener('pageshow', (event) => {
    if (event.persisted) location.reload();
  });
  runWhenIdle(() => void loadHttp().catch(() => undefined));
  document.addEventListener('input', () => void prefetchApplication().catch(() => undefined), { once: true });
}

function runWhenIdle(work: () => void): void {
  if (typeof requestIdleCallback === 'function') requestIdleCallback(work);
  else setTimeout(work);
}
