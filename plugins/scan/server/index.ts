import { serverPlugin } from '#core/server';
import { openScans, setScanToken } from '../contract/api.ts';
import {
  updateDelivery,
  updateStation,
  createViewpointNodes,
  planViewpoints,
  deleteStation,
  getScanContent,
} from '../contract/api/admin.ts';
import { SiteSurfaces } from '#plugins/tour';
import type manifest from '../plugin.ts';
import { serveClouds } from './cloud/handlers/serve-clouds.ts';
import { changeDeliveryAt, changeStationAt, removeStationAt } from './deliveries/commands/change-deliveries.ts';
import { deliveriesAt, listLinkableNodes, stationsAt } from './deliveries/queries/admin-content.ts';
import { listPlannedViewpoints, startViewpointCreation } from './deliveries/commands/make-viewpoints.ts';
import { runTileStation, tileStationJob, type TileStationPayload } from './stations/jobs/tile-station.ts';
import { createScan } from './migrations/0001-create-scan.ts';
import { renameStationReports } from './migrations/0002-rename-station-reports.ts';
import { createCloudSurfaces } from './ranges/cloud-surfaces.ts';
import { ScanReplyCache } from './queries/open-scans.ts';
import { registerContentChecks } from './queries/content-checks.ts';
import { findScanToken, guardScans, saveScanToken } from './queries/scan-token.ts';
import { createScanSiteContent } from './site-contents/scan-site-content.ts';
import type { ScanTables } from './tables.ts';

export default serverPlugin<typeof manifest, ScanTables>()({
  migrations: [createScan, renameStationReports],
  api: (api, context) => {
    context.registerLocationContents('scan.contents.stations', 'station');
    context.registerLocationContents('scan.contents.clouds', 'cloud');
    registerContentChecks(context);
    const tokenRequired = context.settings.token;
    context.registerSiteContent(createScanSiteContent(context, tokenRequired));
    guardScans(context, tokenRequired);
    context.service(SiteSurfaces).register(createCloudSurfaces(context, tokenRequired));
    context.jobs.register<TileStationPayload>(tileStationJob, (run) => runTileStation(context, run));
    const scanReplies = new ScanReplyCache(context, tokenRequired);
    api.serve(openScans, ({ caller, params }) => scanReplies.open(caller, params.location));
    serveClouds(api, context, tokenRequired);
    api.serve(setScanToken, async ({ caller, params, body }) => {
      await saveScanToken(context, params.location, body.expiresAt, caller.uid);
      return findScanToken(context, params.location, tokenRequired);
    });
    api.serve(getScanContent, async ({ caller, params }) => ({
      token: await findScanToken(context, params.location, tokenRequired),
      deliveries: await deliveriesAt(context, caller, params.location),
      stations: await stationsAt(context, caller, params.location),
      nodes: await listLinkableNodes(context, caller, params.location),
    }));
    api.serve(updateDelivery, async ({ caller, params, body }) => ({
      job: await changeDeliveryAt(context, caller, params.location, params.uid, body),
    }));
    api.serve(updateStation, async ({ caller, params, body }) => {
      await changeStationAt(context, caller, params.location, params.uid, body);
      return { changed: true };
    });
    api.serve(planViewpoints, ({ caller, params }) => listPlannedViewpoints(context, caller, params));
    api.serve(createViewpointNodes, ({ caller, requestId, params, body }) =>
      startViewpointCreation(context, { caller, requestId }, params, body.stations, tokenRequired),
    );
    api.serve(deleteStation, async ({ params }) => {
      await removeStationAt(context, params.location, params.uid);
      return { removed: true };
    });
  },
  demo: () => import('./demo.ts'),
});
