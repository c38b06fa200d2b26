import { routes } from '#core';

/** The start screen with the list of sites. */
export const home = routes.home;
/** The unit selection of one location. */
export const unit = routes.location;
