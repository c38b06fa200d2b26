import { routes, type RouteRef } from '#core';

/** Core names the route, and a plugin implements it. Compared by id because a contract may be loaded twice. */
export const isRole = ({ id }: RouteRef): boolean => id === routes.home.id || id === routes.location.id;
