import { routeRef, token } from '#core';
import type { DepthSource } from '#plugins/tour';

export { objectStates, type ObjectState } from './values/object-states.ts';
export { toBox, objectsFile, type TiledObjectRow, type TiledObjects } from './values/tiled-objects.ts';
export type { Model, ModelMapping, ModelPose, ModelReport } from './api.ts';

/** Id of the tour module, by which it identifies itself as the source of a view. */
export const modelModule = 'model-3d.module';

/** Computes the depth of panoramas from the models of the site. */
export const ModelDepth = token<DepthSource>('model-3d.Depth');

/** Screen with the 3D viewer and a built-in sample, for checking a device. */
export const deviceCheck = routeRef('model-3d.deviceCheck', 'console/view3');

/** Screen on which admins manage models. */
export const modelsAdmin = routeRef('model-3d.admin', 'admin/console/models');

/** Screen on which admins map objects of models to tags and nodes. */
export const mappingAdmin = routeRef('model-3d.mapping', 'admin/console/3d-mapping');
/** Screen on which admins set up the rules that find the tags of a model's objects. */
export const tagRulesAdmin = routeRef('model-3d.tagRules', 'admin/console/tag-rules');
export type * from './demo.ts';
