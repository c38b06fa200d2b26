export * from './api/site-exports.ts';
export * from './api/site-imports.ts';
export * from './api/kinds.ts';
export * from './api/batches.ts';
export * from './api/rows.ts';
