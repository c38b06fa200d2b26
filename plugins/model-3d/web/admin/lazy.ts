/** The admin screens, loaded as one chunk. */
export { default as MappingScreen } from './screens/mapping-screen.tsx';
export { default as ModelsScreen } from './screens/models-screen.tsx';
export { default as TagRulesScreen } from './screens/tag-rules-screen.tsx';
