export * from './api/backgrounds.ts';
export * from './api/contacts.ts';
