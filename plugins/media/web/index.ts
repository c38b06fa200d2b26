import { webPlugin } from '#core/web';
import { backgroundsAdmin, contactsAdmin, itemsAdmin, videoViewer, welcome } from '../contract/index.ts';
import type manifest from '../plugin.ts';

export default webPlugin<typeof manifest>()({
  routes: [
    {
      route: welcome,
      title: 'media.welcome.title',
      audience: 'user',
      category: 'TOUR',
      load: async () => ({ default: (await import('./lazy.ts')).WelcomeScreen }),
    },
    {
      route: videoViewer,
      title: 'media.video.title',
      audience: 'user',
      category: 'TOUR',
      load: async () => ({ default: (await import('./lazy.ts')).VideoViewerScreen }),
    },
    {
      route: backgroundsAdmin,
      title: 'media.backgrounds.title',
      audience: 'admin',
      category: 'ADMIN',
      access: 'configure',
      load: async () => ({ default: (await import('./admin/lazy.ts')).BackgroundsScreen }),
    },
    {
      route: contactsAdmin,
      title: 'media.contact.title',
      audience: 'admin',
      category: 'ADMIN',
      access: 'import',
      load: async () => ({ default: (await import('./admin/lazy.ts')).ContactsScreen }),
    },
    {
      route: itemsAdmin,
      title: 'media.item.pageTitle',
      audience: 'admin',
      category: 'ADMIN',
      access: 'import',
      load: async () => ({ default: (await import('./admin/lazy.ts')).ItemsScreen }),
    },
  ],
  menu: [
    { id: 'media.welcomeItem', slot: 'person.menu', to: welcome, order: 20 },
    { id: 'media.videoItem', slot: 'person.menu', to: videoViewer, order: 30 },
    { id: 'media.backgroundsItem', slot: 'admin.sidebar', to: backgroundsAdmin, order: 40, group: 'configuration' },
    { id: 'media.contactsItem', slot: 'admin.sidebar', to: contactsAdmin, order: 50, group: 'content' },
    { id: 'media.itemsItem', slot: 'admin.sidebar', to: itemsAdmin, order: 60, group: 'content' },
  ],
  messages: { en: () => import('./messages/en.json'), fr: () => import('./messages/fr.json') },
  refusals: { en: () => import('../contract/messages/en.json'), fr: () => import('../contract/messages/fr.json') },
});
