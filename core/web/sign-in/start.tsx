import { createDOMRenderer, RendererProvider } from '@fluentui/react-components';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { routeAddress, basePath, cookieNames, routes, type Language, type Product } from '#core';
import { apiBase } from '../http/api-base.ts';
import { chosenLanguage, readCookie } from '../kernel/device-choices.ts';
import { openSessionChannel } from '../session/session-channel.ts';
import { parseEntryParams } from './entry-params.ts';
import { prefetchApplication } from './prefetch-application.ts';
import { loadHttp, signInApi, type SignInApi } from './sign-in-api.ts';
import { SignInApp } from './sign-in-app.tsx';
import { screenAt } from './sign-in-screen.ts';
import { signInSession } from './sign-in-session.ts';

export interface SignInOptions {
  /** Replaced in tests. */
  readonly api?: SignInApi;
  readonly leave?: (address: string) => void;
}

/** Hydrates the prerendered sign-in page, or renders it. Called once, by the generated entry. */
export function startSignIn(
  product: Product,
  { api: given, leave = (address) => location.assign(address) }: SignInOptions = {},
): void {
  const root = document.getElementById('root');
  if (root === null)
    throw new Error("The sign-in page has no element with the id 'root': it was not made by the build.");
  const html = document.documentElement;
  const prerendered = root.hasChildNodes();
  const language: Language =
    (prerendered ? product.languages.find((one) => one === html.lang) : undefined) ?? chosenLanguage(product.languages);
  const api = given ?? signInApi(apiBase(), () => (html.lang === 'fr' ? 'fr' : 'en'));
  const channel = openSessionChannel();
  const isAdminLogin = () => screenAt(location.pathname, product) === 'adminLogin';
  const session = signInSession({ channel, admin: isAdminLogin, leave });
  const username = readCookie(cookieNames.username);
  const tree = (
    <RendererProvider renderer={createDOMRenderer(document)} targetDocument={document}>
      <SignInApp
        product={product}
        api={api}
        screen={screenAt(location.pathname, product)}
        language={language}
        entryParams={parseEntryParams(location.search)}
        onFinish={session.finish}
        {...(html.dataset['resuming'] === undefined || username === undefined
          ? {}
          : { resume: () => session.resume(api, username, readCookie(cookieNames.isAdmin) === 'true') })}
      />
    </RendererProvider>
  );
  if (prerendered) hydrateRoot(root, tree);
  else createRoot(root).render(tree);

  channel.listen((message) => {
    if (message.type === 'RELOAD') leave(`${basePath}${routeAddress(routes.home, {})}`);
    if (message.type === 'LOGIN' && (message.tokens.isAdmin || !isAdminLogin())) void session.goOn();
  });
  // A page from the back/forward cache would still show its submission in progress.
  addEventListener('pageshow', (event) => {
    if (event.persisted) location.reload();
  });
  whenIdle(() => void loadHttp().catch(() => undefined));
  document.addEventListener('input', () => void prefetchApplication().catch(() => undefined), { once: true });
}

function whenIdle(work: () => void): void {
  if (typeof requestIdleCallback === 'function') requestIdleCallback(work);
  else setTimeout(work);
}
