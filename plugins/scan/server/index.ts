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
import { deliveriesAt, listLinkableNodes, stationsAt } from './deliveries/queries/scan-content.ts';
import { listPlannedViewpoints, startViewpoints } from './deliveries/commands/make-viewpoints.ts';
import { runTileStation, tileStationJob, type TileStationPayload } from './stations/jobs/tile-station.ts';
import { createScan } from './migrations/0001-create-scan.ts';
import { renameStationReports } from './migrations/0002-rename-station-reports.ts';
import { createCloudSurfaces } from './ranges/cloud-surfaces.ts';
import { PreparedScans } from './queries/open-scans.ts';
import { registerChecks } from './queries/register-checks.ts';
import { findScanToken, guardScans, saveScanToken } from './queries/scan-token.ts';
import { createScanContent } from './site-contents/scan-content.ts';
import type { ScanTables } from './tables.ts';

export default serverPlugin<typeof manifest, ScanTables>()({
  migrations: [createScan, renameStationReports],
  api: (api, context) => {
    context.registerContents('scan.contents.stations', 'station');
    context.registerContents('scan.contents.clouds', 'cloud');
    registerChecks(context);
    const tokenRequired = context.settings.token;
    context.registerSiteContent(createScanContent(context, tokenRequired));
    guardScans(context, tokenRequired);
    context.service(SiteSurfaces).register(createCloudSurfaces(context, tokenRequired));
    context.jobs.register<TileStationPayload>(tileStationJob, (run) => runTileStation(context, run));
    const scans = new PreparedScans(context, tokenRequired);
    api.serve(openScans, ({ caller, params }) => scans.open(caller, params.location));
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
      startViewpoints(context, { caller, requestId }, params, body.stations, tokenRequired),
    );
    api.serve(deleteStation, async ({ params }) => {
      await removeStationAt(context, params.location, params.uid);
      return { removed: true };
    });
  },
  demo: () => import('./demo.ts'),
});
