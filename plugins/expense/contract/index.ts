export type { ExpenseEstimation } from './api.ts';
export * from './routes.ts';
export * from './values.ts';
