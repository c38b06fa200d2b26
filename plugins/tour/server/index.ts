import { sql } from 'kysely';
import { serverPlugin } from '#core/server';
import { SiteContents, SiteSurfaces, Tours } from '#plugins/tour';
import {
  updateCode,
  findNodes,
  findSurface,
  findTagTours,
  getDocument,
  getTag,
  listNodeTags,
  listTourLocations,
  listVisitedNodes,
  openTour,
  searchTags,
  visitNode,
} from '../contract/api.ts';
import { importPanoramas, listPanoramas, locatePanoramas, deletePanorama } from '../contract/api/admin.ts';
import { openViewLink, saveViewLink } from '../contract/api/links.ts';
import type manifest from '../plugin.ts';
import { importPanoramaJob, runImportPanorama, type ImportPanoramaPayload } from './jobs/import-panorama.ts';
import { listPanoramasAt, removeNodePanorama } from './handlers/panoramas-at.ts';
import { panoramaUpload, receivePanoramas } from './commands/receive-panoramas.ts';
import { saveLink } from './commands/save-link.ts';
import { placeTags } from './contents/place-tags.ts';
import { serveContents } from './contents/serve-contents.ts';
import { runTilePanorama, tilePanoramaJob, type TilePanoramaPayload } from './jobs/tile-panorama.ts';
import { createTour as createTourTables } from './migrations/0001-create-tour.ts';
import { createDocuments } from './migrations/0002-create-documents.ts';
import { createViewLinks } from './migrations/0003-create-view-links.ts';
import { indexTagsBySite } from './migrations/0004-index-tags-by-site.ts';
import { editContents } from './migrations/0005-edit-contents.ts';
import { editTags } from './migrations/0006-edit-tags.ts';
import { createAlignment } from './migrations/0007-create-alignment.ts';
import { keepPictureFacts } from './migrations/0008-keep-picture-facts.ts';
import { settleViewsLater } from './migrations/0009-settle-views-later.ts';
import { drawWalls } from './migrations/0011-draw-walls.ts';
import { giveViews } from './migrations/0012-give-views.ts';
import { keepPosedTilt } from './migrations/0013-keep-posed-tilt.ts';
import { findByCodes, findNodesByCode, replaceCode } from './queries/codes.ts';
import { getDocumentDetails } from './queries/documents.ts';
import { filterNodes } from './queries/filter-nodes.ts';
import { nodesAtEach, nodesVersion } from './queries/nodes-at.ts';
import { nodesThatSee } from './queries/nodes-that-see.ts';
import { registerContentChecks } from './contents/content-checks.ts';
import { findLink } from './queries/find-link.ts';
import { findTagsByNumber } from './queries/find-tags-by-number.ts';
import { listTourLocationUids } from './queries/list-tour-locations.ts';
import { PreparedTours } from './queries/open-tour.ts';
import { findSurfacePoint } from './queries/surface-seen.ts';
import { findSitePositions } from './queries/site-positions.ts';
import { findTags } from './queries/search-tags.ts';
import { getTagDetails, tagNumbers, tagsAt, listTagsSeenFrom } from './queries/tags.ts';
import { tourAt } from './queries/tour-at.ts';
import { selectCoded } from './queries/select-coded.ts';
import { siteTags } from './queries/site-tags.ts';
import { saveVisit, listVisitedUids } from './queries/visited-nodes.ts';
import { dropRangesJob, runDropRanges, type DropRangesPayload } from './ranges/drop-site-ranges.ts';
import { serveRanges } from './ranges/serve-ranges.ts';
import { SurfaceProviders } from './ranges/surface-providers.ts';
import { registerSiteContents } from './site-contents/register-site-contents.ts';
import { makeNodesJob, runMakeNodes, startNodeCreation, type MakeNodesPayload } from './stations/make-nodes.ts';
import { planNodes } from './stations/plan-nodes.ts';
import type { TourTables } from './tables.ts';

export default serverPlugin<typeof manifest, TourTables>()({
  migrations: [
    createTourTables,
    createDocuments,
    createViewLinks,
    indexTagsBySite,
    editContents,
    editTags,
    createAlignment,
    keepPictureFacts,
    settleViewsLater,
    drawWalls,
    giveViews,
    keepPosedTilt,
  ],
  api: (api, context) => {
    context.registerLocationContents('tour.contents.tours', 'tour');
    context.registerLocationContents('tour.contents.decks', 'deck');
    context.registerLocationContents('tour.contents.nodes', 'node');
    context.registerLocationContents('tour.contents.tags', 'tag');
    context.registerLocationContents('tour.contents.documents', 'document');
    registerContentChecks(context);
    registerSiteContents(context);
    serveContents(api, context);
    // People measure with these ranges, so the job must not wait behind long jobs.
    context.jobs.register<DropRangesPayload>(dropRangesJob, (run) => runDropRanges(context, run), { isShort: true });
    const surfaces = new SurfaceProviders(async (location, transaction) => {
      await context.jobs.start<DropRangesPayload>(dropRangesJob, { location }, null, transaction);
    });
    serveRanges(api, context, surfaces);
    context.provide(SiteSurfaces, surfaces);
    context.provide(SiteContents, { select: selectCoded });
    context.provide(Tours, {
      tourAt: async (location) => (await tourAt(context, location)).uid,
      nodesThatSee: (tour, shapes) => nodesThatSee(context, tour, shapes),
      nodesAt: async (location) => (await nodesAtEach(context, [location])).get(location) ?? [],
      nodesAtEach: (locations) => nodesAtEach(context, locations),
      nodesVersion: (locations) => nodesVersion(context, locations),
      tagsAt: (location) => tagsAt(context, location),
      siteTags: (location) => siteTags(context, location),
      placeTags: (author, location, positions, accessibleLocations) =>
        placeTags(context, author, location, positions, accessibleLocations),
      planNodes: (location, stations, accessibleLocations) =>
        planNodes(context, location, stations, accessibleLocations),
      startNodeCreation: (author, location, stations, accessibleLocations) =>
        startNodeCreation(context, author, location, stations, accessibleLocations),
      findTags: (location, numbers) => findByCodes(context, 'TAG', location, numbers),
      findNodes: (location, codes) => findByCodes(context, 'NODE', location, codes),
      filterNodes: (location, uids) => filterNodes(context, location, uids),
      tagNumbers: (uids, accessibleLocations) => tagNumbers(context, uids, accessibleLocations),
      tagQuery: (site) => sql`select uid, code as number, location from tour.tag where site = ${site}`,
      tourQuery: (site) => sql`select uid, code, location from tour.tour where site = ${site}`,
    });
    context.jobs.register<TilePanoramaPayload>(tilePanoramaJob, (run) => runTilePanorama(context, run));
    context.jobs.register<ImportPanoramaPayload>(importPanoramaJob, (run) => runImportPanorama(context, run));
    context.jobs.register<MakeNodesPayload>(makeNodesJob, (run) => runMakeNodes(context, run));
    const tours = new PreparedTours(context);
    api.serve(openTour, ({ caller, params, query }) => tours.open(caller, params.location, query));
    api.serve(listTourLocations, ({ caller }) => listTourLocationUids(context, caller));
    api.serve(findNodes, ({ caller, query }) => findNodesByCode(context, caller, query));
    api.serve(findTagTours, ({ caller, query }) => findTagsByNumber(context, caller, query));
    api.serve(updateCode, async (call) => {
      await replaceCode(context, call);
      return { code: call.body.code };
    });
    api.serve(listNodeTags, ({ caller, params }) => listTagsSeenFrom(context, caller, params.location, params.node));
    api.serve(findSurface, async ({ caller, params, query }) => ({
      point: await findSurfacePoint(context, caller, params.location, params.node, query),
    }));
    api.serve(searchTags, ({ caller, params, query }) => findTags(context, caller, params.location, query));
    api.serve(getTag, ({ caller, params }) => getTagDetails(context, caller, params.location, params.number));
    api.serve(getDocument, ({ caller, params }) => getDocumentDetails(context, caller, params.location, params.code));
    api.serve(listVisitedNodes, ({ caller, params }) => listVisitedUids(context, caller, params.location));
    api.serve(visitNode, async ({ caller, params }) => {
      await saveVisit(context, caller, params.location, params.node);
      return {};
    });
    api.serve(saveViewLink, ({ caller, params, body }) => saveLink(context, caller, params.location, body.view));
    api.serve(openViewLink, ({ caller, params }) => findLink(context, caller, params.code));
    api.serve(listPanoramas, ({ caller, params }) => listPanoramasAt(context, caller, params.location));
    api.serveUpload(importPanoramas, panoramaUpload, ({ caller, params, query }, upload) =>
      receivePanoramas(context, caller, params.location, query, upload),
    );
    api.serve(locatePanoramas, async ({ params, body }) => ({
      positions: await findSitePositions(context, params.location, body.places),
    }));
    api.serve(deletePanorama, async ({ caller, params }) => {
      await removeNodePanorama(context, caller, params.location, params.node, params.uid);
      return { removed: true };
    });
  },
  demo: () => import('./demo.ts'),
});
