/** Admin screens of decks, viewpoints, tags, documents and panoramas. Bundled as one chunk. */
export { default as ContentScreen } from './screens/content-screen.tsx';
export { default as PanoramasScreen } from './screens/panoramas-screen.tsx';
export { default as TagsScreen } from './screens/tags-screen.tsx';
