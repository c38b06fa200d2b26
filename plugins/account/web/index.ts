import { contribute } from '#core';
import { settingsSections, webPlugin } from '#core/web';
import { settings } from '../contract/index.ts';
import type manifest from '../plugin.ts';

export default webPlugin<typeof manifest>()({
  routes: [{ route: settings, title: 'account.settings.title', audience: 'user', category: 'TOUR', load: () => import('./screens/settings-screen.tsx') }],
  menu: [{ id: 'account.settingsItem', place: 'person.menu', to: settings, order: 10 }],
  contributions: [
    contribute(settingsSections, { id: 'account.profile', order: 10, title: 'account.profile.title', load: () => import('./screens/profile-section.tsx') }),
    contribute(settingsSections, { id: 'account.appearance', order: 20, title: 'account.appearance.title', load: () => import('./screens/appearance-section.tsx') }),
    contribute(settingsSections, { id: 'account.defaults', order: 30, title: 'account.defaults.title', load: () => import('./screens/defaults-section.tsx') }),
    contribute(settingsSections, { id: 'account.password', order: 40, title: 'account.password.title', load: () => import('./screens/password-section.tsx') }),
  ],
  messages: { en: () => import('./messages/en.json'), fr: () => import('./messages/fr.json') },
});
