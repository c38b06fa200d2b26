export * from './api/backgrounds.ts';
export * from './api/contacts.ts';
export * from './api/items.ts';
export * from './api/notices.ts';
export * from './api/welcome-text.ts';
