import { serverPlugin } from '#core/server';
import { openScans, setScanToken } from '../contract/api.ts';
import type manifest from '../plugin.ts';
import { serveClouds } from './cloud/serve-clouds.ts';
import { runTileStation, tileStationJob, type TileStationPayload } from './jobs/tile-station.ts';
import { createScan } from './migrations/0001-create-scan.ts';
import { createCloud } from './migrations/0002-create-cloud.ts';
import { openScansAt } from './queries/open-scans.ts';
import { guardScans, isBarred, scanTokenOf, setScanTokenOf } from './queries/scan-token.ts';

export default serverPlugin<typeof manifest>()({
  migrations: [createScan, createCloud],
  api: (api, context) => {
    const asksForToken = context.settings.token;
    guardScans(context, asksForToken);
    context.jobs.register<TileStationPayload>(tileStationJob, (run) => runTileStation(context, run));
    api.serve(openScans, ({ caller, params }) => openScansAt(context, caller, params.location, asksForToken));
    serveClouds(api, context, async (location) => !isBarred(await scanTokenOf(context, location, asksForToken)));
    api.serve(setScanToken, async ({ caller, params, body }) => {
      await setScanTokenOf(context, params.location, body.expiresAt, caller.uid);
      return scanTokenOf(context, params.location, asksForToken);
    });
  },
  demo: () => import('./demo.ts'),
});
