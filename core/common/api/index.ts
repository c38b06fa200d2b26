export * from './auth.ts';
export * from './jobs.ts';
export * from './locations.ts';
export * from './me.ts';
export * from './product-settings.ts';
export * from './refusals.ts';
export * from './shapes.ts';
export * from './sites.ts';
