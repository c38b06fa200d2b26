import { routes, type RouteRef } from '#core';

/** Core names the route, and a plugin fills it. By id: a contract may be loaded twice. */
export const isRole = ({ id }: RouteRef): boolean => id === routes.home.id || id === routes.location.id;
