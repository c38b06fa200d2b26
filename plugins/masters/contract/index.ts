export type { Master, MasterType } from './api.ts';
export * from './kinds.ts';
export * from './services.ts';
