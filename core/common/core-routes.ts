import { routeRef } from './route-ref.ts';

/** Screens of every product, whoever draws them. Paths are those of the specification. */
export const routes = {
  login: routeRef('core.login', 'login'),
  adminLogin: routeRef('core.adminLogin', 'adminlogin'),
  adminLoginBesideSignOn: routeRef('core.adminLoginBesideSignOn', 'login/admin'),
  register: routeRef('core.register', 'login/register'),
  activate: routeRef('core.activate', 'login/activate'),
  forgotPassword: routeRef('core.forgotPassword', 'login/forgot'),
  resetPassword: routeRef('core.resetPassword', 'login/reset'),
  /** The identity provider sends the browser back to this one. */
  signOnReturn: routeRef('core.signOnReturn', 'login/return'),
  loading: routeRef('core.loading', 'loading'),
  notFound: routeRef('core.notFound', '404'),
  serverError: routeRef('core.serverError', '500'),
  forbidden: routeRef('core.forbidden', '403'),
  dashboard: routeRef('core.dashboard', 'dashboard'),
  home: routeRef('locations.home', 'console/home'),
  unit: routeRef('locations.unit', 'console/unit/:location'),
  welcome: routeRef('media.welcome', 'console/welcome'),
  videoViewer: routeRef('media.videoViewer', 'console/video-viewer'),
  settings: routeRef('account.settings', 'console/settings'),
  tour: routeRef('tour.view', 'console/tour/:location'),
  noAccess: routeRef('core.noAccess', 'console/no-access'),
  accountDeactivate: routeRef('core.accountDeactivate', 'console/account-deactivate'),
  admin: routeRef('core.admin', 'admin/console'),
} as const;
