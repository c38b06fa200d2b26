/** The admin screens are one chunk, because they share most of their modules. */
export { default as BackgroundsScreen } from './screens/backgrounds-screen.tsx';
export { default as ContactsScreen } from './screens/contacts-screen.tsx';
export { default as ItemsScreen } from './screens/items-screen.tsx';
export { default as NoticesScreen } from './screens/notices-screen.tsx';
export { default as WelcomeTextScreen } from './screens/welcome-text-screen.tsx';
export { default as SettingsScreen } from './screens/settings-screen.tsx';
