export * from './api/kinds.ts';
export * from './api/batches.ts';
export * from './api/rows.ts';
