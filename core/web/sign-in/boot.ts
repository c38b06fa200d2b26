/** What the page's first script needs to know. */
export interface BootPage {
  readonly base: string;
  readonly languages: readonly string[];
  /** Screens by path, base path left out; empty on pages that hold no sign-in screens. */
  readonly screens: Readonly<Record<string, string>>;
}

/**
 * Runs before the first paint, as text within the page (its hash stands in the content security policy), so it may use
 * nothing but what stands inside it: puts the page into the theme and language chosen on this device, and moves the
 * prerendered screen of this address and language into the root. Marks the page as `resuming` where somebody seems to
 * be signed in already, so that no form flashes by: at the admin login only where that one is an admin.
 */
export function boot(page: BootPage): void {
  const html = document.documentElement;
  const cookie = (name: string) => new RegExp(`(?:^|; )${name}=([^;]+)`).exec(document.cookie)?.[1];
  const theme = cookie('theme');
  if (theme !== undefined && theme !== 'system') html.dataset['theme'] = theme;
  const wanted = [cookie('language'), ...navigator.languages].map((tag) => tag?.slice(0, 2).toLowerCase());
  const language = wanted.find((tag) => tag !== undefined && page.languages.includes(tag)) ?? page.languages[0] ?? 'en';
  html.lang = language;
  const screen = page.screens[location.pathname.slice(page.base.length).replace(/^\/+|\/+$/g, '')] ?? 'login';
  const template = document.getElementById(`${screen}.${language}`);
  if (!(template instanceof HTMLTemplateElement)) return;
  document.getElementById('root')?.replaceChildren(template.content);
  const isLogin = screen === 'login' || (screen === 'adminLogin' && cookie('isAdmin') === 'true');
  if (isLogin && cookie('username') !== undefined && !/[?&](error|done)=/.test(location.search))
    html.dataset['resuming'] = '';
}
