/** What models in tiles need besides the engine: one file, fetched with the first of them. */
export { readTiledModel } from './read-tiled-model.ts';
