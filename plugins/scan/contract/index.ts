import { routeRef } from '#core';

export type { ScanStation, ScanToken } from './api.ts';
/** The tour module's id, by which it is known as the author of a view. */
export const scanModule = 'scan.module';

/** The scan viewer alone, on a built-in sample. */
export const scanCheck = routeRef('scan.check', 'console/view2');
