/** The admin screens as one part, because they share most of their modules. */
export { default as BackgroundsScreen } from './screens/backgrounds-screen.tsx';
export { default as ContactsScreen } from './screens/contacts-screen.tsx';
export { default as ItemsScreen } from './screens/items-screen.tsx';
