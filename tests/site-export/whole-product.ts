import { enabledPlugin } from '#core/server';
import { buildBridge, startTestServer, type TestServer } from '#core/testing/server';
import annotateManifest from '../../plugins/annotate/plugin.ts';
import annotate from '../../plugins/annotate/server/index.ts';
import expenseManifest from '../../plugins/expense/plugin.ts';
import expenseImports from '../../plugins/expense/server/bridges/imports.ts';
import expense from '../../plugins/expense/server/index.ts';
import importsManifest from '../../plugins/imports/plugin.ts';
import imports from '../../plugins/imports/server/index.ts';
import locationsManifest from '../../plugins/locations/plugin.ts';
import locationImports from '../../plugins/locations/server/bridges/imports.ts';
import locations from '../../plugins/locations/server/index.ts';
import mastersManifest from '../../plugins/masters/plugin.ts';
import masterImports from '../../plugins/masters/server/bridges/imports.ts';
import masters from '../../plugins/masters/server/index.ts';
import mediaManifest from '../../plugins/media/plugin.ts';
import mediaImports from '../../plugins/media/server/bridges/imports.ts';
import media from '../../plugins/media/server/index.ts';
import modelManifest from '../../plugins/model-3d/plugin.ts';
import modelImports from '../../plugins/model-3d/server/bridges/imports.ts';
import model from '../../plugins/model-3d/server/index.ts';
import permitsManifest from '../../plugins/permits/plugin.ts';
import permitImports from '../../plugins/permits/server/bridges/imports.ts';
import permits from '../../plugins/permits/server/index.ts';
import scanManifest from '../../plugins/scan/plugin.ts';
import scan from '../../plugins/scan/server/index.ts';
import tourManifest from '../../plugins/tour/plugin.ts';
import tourImports from '../../plugins/tour/server/bridges/imports.ts';
import tour from '../../plugins/tour/server/index.ts';
import vrManifest from '../../plugins/vr/plugin.ts';
import vr from '../../plugins/vr/server/index.ts';

export { createDemoPlant } from '../../cli/demo/index.ts';

/** Starts a server with all plugins that export contents of sites. */
export function startWholeProduct(): Promise<TestServer> {
  return startTestServer({
    database: 'embedded',
    plugins: [
      enabledPlugin(importsManifest, { endSessions: true }, imports),
      enabledPlugin(locationsManifest, { alphabetical: false }, locations),
      enabledPlugin(mastersManifest, {}, masters),
      enabledPlugin(expenseManifest, {}, expense),
      enabledPlugin(tourManifest, {}, tour),
      enabledPlugin(scanManifest, { token: false }, scan),
      enabledPlugin(modelManifest, { engine: 'builtin' }, model),
      enabledPlugin(annotateManifest, {}, annotate),
      enabledPlugin(mediaManifest, {}, media),
      enabledPlugin(vrManifest, { hoverNavigation: false }, vr),
      enabledPlugin(permitsManifest, {}, permits),
    ],
    bridges: [
      buildBridge('locations', 'imports', locationImports),
      buildBridge('masters', 'imports', masterImports),
      buildBridge('expense', 'imports', expenseImports),
      buildBridge('tour', 'imports', tourImports),
      buildBridge('model-3d', 'imports', modelImports),
      buildBridge('media', 'imports', mediaImports),
      buildBridge('permits', 'imports', permitImports),
    ],
  });
}
