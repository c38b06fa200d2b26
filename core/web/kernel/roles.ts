import { routes, type RouteRef } from '#core';

/** Core names the route, and a plugin fills it. */
export const isRole = (route: RouteRef): boolean => route === routes.home || route === routes.location;
