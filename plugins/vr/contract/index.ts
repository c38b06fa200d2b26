import { routeRef } from '#core';

/** The panorama alone on a built-in sample, for checking a device. */
export const deviceCheck = routeRef('vr.deviceCheck', 'console/view1');
