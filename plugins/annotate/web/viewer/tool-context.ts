import { routeUrl, decodeViewState, encodeViewState, type ViewState } from '#core';
import { restoreView, tourView, captureView, type TourStore, type TourTools } from '#plugins/tour';

/** The tour in which a tool is used. */
export interface ToolContext {
  readonly tourStore: TourStore;
  readonly tourTools: TourTools;
}

/**
 * Formats the view in which an item is created. It contains only the clicked tour module, without the second module of
 * a split view.
 */
export function formatCreationView({ tourStore, tourTools }: ToolContext, module: string): string | null {
  const view = captureView(tourStore, tourTools);
  if (!view) return null;
  const { v, node, pos, pan, tilt, fov } = view;
  return encodeViewState({ v, module, ...(node === undefined ? {} : { node }), pos, pan, tilt, fov });
}

/** Restores the view of an item. A second module stays open. */
export function restoreItemView({ tourStore, tourTools }: ToolContext, encodedView: string | null): void {
  const view = encodedView === null ? undefined : decodeViewState(encodedView);
  if (view) restoreView(tourStore, tourTools, view);
}

/** Adds layers to a view and formats it as the query of a URL. The query is empty without a view. */
export function addLayers(encodedView: string | null, layers: NonNullable<ViewState['layers']>): string {
  const view = encodedView === null ? undefined : decodeViewState(encodedView);
  return view ? encodeViewState({ ...view, layers: { ...view.layers, ...layers } }) : '';
}

/** Formats the URL of this page with another view, for sharing. */
export function formatShareUrl(query: string): string {
  const url = new URL(window.location.href);
  url.search = query;
  return url.href;
}

/** Formats the path of a view of the open tour within the product. */
export function formatTourPath({ tourStore }: ToolContext, query: string): string {
  return `${routeUrl(tourView, { location: tourStore.opened?.tour.location ?? '' })}?${query}`;
}
