import { tourValue } from '#plugins/tour';

/** Uid of the scan station that is shown in the tour. */
export const shownScan = tourValue<string | undefined>('scan.shown', undefined);
