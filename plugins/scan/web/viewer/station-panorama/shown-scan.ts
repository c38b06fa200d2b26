import { tourValue } from '#plugins/tour';

/** Uid of the scan station that the tour shows. */
export const shownScan = tourValue<string | undefined>('scan.shown', undefined);
