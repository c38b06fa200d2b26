import type { ViewState } from '#core';
import { findByCode } from '../values/find-by-code.ts';
import type { TourStore, TourTools } from '../services.ts';

/**
 * Restores a view with its module, node and direction. A visible module turns to the view. A module that is opened
 * starts with the view.
 */
export function restoreView(
  store: TourStore,
  tools: TourTools,
  { module, node, pos, pan, tilt, fov }: ViewState,
): void {
  const onScreen = module === store.category || module === store.secondaryModule;
  const view = { pan, tilt, fov };
  store.chooseModule(module);
  if (!onScreen) tools.setView(view);
  const targetNode = node === undefined ? undefined : findByCode(store.nodes, node);
  if (targetNode && targetNode.uid !== store.currentNode?.uid) store.goTo(targetNode.uid, onScreen ? view : undefined);
  else if (onScreen) tools.look(view, true);
  tools.setPosition(pos);
}
