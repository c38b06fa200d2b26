import { routeRef } from '#core';

export type { Marker, MarkerFile, MarkerKind, MarkerShape, MarkerInput } from './api.ts';

/** Id of the tour module, by which it identifies itself as the source of a view. */
export const panoramaModule = 'vr.module';

/** Id of the marker panel. */
export const markerPanel = 'vr.markers';

/** Screen with the panorama viewer and a built-in sample, for checking a device. */
export const deviceCheck = routeRef('vr.deviceCheck', 'console/view1');
export type * from './demo.ts';
