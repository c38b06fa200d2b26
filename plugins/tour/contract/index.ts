import { routeRef } from '#core';

/** The tour of a location. */
export const tourView = routeRef('tour.view', 'console/tour/:location');

/** The admin screen that imports panoramas and lists them by date. */
export const panoramasAdmin = routeRef('tour.panoramas', 'admin/console/panoramas');

/** The admin screen of decks, tours, viewpoints and links. */
export const contentAdmin = routeRef('tour.content', 'admin/console/viewpoints');

/** The admin screen of tags, lines and documents. */
export const tagsAdmin = routeRef('tour.tags', 'admin/console/tags');

/** Finds the tour of a node or a tag: `?node=<code>`, `?tag=<number>`, or both. */
export const findTour = routeRef('tour.find', 'console/tour');

/** Opens the view of a short link. */
export const viewLink = routeRef('tour.link', 's/:code');

export type {
  CodeKind,
  Deck,
  DeckPlan,
  DocumentRevision,
  OpenedTour,
  PanoramaTiles,
  RangeTiles,
  SearchMatch,
  TagDetails,
  TagDocument,
  TagHit,
  TagPin,
  TagType,
  TourCapture,
  TourLink,
  TourNode,
} from './api.ts';
export * from './values/deck-plan.ts';
export * from './values/find-by-code.ts';
export * from './services/camera-controller.ts';
export * from './services/layout.ts';
export * from './services/panorama-engine.ts';
export * from './points.ts';
export * from './services/server-services.ts';
export * from './services/site-surfaces.ts';
export * from './services.ts';
export * from './values/specified-values.ts';
export * from './services/restore-view.ts';
export * from './points/surface-overlays.ts';
export * from './values/tour-value.ts';
export * from './services/capture-view.ts';
export * from './services/view-surface.ts';
export * from './services/viewer.ts';
export type * from './demo.ts';
