/** All code for tiled models, loaded as one file with the first tiled model. */
export { readTiledModel } from './read-tiled-model.ts';
