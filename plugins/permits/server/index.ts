import { noAccess, serverPlugin } from '#core/server';
import type manifest from '../plugin.ts';
import { writeEvents } from './commands/write-events.ts';
import { createPermits } from './migrations/0001-create-permits.ts';
import type { PermitsTables } from './tables.ts';

export default serverPlugin<typeof manifest, PermitsTables>()({
  migrations: [createPermits],
  api: (_api, context) => {
    context.registerLocationContents('permits.contents.permits', 'permit');
    context.registerLocationContents('permits.contents.zones', 'zone');
    context.changes.register({
      tables: {
        permit: { key: ['uid'], location: 'location', name: 'number', version: 'row_version', derived: ['source'] },
        assignee: { key: ['uid'], name: 'name' },
        high_risk_activity: { key: ['uid'], name: 'activity' },
        site_visit: { key: ['uid'], name: 'purpose' },
        document: { key: ['uid'], name: 'title' },
        cross_reference: { key: ['uid'], name: 'kind' },
        isolation: { key: ['uid'], name: 'certificate' },
        zone: { key: ['uid'], location: 'location', name: 'code', version: 'row_version' },
      },
      undoAccess: 'import',
      // Imports need both flags, so undoing them in the audit log needs both too.
      guard: async ({ caller }) => {
        if (!caller.access.flags.includes('permitAccess')) throw noAccess();
      },
      settle: writeEvents,
    });
  },
  demo: () => import('./demo.ts'),
});
