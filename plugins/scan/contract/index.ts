import { routeRef, token } from '#core';
import type { DepthSource } from '#plugins/tour';

export * from './values/file-heads.ts';
export * from './values/station-links.ts';

/** Id of the tour module, also the source of its view changes. */
export const scanModule = 'scan.module';

/** Computes the depth of panoramas from the point clouds of the site. */
export const ScanDepth = token<DepthSource>('scan.Depth');

/** The scan viewer with a built-in sample, for checking a device. */
export const deviceCheck = routeRef('scan.deviceCheck', 'console/view2');

/** The admin screen of scans: deliveries, stations and the scan token. */
export const scansAdmin = routeRef('scan.admin', 'admin/console/scans');
export type * from './demo.ts';
