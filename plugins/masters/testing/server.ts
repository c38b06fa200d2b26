export { default as mastersManifest } from '../plugin.ts';
export { default as masters } from '../server/index.ts';
export { mastersSchema, type MastersTables } from '../server/tables.ts';
export { default as mastersImports } from '../server/bridges/imports.ts';
