import { serverPlugin } from '#core/server';
import { openScans, setScanToken } from '../contract/api.ts';
import { changeDelivery, changeStation, removeStation, scanContent } from '../contract/admin/api.ts';
import type manifest from '../plugin.ts';
import { serveClouds } from './cloud/serve-clouds.ts';
import { changeDeliveryAt, changeStationAt, removeStationAt } from './deliveries/change-deliveries.ts';
import { deliveriesAt, nodesToTie, stationsAt } from './deliveries/scan-content.ts';
import { runTileStation, tileStationJob, type TileStationPayload } from './jobs/tile-station.ts';
import { createScan } from './migrations/0001-create-scan.ts';
import { createCloud } from './migrations/0002-create-cloud.ts';
import { placeDeliveries } from './migrations/0003-place-deliveries.ts';
import { tieStations } from './migrations/0004-tie-stations.ts';
import { keepRefusals } from './migrations/0005-keep-refusals.ts';
import { noteCoordinates } from './migrations/0006-note-coordinates.ts';
import { openScansAt } from './queries/open-scans.ts';
import { guardScans, isBarred, scanTokenOf, setScanTokenOf } from './queries/scan-token.ts';

export default serverPlugin<typeof manifest>()({
  migrations: [createScan, createCloud, placeDeliveries, tieStations, keepRefusals, noteCoordinates],
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
    api.serve(scanContent, async ({ caller, params }) => ({
      token: await scanTokenOf(context, params.location, asksForToken),
      deliveries: await deliveriesAt(context, caller, params.location),
      stations: await stationsAt(context, caller, params.location),
      nodes: await nodesToTie(context, caller, params.location),
    }));
    api.serve(changeDelivery, async ({ caller, params, body }) => ({
      job: await changeDeliveryAt(context, caller, params.location, params.code, body),
    }));
    api.serve(changeStation, async ({ params, body }) => {
      await changeStationAt(context, params.location, params.code, body);
      return { changed: true };
    });
    api.serve(removeStation, async ({ params }) => {
      await removeStationAt(context, params.location, params.code);
      return { removed: true };
    });
  },
  demo: () => import('./demo.ts'),
});
