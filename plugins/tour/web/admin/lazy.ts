/** The admin screens of decks, viewpoints, tags and documents, loaded as one file. */
export { default as ContentScreen } from './screens/content-screen.tsx';
export { default as TagsScreen } from './screens/tags-screen.tsx';
