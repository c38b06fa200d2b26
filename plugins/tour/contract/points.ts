import type { ComponentType } from 'react';
import { extensionPoint, type Contribution, type Token, type ViewType } from '#core';
import type { TagDetails } from './api.ts';
import type { DepthSource } from './services/view-surface.ts';

type Load<T> = () => Promise<{ readonly default: T }>;

/**
 * A way to look at the tour, such as the panorama. It fills the window under the frame and injects `TourStore` and
 * `TourTools`. The window is black, so a module without a picture draws the theme's background. Use `useCover` to keep
 * overlays clear of the frame and to register the areas that they cover.
 */
export interface TourModule extends Contribution {
  /** Message ids: the full name, and a name of at most five letters for the rail. */
  readonly title: string;
  readonly shortTitle: string;
  readonly icon: Load<ComponentType>;
  /** Only for modules with a view direction. */
  readonly viewType?: ViewType;
  /**
   * A service of the plugin that provides depth for panoramas without ranges. It is loaded with the first pick. Of
   * several modules, the first by `order` with depth at the position is used.
   */
  readonly depthSource?: Token<DepthSource>;
  readonly load: Load<ComponentType>;
}
export const tourModules = extensionPoint<TourModule>('tour.module');

/** One button, or a small group of buttons, in the tool bar at the bottom. */
export interface TourTool extends Contribution {
  /** Ids of the modules with this tool. Default: all. */
  readonly modules?: readonly string[];
  readonly load: Load<ComponentType>;
}
export const tourTools = extensionPoint<TourTool>('tour.tool');

/**
 * A panel at the right of the tour (a sheet at the bottom on a phone), rendered while `TourStore.panel` is its id. It
 * renders a `SidePanel` whose `onClose` calls `store.setPanel(undefined)`.
 */
export interface TourPanel extends Contribution {
  readonly load: Load<ComponentType>;
}
export const tourPanels = extensionPoint<TourPanel>('tour.panel');

/** A component that a tool renders over the whole tour, such as its bar. Its position is relative to the window. */
export interface TourOverlay extends Contribution {
  /** Ids of the modules with this overlay. Default: all. */
  readonly modules?: readonly string[];
  /** Stays visible while the rest of the frame is faded or hidden. */
  readonly persistent?: boolean;
  readonly load: Load<ComponentType>;
}
export const tourOverlays = extensionPoint<TourOverlay>('tour.overlay');

export interface TagSectionProps {
  readonly tag: TagDetails;
}
/** A section of the panel of the selected tag. */
export interface TagSection extends Contribution {
  /** A message id. */
  readonly title: string;
  /** Default: shown for each tag. */
  readonly isShown?: (tag: TagDetails) => boolean;
  readonly load: Load<ComponentType<TagSectionProps>>;
}
export const tagSections = extensionPoint<TagSection>('tour.tagSection');

/** One or more buttons in the panel of the selected tag, such as a tool to use on it. */
export interface TagAction extends Contribution {
  readonly load: Load<ComponentType<TagSectionProps>>;
}
export const tagActions = extensionPoint<TagAction>('tour.tagAction');

export interface TourGateProps {
  /** uid of the location of the tour. */
  readonly location: string;
  /** Opens the tour. Call it once for each location. */
  readonly onPass: () => void;
}
/**
 * A step before a tour opens, such as a form. Gates are rendered alone in the window, one after the other by `order`. A
 * gate renders its own loading and error states and a button that leaves the tour.
 */
export interface TourGate extends Contribution {
  readonly load: Load<ComponentType<TourGateProps>>;
}
export const tourGates = extensionPoint<TourGate>('tour.gate');

/** A picture in the window while a tour loads, behind the message. `location` is the uid of the tour's location. */
export interface TourBackground extends Contribution {
  readonly load: Load<ComponentType<{ readonly location: string }>>;
}
export const tourBackgrounds = extensionPoint<TourBackground>('tour.background');

/** Something that the search in the tour found, such as a tag. */
export interface SearchHit {
  /** Unique among the hits of its source. */
  readonly id: string;
  readonly title: string;
  readonly detail?: string;
  /** URL of a small picture. */
  readonly picture?: string;
  /** The hit differs from the text by a typing error. */
  readonly similar?: boolean;
  /** Goes to the hit, for example with `TourStore.goToTag`. */
  open(): void;
}
export interface SearchSource {
  /** Finds matches at the location of the open tour and its descendants, best match first. */
  find(text: string, location: string, signal: AbortSignal): Promise<readonly SearchHit[]>;
}
/** A group of results in the search of the tour. Only what the caller can access may be found. */
export interface SearchProvider extends Contribution {
  /** Message id of the group's name. */
  readonly title: string;
  /** A service of the plugin. Other plugins need not be able to request it. */
  readonly source: Token<SearchSource>;
}
export const searchProviders = extensionPoint<SearchProvider>('tour.searchProvider');
