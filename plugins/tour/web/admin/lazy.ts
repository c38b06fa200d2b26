/** The admin screens of decks, viewpoints, tags, documents and panoramas, loaded as one file. */
export { default as ContentScreen } from './screens/content-screen.tsx';
export { default as PanoramasScreen } from './screens/panoramas-screen.tsx';
export { default as TagsScreen } from './screens/tags-screen.tsx';
