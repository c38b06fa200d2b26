import { routeRef } from '#core';

export * from './values/file-heads.ts';
export * from './values/station-links.ts';

/** The tour module's id, by which it is known as the author of a view. */
export const scanModule = 'scan.module';

/** The scan viewer alone on a built-in sample, for checking a device. */
export const deviceCheck = routeRef('scan.deviceCheck', 'console/view2');

/** Where an admin looks after scans: what was delivered, the stations, and the scan token. */
export const scansAdmin = routeRef('scan.admin', 'admin/console/scans');
export type * from './demo.ts';
