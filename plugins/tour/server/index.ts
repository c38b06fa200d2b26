import { serverPlugin } from '#core/server';
import { Tours } from '#plugins/tour';
import { findSurface, getTag, listNodeTags, openTour, searchTags, visitNode } from '../contract/api.ts';
import type manifest from '../plugin.ts';
import { runTilePanorama, tilePanoramaJob, type TilePanoramaPayload } from './jobs/tile-panorama.ts';
import { createTour } from './migrations/0001-create-tour.ts';
import { createCapture } from './migrations/0002-create-capture.ts';
import { nodesThatSee } from './queries/nodes-that-see.ts';
import { openTourAt } from './queries/open-tour.ts';
import { surfaceSeen } from './queries/surface-seen.ts';
import { findTags, tagDetails, tagNumbersAt, tagsSeenFrom } from './queries/tags.ts';
import { tourAt } from './queries/tour-at.ts';
import { noteVisit } from './queries/visited-nodes.ts';

export default serverPlugin<typeof manifest>()({
  migrations: [createTour, createCapture],
  api: (api, context) => {
    context.provide(Tours, {
      codeAt: async (location) => (await tourAt(context, location)).code,
      nodesThatSee: (tour, shapes) => nodesThatSee(context, tour, shapes),
      tagsAt: (location) => tagNumbersAt(context, location),
    });
    context.jobs.register<TilePanoramaPayload>(tilePanoramaJob, (run) => runTilePanorama(context, run));
    api.serve(openTour, ({ caller, params }) => openTourAt(context, caller, params.location));
    api.serve(listNodeTags, ({ caller, params }) => tagsSeenFrom(context, caller, params.location, params.node));
    api.serve(findSurface, async ({ caller, params, query }) => ({ point: await surfaceSeen(context, caller, params.location, params.node, query) }));
    api.serve(searchTags, ({ caller, params, query }) => findTags(context, caller, params.location, query.text));
    api.serve(getTag, ({ caller, params }) => tagDetails(context, caller, params.location, params.number));
    api.serve(visitNode, async ({ caller, params }) => ({ visited: await noteVisit(context, caller, params.location, params.node) }));
  },
  demo: () => import('./demo.ts'),
});
