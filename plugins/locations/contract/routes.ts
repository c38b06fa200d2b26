import { routeRef, routes } from '#core';

/** The start screen with the list of sites. */
export const home = routes.home;
/** The unit selection of one location. */
export const unit = routes.location;
/** The admin screen of all sites, units, levels and groups. */
export const sitesAdmin = routeRef('locations.sites', 'admin/console/sites');
/** The admin screen of the steps to the first tour. */
export const setUpAdmin = routeRef('locations.setUp', 'admin/console/set-up');
