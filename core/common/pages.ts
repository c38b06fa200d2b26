import { routes } from './core-routes.ts';

/** The two pages of every product: the small one for signing in, and the app. */
export type PageFile = 'login.html' | 'index.html';

/** Everything under `static/` is named after its content. */
export const namedAfterContent = 'static/';

/** The page that answers a path under the base path (such as `/login/forgot`); a script or a picture is asked for before. */
export function pageOf(path: string): PageFile {
  const [first = ''] = path.split('/').filter((part) => part !== '');
  return first === '' || first === routes.login.path || first === routes.adminLogin.path ? 'login.html' : 'index.html';
}

/** `headers.json` of a build: what the server sends with the bundle's answers. Names in lower case. */
export interface BundleHeaders {
  /** With every answer under the base path. */
  readonly all: Readonly<Record<string, string>>;
  /** With the pages, by file. */
  readonly pages: Readonly<Record<PageFile, Readonly<Record<string, string>>>>;
  /** With files whose name follows from their content, and with all others. */
  readonly cacheControl: { readonly namedAfterContent: string; readonly other: string };
}
