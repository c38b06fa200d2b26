export * from './api/backgrounds.ts';
export * from './api/contacts.ts';
export * from './api/items.ts';
