export { default as importsManifest } from '../plugin.ts';
export { default as imports } from '../server/index.ts';
export { checkFully, readStagedRows } from './full-check.ts';
