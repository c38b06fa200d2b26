import { contribute } from '#core';
import { noticeAreas, webPlugin } from '#core/web';
import {
  backgroundsAdmin,
  contactsAdmin,
  itemsAdmin,
  noticesAdmin,
  settingsAdmin,
  videoViewer,
  welcome,
  welcomeTextAdmin,
} from '../contract/index.ts';
import type manifest from '../plugin.ts';

export default webPlugin<typeof manifest>()({
  routes: [
    {
      routeRef: welcome,
      title: 'media.welcome.title',
      audience: 'user',
      category: 'TOUR',
      load: async () => ({ default: (await import('./lazy.ts')).WelcomeScreen }),
    },
    {
      routeRef: videoViewer,
      title: 'media.video.title',
      audience: 'user',
      category: 'TOUR',
      load: async () => ({ default: (await import('./lazy.ts')).VideoViewerScreen }),
    },
    {
      routeRef: backgroundsAdmin,
      title: 'media.backgrounds.title',
      audience: 'admin',
      category: 'ADMIN',
      access: 'configure',
      load: async () => ({ default: (await import('./admin/lazy.ts')).BackgroundsScreen }),
    },
    {
      routeRef: contactsAdmin,
      title: 'media.contact.title',
      audience: 'admin',
      category: 'ADMIN',
      access: 'import',
      load: async () => ({ default: (await import('./admin/lazy.ts')).ContactsScreen }),
    },
    {
      routeRef: itemsAdmin,
      title: 'media.item.pageTitle',
      audience: 'admin',
      category: 'ADMIN',
      access: 'import',
      load: async () => ({ default: (await import('./admin/lazy.ts')).ItemsScreen }),
    },
    {
      routeRef: settingsAdmin,
      title: 'media.settings.title',
      audience: 'admin',
      category: 'ADMIN',
      access: 'configure',
      load: async () => ({ default: (await import('./admin/lazy.ts')).SettingsScreen }),
    },
    {
      routeRef: welcomeTextAdmin,
      title: 'media.welcomeText.title',
      audience: 'admin',
      category: 'ADMIN',
      access: 'configure',
      load: async () => ({ default: (await import('./admin/lazy.ts')).WelcomeTextScreen }),
    },
    {
      routeRef: noticesAdmin,
      title: 'media.notice.title',
      audience: 'admin',
      category: 'ADMIN',
      access: 'configure',
      load: async () => ({ default: (await import('./admin/lazy.ts')).NoticesScreen }),
    },
  ],
  menu: [
    { id: 'media.welcomeItem', slot: 'person.menu', to: welcome, order: 20 },
    { id: 'media.videoItem', slot: 'person.menu', to: videoViewer, order: 30 },
    { id: 'media.settingsItem', slot: 'admin.sidebar', to: settingsAdmin, order: 38, group: 'configuration' },
    { id: 'media.backgroundsItem', slot: 'admin.sidebar', to: backgroundsAdmin, order: 40, group: 'configuration' },
    { id: 'media.welcomeTextItem', slot: 'admin.sidebar', to: welcomeTextAdmin, order: 42, group: 'configuration' },
    { id: 'media.noticesItem', slot: 'admin.sidebar', to: noticesAdmin, order: 45, group: 'configuration' },
    { id: 'media.contactsItem', slot: 'admin.sidebar', to: contactsAdmin, order: 50, group: 'content' },
    { id: 'media.itemsItem', slot: 'admin.sidebar', to: itemsAdmin, order: 60, group: 'content' },
  ],
  contributions: [
    contribute(noticeAreas, { id: 'media.notices', order: 10, load: () => import('./notices/notice-area.tsx') }),
  ],
  messages: { en: () => import('./messages/en.json'), fr: () => import('./messages/fr.json') },
  refusalMessages: {
    en: () => import('../contract/messages/en.json'),
    fr: () => import('../contract/messages/fr.json'),
  },
});
