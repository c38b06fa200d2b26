import { routes } from './core-routes.ts';

/** The two pages of every product: the small sign-in page and the application. */
export type PageFile = 'login.html' | 'index.html';

/** The folder whose files have a content hash in their name. */
export const contentHashedFolder = 'static/';

/** The page for a path under the base path, such as `/login/forgot`. The path must not be a script or an image. */
export function findPage(path: string): PageFile {
  const [first = ''] = path.split('/').filter((part) => part !== '');
  return first === '' || first === routes.login.path || first === routes.adminLogin.path ? 'login.html' : 'index.html';
}
