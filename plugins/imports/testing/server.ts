export { default as importsManifest } from '../plugin.ts';
export { default as imports } from '../server/index.ts';
export { formatFinding } from '../server/commands/format-finding.ts';
export { checkFully, readStagedRows } from './full-check.ts';
