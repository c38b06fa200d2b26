/** All code that needs three.js, loaded as one chunk with the first model. */
export { readModel } from './read-model.ts';
export { createSamplePlant } from './sample/sample-plant.ts';
export { ThreeModelEngine } from './three-model-engine.ts';
