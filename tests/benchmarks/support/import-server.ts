import { enabledPlugin, LocationStore, startServer } from '#core/server';
import { createTestCalls } from '../../../core/testing/server/test-calls.ts';
import { addPerson, signInAs } from '../../../core/testing/server/test-people.ts';
import importsManifest from '../../../plugins/imports/plugin.ts';
import imports from '../../../plugins/imports/server/index.ts';
import permitsManifest from '../../../plugins/permits/plugin.ts';
import permitsImports from '../../../plugins/permits/server/bridges/imports.ts';
import permits from '../../../plugins/permits/server/index.ts';
import tourManifest from '../../../plugins/tour/plugin.ts';
import tour from '../../../plugins/tour/server/index.ts';
import type { EnabledBridge } from '../../../core/server/kernel/enabled-plugin.ts';
import type { ServerBridge } from '../../../core/server/kernel/server-plugin.ts';
import { plainProduct } from './plain-product.ts';

/**
 * This program is a server that imports permits, with one site, `site`, and one person. It sends `{ address }` and
 * `{ token }` to its parent.
 */
const bridge: EnabledBridge = {
  owner: 'permits',
  partner: 'imports',
  bridge: permitsImports as unknown as ServerBridge,
};

await startServer(
  {
    product: plainProduct,
    plugins: [
      enabledPlugin(importsManifest, { endSessions: false }, imports),
      enabledPlugin(tourManifest, {}, tour),
      enabledPlugin(permitsManifest, {}, permits),
    ],
    bridges: [bridge],
  },
  process.env,
  {
    prepare: async (server) => {
      await server.start();
      await server.registrar.services
        .find(LocationStore, 'bench')
        .upsert([
          { uid: 'site', parent: null, root: 'site', locationType: 'PRIMARY_LOCATION', name: 'Site', label: '' },
        ]);
      const flags = ['import', 'permitAccess'] as const;
      const token = await signInAs(createTestCalls(server.app), await addPerson(server.database, { flags }));
      process.send?.({ token });
    },
  },
);
