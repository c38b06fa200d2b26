/** What an admin sees: one file to fetch. */
export { default as MappingScreen } from './admin/mapping-screen.tsx';
export { default as ModelsScreen } from './admin/models-screen.tsx';
