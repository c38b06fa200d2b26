export * from './kernel/core-points.ts';
export * from './kernel/services.ts';
export * from './kernel/web-plugin.ts';
