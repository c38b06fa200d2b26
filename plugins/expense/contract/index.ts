export * from './routes.ts';
export * from './values.ts';
