import { routes } from '#core';

/** "Where do you want to go?" */
export const home = routes.home;
/** The units of one location. */
export const unit = routes.location;
