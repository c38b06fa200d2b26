export { default as tourManifest } from '../plugin.ts';
export { default as tour } from '../server/index.ts';
export { tourSchema, type TourTables } from '../server/tables.ts';
export * from './server/build-tours.ts';
export * from './server/tour-rows.ts';
