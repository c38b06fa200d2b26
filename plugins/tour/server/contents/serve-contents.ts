import type { Api, ServerContext } from '#core/server';
import { alignNode, getAlignment } from '../../contract/api/alignment.ts';
import {
  updateDeck,
  updateNodes,
  updateTour,
  createDeck,
  createNodes,
  createTour,
  deleteDeck,
  deleteNodes,
  deleteTour,
  getTourContent,
  placeDeckPlan,
  proposeLinks,
  deleteDeckPlan,
  saveDeckPlan,
  saveDeckWalls,
  saveLinks,
} from '../../contract/api/tour-content.ts';
import type { TourTables } from '../tables.ts';
import { readAlignment, saveAlignment } from './alignment-changes.ts';
import { addDeck, placePlan, removeDeck, removePlan, saveDeck } from './deck-changes.ts';
import { readTourContent } from './get-tour-content.ts';
import { changeLinks, findLinkProposals } from './link-changes.ts';
import { addNodes, removeNodes, saveNodes } from './node-changes.ts';
import { registerEditableTables } from './register-editable-tables.ts';
import { planUpload, savePlan } from './save-plan.ts';
import { serveTagContents } from './serve-tag-contents.ts';
import { saveWalls } from './save-walls.ts';
import { addTour, removeTour, saveTour } from './tour-changes.ts';

/** Serves decks with plans, tours, nodes, links, tags and documents for admins. Each change can be undone. */
export function serveContents(api: Api, context: ServerContext<TourTables>): void {
  registerEditableTables(context);
  serveTagContents(api, context);
  api.serve(getTourContent, ({ caller, params }) => readTourContent(context, caller, params.location));

  api.serve(createDeck, (call) => addDeck(context, call, call.params.location, call.body));
  api.serve(updateDeck, (call) => saveDeck(context, call, call.params, call.body));
  api.serve(deleteDeck, (call) => removeDeck(context, call, call.params, call.query.version));
  api.serveUpload(saveDeckPlan, planUpload, (call, upload) =>
    savePlan(context, call, call.params, call.query.version, upload),
  );
  api.serve(deleteDeckPlan, (call) => removePlan(context, call, call.params, call.query.version));
  api.serve(placeDeckPlan, (call) => placePlan(context, call, call.params, call.body));
  api.serve(saveDeckWalls, (call) => saveWalls(context, call, call.params, call.body));

  api.serve(createTour, (call) => addTour(context, call, call.params.location, call.body));
  api.serve(updateTour, (call) => saveTour(context, call, call.params, call.body));
  api.serve(deleteTour, (call) => removeTour(context, call, call.params, call.query.version));

  api.serve(createNodes, (call) => addNodes(context, call, call.params, call.body));
  api.serve(updateNodes, (call) => saveNodes(context, call, call.params, call.body));
  api.serve(deleteNodes, (call) => removeNodes(context, call, call.params, call.body));

  api.serve(getAlignment, ({ caller, params }) => readAlignment(context, caller, params));
  api.serve(alignNode, (call) => saveAlignment(context, call, call.params, call.body));

  api.serve(saveLinks, (call) => changeLinks(context, call, call.params, call.body));
  api.serve(proposeLinks, ({ caller, params, query }) => findLinkProposals(context, caller, params, query.distance));
}
