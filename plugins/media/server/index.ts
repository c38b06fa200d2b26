import { serverPlugin } from '#core/server';
import type manifest from '../plugin.ts';
import { createBackground } from './migrations/0001-create-background.ts';
import { serveBackgrounds } from './serve-backgrounds.ts';
import type { MediaTables } from './tables.ts';

export default serverPlugin<typeof manifest, MediaTables>()({
  migrations: [createBackground],
  api: (api, context) => {
    context.changes.register({
      tables: { background: { key: ['subject'], location: 'location', version: 'version' } },
    });
    serveBackgrounds(api, context);
  },
});
