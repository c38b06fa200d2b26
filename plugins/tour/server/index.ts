import { serverPlugin } from '#core/server';
import { Tours } from '#plugins/tour';
import { findSurface, getTag, listNodeTags, openTour, searchTags, visitNode } from '../contract/api.ts';
import { importPanoramas as importPanoramasCall, listPanoramas, removePanorama } from '../contract/admin/api.ts';
import type manifest from '../plugin.ts';
import { importPanoramaJob, runImportPanorama, type ImportPanoramaPayload } from './imports/import-panorama.ts';
import { panoramasAt, removePanoramaOf } from './imports/panoramas-at.ts';
import { panoramaUpload, takePanoramas } from './imports/take-panoramas.ts';
import { runTilePanorama, tilePanoramaJob, type TilePanoramaPayload } from './jobs/tile-panorama.ts';
import { createTour } from './migrations/0001-create-tour.ts';
import { createCapture } from './migrations/0002-create-capture.ts';
import { importPanoramas } from './migrations/0003-import-panoramas.ts';
import { keepRefusals } from './migrations/0004-keep-refusals.ts';
import { nodesAt } from './queries/nodes-at.ts';
import { nodesThatSee } from './queries/nodes-that-see.ts';
import { openTourAt } from './queries/open-tour.ts';
import { surfaceSeen } from './queries/surface-seen.ts';
import { findTags, tagDetails, tagNumbersAt, tagsSeenFrom } from './queries/tags.ts';
import { tourAt } from './queries/tour-at.ts';
import { noteVisit } from './queries/visited-nodes.ts';

export default serverPlugin<typeof manifest>()({
  migrations: [createTour, createCapture, importPanoramas, keepRefusals],
  api: (api, context) => {
    context.provide(Tours, {
      codeAt: async (location) => (await tourAt(context, location)).code,
      nodesThatSee: (tour, shapes) => nodesThatSee(context, tour, shapes),
      nodesAt: (location) => nodesAt(context, location),
      tagsAt: (location) => tagNumbersAt(context, location),
    });
    context.jobs.register<TilePanoramaPayload>(tilePanoramaJob, (run) => runTilePanorama(context, run));
    context.jobs.register<ImportPanoramaPayload>(importPanoramaJob, (run) => runImportPanorama(context, run));
    api.serve(openTour, ({ caller, params }) => openTourAt(context, caller, params.location));
    api.serve(listNodeTags, ({ caller, params }) => tagsSeenFrom(context, caller, params.location, params.node));
    api.serve(findSurface, async ({ caller, params, query }) => ({
      point: await surfaceSeen(context, caller, params.location, params.node, query),
    }));
    api.serve(searchTags, ({ caller, params, query }) => findTags(context, caller, params.location, query.text));
    api.serve(getTag, ({ caller, params }) => tagDetails(context, caller, params.location, params.number));
    api.serve(visitNode, async ({ caller, params }) => ({
      visited: await noteVisit(context, caller, params.location, params.node),
    }));
    api.serve(listPanoramas, ({ caller, params }) => panoramasAt(context, caller, params.location));
    api.serveUpload(importPanoramasCall, panoramaUpload, ({ caller, params, query }, upload) =>
      takePanoramas(context, caller, params.location, query, upload),
    );
    api.serve(removePanorama, async ({ caller, params }) => {
      await removePanoramaOf(context, caller, params.location, params.node, params.uid);
      return { removed: true };
    });
  },
  demo: () => import('./demo.ts'),
});
