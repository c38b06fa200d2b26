/** The screens of imports and their services, loaded as one file. */
export { default as ImportsScreen } from './screens/imports-screen.tsx';
export { default as services } from './services.ts';
