/** What an admin sees: one file to fetch. */
export { default as MappingScreen } from './screens/mapping-screen.tsx';
export { default as ModelsScreen } from './screens/models-screen.tsx';
