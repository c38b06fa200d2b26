export { default as mediaManifest } from '../plugin.ts';
export { default as media } from '../server/index.ts';
export { default as mediaImports } from '../server/bridges/imports.ts';
