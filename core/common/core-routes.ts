import { routeRef } from './route-ref.ts';

/** Screens of every product, with the specification's paths. Core renders all but `home` and `location`. */
export const routes = {
  login: routeRef('core.login', 'login'),
  adminLogin: routeRef('core.adminLogin', 'adminlogin'),
  adminLoginWithSignOn: routeRef('core.adminLoginBesideSignOn', 'login/admin'),
  register: routeRef('core.register', 'login/register'),
  activate: routeRef('core.activate', 'login/activate'),
  forgotPassword: routeRef('core.forgotPassword', 'login/forgot'),
  resetPassword: routeRef('core.resetPassword', 'login/reset'),
  /** The identity provider redirects the browser to this screen. */
  signOnReturn: routeRef('core.signOnReturn', 'login/return'),
  loading: routeRef('core.loading', 'loading'),
  notFound: routeRef('core.notFound', '404'),
  serverError: routeRef('core.serverError', '500'),
  forbidden: routeRef('core.forbidden', '403'),
  dashboard: routeRef('core.dashboard', 'dashboard'),
  /** The person's start page. A plugin provides the screen; core links to it without naming the plugin. */
  home: routeRef('core.home', 'console/home'),
  /** The page of one location, for breadcrumbs. A plugin provides the screen. */
  location: routeRef('core.location', 'console/unit/:location'),
  noAccess: routeRef('core.noAccess', 'console/no-access'),
  accountDeactivate: routeRef('core.accountDeactivate', 'console/account-deactivate'),
  admin: routeRef('core.admin', 'admin/console'),
} as const;
