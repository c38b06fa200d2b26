import { contribute } from '#core';
import { settingsSections, webPlugin } from '#core/web';
import { secondFactor, settings } from '../contract/index.ts';
import type manifest from '../plugin.ts';

// The sections share the chunk of their screen, because separate chunks would cost four more requests.
const loadScreen = () => import('./screens/settings-screen.tsx');

export default webPlugin<typeof manifest>()({
  routes: [
    { routeRef: settings, title: 'account.settings.title', audience: 'user', category: 'TOUR', load: loadScreen },
    {
      routeRef: secondFactor,
      title: 'account.secondFactor.title',
      audience: 'user',
      category: 'TOUR',
      load: () => import('./screens/second-factor-screen.tsx'),
    },
  ],
  menu: [{ id: 'account.settingsItem', slot: 'person.menu', to: settings, order: 10 }],
  contributions: [
    contribute(settingsSections, {
      id: 'account.profile',
      order: 10,
      title: 'account.profile.title',
      load: () => loadScreen().then(({ ProfileSection }) => ({ default: ProfileSection })),
    }),
    contribute(settingsSections, {
      id: 'account.appearance',
      order: 20,
      title: 'account.appearance.title',
      load: () => loadScreen().then(({ AppearanceSection }) => ({ default: AppearanceSection })),
    }),
    contribute(settingsSections, {
      id: 'account.defaults',
      order: 30,
      title: 'account.defaults.title',
      load: () => loadScreen().then(({ DefaultsSection }) => ({ default: DefaultsSection })),
    }),
    contribute(settingsSections, {
      id: 'account.password',
      order: 40,
      title: 'account.password.title',
      load: () => loadScreen().then(({ PasswordSection }) => ({ default: PasswordSection })),
    }),
    contribute(settingsSections, {
      id: 'account.secondFactor',
      order: 45,
      title: 'account.secondFactor.title',
      load: () => loadScreen().then(({ SecondFactorSection }) => ({ default: SecondFactorSection })),
    }),
    contribute(settingsSections, {
      id: 'account.sessions',
      order: 50,
      title: 'account.sessions.title',
      load: () => loadScreen().then(({ SessionsSection }) => ({ default: SessionsSection })),
    }),
  ],
  messages: { en: () => import('./messages/en.json'), fr: () => import('./messages/fr.json') },
});
