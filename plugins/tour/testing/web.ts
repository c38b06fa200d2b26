export { default as tourWeb } from '../web/index.ts';
export * from './web/fake-engine.ts';
export { buildNode, buildTag, buildTour } from './web/test-tour.ts';
