import { routeRef } from '#core';

export { objectStates, type ObjectState } from './values/object-states.ts';
export { toBox, objectsFile, type TiledObjectRow, type TiledObjects } from './values/tiled-objects.ts';
export type { Model, ModelMapping, ModelPose, ModelReport } from './api.ts';

/** The tour module's id, by which it is known as the author of a view. */
export const modelModule = 'model-3d.module';

/** The 3D viewer alone on a built-in sample, for checking a device. */
export const deviceCheck = routeRef('model-3d.deviceCheck', 'console/view3');

/** Where an admin manages models. */
export const modelsAdmin = routeRef('model-3d.admin', 'admin/console/models');

/** Where an admin maps objects of models to tags and nodes. */
export const mappingAdmin = routeRef('model-3d.mapping', 'admin/console/3d-mapping');
export type * from './demo.ts';
