import { routeAddress, decodeViewState, encodeViewState, type ViewState } from '#core';
import { restoreView, tourView, captureView, type TourStore, type TourTools } from '#plugins/tour';

/** The tour that a tool works in. */
export interface ToolPlace {
  readonly store: TourStore;
  readonly tools: TourTools;
}

/**
 * Where something is made: the view as an address holds it, in the module (its id) that was clicked in, without what is
 * open beside it.
 */
export function whereMade({ store, tools }: ToolPlace, module: string): string | null {
  const view = captureView(store, tools);
  if (!view) return null;
  const { v, node, pos, pan, tilt, fov } = view;
  return encodeViewState({ v, module, ...(node === undefined ? {} : { node }), pos, pan, tilt, fov });
}

/** Looks as who made it did; what stands beside the module stays. */
export function showView({ store, tools }: ToolPlace, made: string | null): void {
  const view = made === null ? undefined : decodeViewState(made);
  if (view) restoreView(store, tools, view);
}

/** A view with one more layer, as the query of an address; empty where there is none. */
export function viewWith(made: string | null, layers: NonNullable<ViewState['layers']>): string {
  const view = made === null ? undefined : decodeViewState(made);
  return view ? encodeViewState({ ...view, layers: { ...view.layers, ...layers } }) : '';
}

/** This page at another view, as an address to hand on. */
export function linkTo(query: string): string {
  const address = new URL(window.location.href);
  address.search = query;
  return address.href;
}

/** The address of a view of the open tour, within the product. */
export function tourAddress({ store }: ToolPlace, query: string): string {
  return `${routeAddress(tourView, { location: store.opened?.tour.location ?? '' })}?${query}`;
}
