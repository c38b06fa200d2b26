import { routeRef } from '#core';

export type { Model, ModelMapping, ModelPose, ModelReport } from './api.ts';

/** The 3D viewer alone on a built-in sample, for checking a device. */
export const deviceCheck = routeRef('model-3d.deviceCheck', 'console/view3');
