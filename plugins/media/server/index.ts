import { noticesChanged } from '#core/api';
import { serverPlugin, SettingSources } from '#core/server';
import type manifest from '../plugin.ts';
import { assertAccessToAllLocations } from './commands/assert-access-to-all-locations.ts';
import { listSettingSources } from './list-setting-sources.ts';
import { createBackground } from './migrations/0001-create-background.ts';
import { createContact } from './migrations/0002-create-contact.ts';
import { createItem } from './migrations/0003-create-item.ts';
import { createNotice } from './migrations/0004-create-notice.ts';
import { serveBackgrounds } from './serve-backgrounds.ts';
import { serveContacts } from './serve-contacts.ts';
import { serveItems } from './serve-items.ts';
import { serveNotices } from './serve-notices.ts';
import { serveWelcomeText } from './serve-welcome-text.ts';
import { createMediaContent } from './site-contents/media-content.ts';
import type { MediaTables } from './tables.ts';

export default serverPlugin<typeof manifest, MediaTables>()({
  migrations: [createBackground, createContact, createItem, createNotice],
  api: (api, context) => {
    context.changes.register({
      tables: {
        background: { key: ['subject'], location: 'location', version: 'version' },
        contact: { key: ['uid'], location: 'location', name: 'name', version: 'row_version', undoAccess: 'import' },
        item: { key: ['uid'], name: 'title', version: 'row_version', undoAccess: 'import' },
        notice: { key: ['uid'], location: 'location', name: 'text', version: 'row_version' },
      },
      disposable: ['notice_dismissal'],
      announce: async ({ notice = [] }) => {
        if (notice.length > 0) await context.events.publish(noticesChanged, 'signedIn', {});
      },
      guard: async ({ changed, former, caller }) => {
        const { background = [], contact = [], item = [], notice = [] } = changed;
        const isForEverybody = ({ location }: { readonly location: unknown }): boolean => location === null;
        const rowsOfTables = [background, former.background, contact, former.contact, notice, former.notice];
        if (item.length > 0 || rowsOfTables.some((rowsOfTable) => rowsOfTable?.some(isForEverybody)))
          assertAccessToAllLocations(caller);
      },
    });
    context.registerSiteContent(createMediaContent(context));
    serveBackgrounds(api, context);
    serveContacts(api, context);
    serveItems(api, context);
    serveNotices(api, context);
    serveWelcomeText(api, context);
    context.service(SettingSources).register(...listSettingSources(context));
  },
  demo: () => import('./demo.ts'),
});
