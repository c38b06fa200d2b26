export type { Master, MasterType } from './api.ts';
export * from './values.ts';
export * from './services.ts';
