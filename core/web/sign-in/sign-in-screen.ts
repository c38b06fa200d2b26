import { basePath, routes, type Product } from '#core';

/**
 * The screens of the sign-in entry. `login` depends on the profile's login type; `adminLogin` is always email and
 * password.
 */
export const signInScreens = ['login', 'adminLogin', 'register', 'activate', 'forgot', 'reset', 'return'] as const;
export type SignInScreen = (typeof signInScreens)[number];

const screenOfPath: Readonly<Record<string, SignInScreen>> = {
  [routes.login.path]: 'login',
  [routes.adminLogin.path]: 'adminLogin',
  [routes.adminLoginBesideSignOn.path]: 'adminLogin',
  [routes.register.path]: 'register',
  [routes.activate.path]: 'activate',
  [routes.forgotPassword.path]: 'forgot',
  [routes.resetPassword.path]: 'reset',
  [routes.signOnReturn.path]: 'return',
};

const pathOfScreen: Readonly<Record<SignInScreen, string>> = {
  login: routes.login.path,
  adminLogin: routes.adminLogin.path,
  register: routes.register.path,
  activate: routes.activate.path,
  forgot: routes.forgotPassword.path,
  reset: routes.resetPassword.path,
  return: routes.signOnReturn.path,
};

/** Every path of the sign-in page under the base path, with its screen. */
export function signInPaths(product: Product): Readonly<Record<string, SignInScreen>> {
  const { [routes.adminLoginBesideSignOn.path]: besideSignOn, ...always } = screenOfPath;
  return product.login.type === 'EMAIL_PW' || besideSignOn === undefined ? always : screenOfPath;
}

/** The screen of a browser address; the login for unknown addresses. */
export function screenAt(pathname: string, product: Product): SignInScreen {
  return signInPaths(product)[pathname.slice(basePath.length).replace(/^\/+|\/+$/g, '')] ?? 'login';
}

/** The address of a screen, base path included. */
export function addressOfScreen(screen: SignInScreen): string {
  return `${basePath}/${pathOfScreen[screen]}`;
}
