/** Everything that tiled models need besides the engine, loaded as one file with the first of them. */
export { readTiledModel } from './read-tiled-model.ts';
