import type { ViewState } from '#core';
import { findByCode } from '../values/find-by-code.ts';
import type { TourStore, TourTools } from '../services.ts';

/**
 * Restores a view with its module, node and direction. A visible module turns to the view. A module that is opened
 * starts with the view. Waits for a node that is not loaded yet.
 */
export function restoreView(store: TourStore, tools: TourTools, viewState: ViewState): void {
  const { module, node, pos, pan, tilt, fov } = viewState;
  const targetNode = node === undefined ? undefined : findByCode(store.nodes, node);
  if (node !== undefined && !targetNode && store.opened?.complete === false) {
    const { tour } = store.opened;
    store.loadAllNodes().then(
      () => {
        if (store.opened?.complete && store.opened.tour.uid === tour.uid) restoreView(store, tools, viewState);
      },
      () => {
        if (store.opened?.tour.uid === tour.uid)
          store.reportMissing({ message: 'tour.link.node', values: { code: node } });
      },
    );
    return;
  }
  const onScreen = module === store.category || module === store.secondaryModule;
  const view = { pan, tilt, fov };
  store.chooseModule(module);
  if (!onScreen) tools.setView(view);
  if (targetNode && targetNode.uid !== store.currentNode?.uid) store.goTo(targetNode.uid, onScreen ? view : undefined);
  else if (onScreen) tools.look(view, true);
  tools.setPosition(pos);
}
