import { routeAddress, decodeViewState, encodeViewState, type ViewState } from '#core';
import { restoreView, tourView, captureView, type TourStore, type TourTools } from '#plugins/tour';

/** The tour in which a tool works. */
export interface ToolPlace {
  readonly store: TourStore;
  readonly tools: TourTools;
}

/**
 * The place of a new item: the view of the clicked module (its id) in the format of the address, without a second
 * module.
 */
export function whereMade({ store, tools }: ToolPlace, module: string): string | null {
  const view = captureView(store, tools);
  if (!view) return null;
  const { v, node, pos, pan, tilt, fov } = view;
  return encodeViewState({ v, module, ...(node === undefined ? {} : { node }), pos, pan, tilt, fov });
}

/** Restores the view of an item; a second module stays open. */
export function showView({ store, tools }: ToolPlace, made: string | null): void {
  const view = made === null ? undefined : decodeViewState(made);
  if (view) restoreView(store, tools, view);
}

/** A view with one more layer, as the query of an address; empty without a view. */
export function viewWith(made: string | null, layers: NonNullable<ViewState['layers']>): string {
  const view = made === null ? undefined : decodeViewState(made);
  return view ? encodeViewState({ ...view, layers: { ...view.layers, ...layers } }) : '';
}

/** The address of this page with another view, for sharing. */
export function linkTo(query: string): string {
  const address = new URL(window.location.href);
  address.search = query;
  return address.href;
}

/** The path of a view of the open tour within the product. */
export function tourAddress({ store }: ToolPlace, query: string): string {
  return `${routeAddress(tourView, { location: store.opened?.tour.location ?? '' })}?${query}`;
}
