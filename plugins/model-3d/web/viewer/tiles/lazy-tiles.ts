/** All code for tiled models, loaded as one chunk with the first tiled model. */
export { readTiledModel } from './read-tiled-model.ts';
