/** Data for the page's first script. */
export interface BootPage {
  readonly basePath: string;
  readonly languages: readonly string[];
  /** Screens by path without the base path; empty on pages without sign-in screens. */
  readonly screens: Readonly<Record<string, string>>;
}

/**
 * Runs before the first paint. The page contains it as text and the CSP its hash, so it cannot use other modules.
 * Applies theme and language, moves the prerendered screen into the root, and sets `resuming` if a session (at the
 * admin login, of an admin) may exist, so that no form flashes. Records in `submitted` that the form was submitted
 * before hydration, until `startSignIn` takes over.
 */
export function boot(page: BootPage): void {
  const html = document.documentElement;
  const readCookie = (name: string) => new RegExp(`(?:^|; )${name}=([^;]+)`).exec(document.cookie)?.[1];
  const theme = readCookie('theme');
  if (theme !== undefined && theme !== 'system') html.dataset['theme'] = theme;
  const candidates = [readCookie('language'), ...navigator.languages].map((tag) => tag?.slice(0, 2).toLowerCase());
  const language =
    candidates.find((tag) => tag !== undefined && page.languages.includes(tag)) ?? page.languages[0] ?? 'en';
  html.lang = language;
  const screen = page.screens[location.pathname.slice(page.basePath.length).replace(/^\/+|\/+$/g, '')] ?? 'login';
  const template = document.getElementById(`${screen}.${language}`);
  if (!(template instanceof HTMLTemplateElement)) return;
  document.getElementById('root')?.replaceChildren(template.content);
  const isLogin = screen === 'login' || (screen === 'adminLogin' && readCookie('isAdmin') === 'true');
  if (isLogin && readCookie('username') !== undefined && !/[?&](error|done)=/.test(location.search))
    html.dataset['resuming'] = '';
  document.onsubmit = (event) => {
    event.preventDefault();
    html.dataset['submitted'] = '';
  };
  // Input after a submission corrects it: the person submits again.
  document.oninput = () => delete html.dataset['submitted'];
}
