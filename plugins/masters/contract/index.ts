export type { Master, MasterType } from './api.ts';
export * from './values.ts';
export * from './routes.ts';
export * from './services.ts';
