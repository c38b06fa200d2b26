import { routeRef } from '#core';

export type { Marker, MarkerFile, MarkerKind, MarkerShape, WrittenMarker } from './api.ts';

/** The tour module's id, by which it is known as the author of a view. */
export const panoramaModule = 'vr.module';

/** Id of the panel of markers. */
export const markerPanel = 'vr.markers';

/** The panorama alone on a built-in sample, for checking a device. */
export const deviceCheck = routeRef('vr.deviceCheck', 'console/view1');
export type * from './demo.ts';
