import type { ViewState } from '#core';
import type { TourStore, TourTools } from '../services.ts';

/** Returns the current view of a tour as it is stored in a URL. Undefined before a tour is open. */
export function captureView(
  { currentNode, category, secondaryModule, selectedTag, deck, layers }: TourStore,
  { position, view }: TourTools,
): ViewState | undefined {
  if (!currentNode || category === undefined) return undefined;
  return {
    v: 1,
    module: category,
    ...(secondaryModule === undefined ? {} : { beside: secondaryModule }),
    node: currentNode.code,
    pos: position ?? currentNode.position,
    ...view,
    ...(deck === undefined ? {} : { floor: deck.code }),
    ...(selectedTag === undefined ? {} : { sel: selectedTag.number }),
    ...(Object.keys(layers).length === 0 ? {} : { layers }),
  };
}
