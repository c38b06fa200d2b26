export { default as locationsManifest } from '../plugin.ts';
export { default as locations } from '../server/index.ts';
