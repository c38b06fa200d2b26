import { routes, type RouteRef } from '#core';

/** True for a route of core whose screen a plugin provides. Ids are compared because a contract may be loaded twice. */
export const isCoreRouteWithPluginScreen = ({ id }: RouteRef): boolean =>
  id === routes.home.id || id === routes.location.id;
