import type { ComponentType } from 'react';
import { extensionPoint, type Contribution, type ViewType } from '#core';
import type { TagDetails } from './api.ts';

type Load<T> = () => Promise<{ readonly default: T }>;

/**
 * A way to look at the tour, such as the panorama: fills the window beneath the frame. It asks for `TourStore` and
 * `TourTools` as services. The window is black: a module that is no picture draws the theme's background. What it draws
 * over its picture keeps clear of the frame by the CSS variables of `useCover`, and says by it what it covers.
 */
export interface TourModule extends Contribution {
  /** Message ids: the whole name, and at most five letters for the rail. */
  readonly title: string;
  readonly shortTitle: string;
  readonly icon: Load<ComponentType>;
  /** For modules that have a view direction. */
  readonly viewType?: ViewType;
  readonly load: Load<ComponentType>;
}
export const tourModules = extensionPoint<TourModule>('tour.module');

/** One button, or a few that belong together, of the tool bar at the bottom. */
export interface TourTool extends Contribution {
  /** Ids of the modules it stands beside; absent: all. */
  readonly modules?: readonly string[];
  readonly load: Load<ComponentType>;
}
export const tourTools = extensionPoint<TourTool>('tour.tool');

/**
 * A panel at the right of the tour (on a phone a sheet at the bottom), drawn while `TourStore.panel` is its id. It
 * draws a `SidePanel` whose `onClose` calls `store.setPanel(undefined)`.
 */
export interface TourPanel extends Contribution {
  readonly load: Load<ComponentType>;
}
export const tourPanels = extensionPoint<TourPanel>('tour.panel');

/** What a tool draws over the whole tour, such as its bar, positioned in the window. */
export interface TourOverlay extends Contribution {
  /** Ids of the modules it stands with; absent: all. */
  readonly modules?: readonly string[];
  /** Stays on screen while the rest of the frame fades or is hidden. */
  readonly persistent?: boolean;
  readonly load: Load<ComponentType>;
}
export const tourOverlays = extensionPoint<TourOverlay>('tour.overlay');

export interface TagSectionProps {
  readonly tag: TagDetails;
}
/** A part of the panel of the selected tag. */
export interface TagSection extends Contribution {
  /** A message id. */
  readonly title: string;
  readonly load: Load<ComponentType<TagSectionProps>>;
}
export const tagSections = extensionPoint<TagSection>('tour.tagSection');

export interface TourGateProps {
  /** uid of the location whose tour is wanted. */
  readonly location: string;
  /** Lets the person in. Called once for each location. */
  readonly onPass: () => void;
}
/**
 * What must be answered before a tour opens, such as a form: drawn alone in the tour's window, one after the other by
 * `order`. It has states and a way out of its own.
 */
export interface TourGate extends Contribution {
  readonly load: Load<ComponentType<TourGateProps>>;
}
export const tourGates = extensionPoint<TourGate>('tour.gate');
