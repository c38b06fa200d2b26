import { routes } from './core-routes.ts';

/** The two pages of every product: the small one for signing in, and the app. */
export type PageFile = 'login.html' | 'index.html';

/** Everything under `static/` is named after its content. */
export const namedAfterContent = 'static/';

/**
 * The page that answers a path under the base path (such as `/login/forgot`); a script or a picture is asked for
 * before.
 */
export function findPage(path: string): PageFile {
  const [first = ''] = path.split('/').filter((part) => part !== '');
  return first === '' || first === routes.login.path || first === routes.adminLogin.path ? 'login.html' : 'index.html';
}
