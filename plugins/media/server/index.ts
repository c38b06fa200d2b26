import { serverPlugin } from '#core/server';
import type manifest from '../plugin.ts';
import { createBackground } from './migrations/0001-create-background.ts';
import { createContact } from './migrations/0002-create-contact.ts';
import { createItem } from './migrations/0003-create-item.ts';
import { serveBackgrounds } from './serve-backgrounds.ts';
import { serveContacts } from './serve-contacts.ts';
import { serveItems } from './serve-items.ts';
import type { MediaTables } from './tables.ts';

export default serverPlugin<typeof manifest, MediaTables>()({
  migrations: [createBackground, createContact, createItem],
  api: (api, context) => {
    context.changes.register({
      tables: {
        background: { key: ['subject'], location: 'location', version: 'version' },
        contact: { key: ['uid'], location: 'location', name: 'name', version: 'row_version' },
        item: { key: ['uid'], name: 'title', version: 'row_version' },
      },
    });
    serveBackgrounds(api, context);
    serveContacts(api, context);
    serveItems(api, context);
  },
  demo: () => import('./demo.ts'),
});
