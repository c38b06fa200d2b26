import { basePath, routes, type Product } from '#core';

/**
 * The screens of the sign-in entry. `login` depends on the profile's login type. `adminLogin` always uses email and
 * password.
 */
export const signInScreens = ['login', 'adminLogin', 'register', 'activate', 'forgot', 'reset', 'return'] as const;
export type SignInScreen = (typeof signInScreens)[number];

const screenByPath: Readonly<Record<string, SignInScreen>> = {
  [routes.login.path]: 'login',
  [routes.adminLogin.path]: 'adminLogin',
  [routes.adminLoginWithSignOn.path]: 'adminLogin',
  [routes.register.path]: 'register',
  [routes.activate.path]: 'activate',
  [routes.forgotPassword.path]: 'forgot',
  [routes.resetPassword.path]: 'reset',
  [routes.signOnReturn.path]: 'return',
};

const pathByScreen: Readonly<Record<SignInScreen, string>> = {
  login: routes.login.path,
  adminLogin: routes.adminLogin.path,
  register: routes.register.path,
  activate: routes.activate.path,
  forgot: routes.forgotPassword.path,
  reset: routes.resetPassword.path,
  return: routes.signOnReturn.path,
};

/** Every path of the sign-in page under the base path, with its screen. */
export function listSignInPaths(product: Product): Readonly<Record<string, SignInScreen>> {
  const { [routes.adminLoginWithSignOn.path]: withSignOn, ...always } = screenByPath;
  return product.login.type === 'EMAIL_PW' || withSignOn === undefined ? always : screenByPath;
}

/** The screen of a browser URL, or the login for an unknown URL. */
export function findScreen(pathname: string, product: Product): SignInScreen {
  return listSignInPaths(product)[pathname.slice(basePath.length).replace(/^\/+|\/+$/g, '')] ?? 'login';
}

/** The URL of a screen, including the base path. */
export function getScreenUrl(screen: SignInScreen): string {
  return `${basePath}/${pathByScreen[screen]}`;
}
