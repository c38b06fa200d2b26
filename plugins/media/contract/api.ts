export * from './api/backgrounds.ts';
