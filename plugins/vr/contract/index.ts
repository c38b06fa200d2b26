import { routeRef } from '#core';

export type { Marker, MarkerFile, MarkerKind, MarkerShape, WrittenMarker } from './api.ts';

/** Id of the tour module, also used as the author of views. */
export const panoramaModule = 'vr.module';

/** Id of the marker panel. */
export const markerPanel = 'vr.markers';

/** The panorama viewer with a built-in sample, for checking a device. */
export const deviceCheck = routeRef('vr.deviceCheck', 'console/view1');
export type * from './demo.ts';
