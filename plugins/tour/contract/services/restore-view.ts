import type { ViewState } from '#core';
import { findByCode } from '../values/find-by-code.ts';
import type { TourStore, TourTools } from '../services.ts';

/**
 * Restores a view: its module, node and direction. A visible module turns to the view; a module that is opened for it
 * starts with it.
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
  const place = node === undefined ? undefined : findByCode(store.nodes, node);
  if (place && place.uid !== store.currentNode?.uid) store.goTo(place.uid, onScreen ? view : undefined);
  else if (onScreen) tools.look(view, true);
  tools.setPosition(pos);
}
