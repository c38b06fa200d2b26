import { routeRef } from '#core';

/** The tour of a location. */
export const tourView = routeRef('tour.view', 'console/tour/:location');

/** Where an admin imports panoramas and sees of which dates there are some. */
export const panoramasAdmin = routeRef('tour.panoramas', 'admin/console/panoramas');

/** Finds the tour of a node by its code alone: `?node=<code>`. */
export const findTour = routeRef('tour.find', 'console/tour');

export type {
  CodeKind,
  Deck,
  OpenedTour,
  PanoramaTiles,
  RangeTiles,
  TagDetails,
  TagHit,
  TagPin,
  TagType,
  TourCapture,
  TourLink,
  TourNode,
} from './api.ts';
export * from './deck-plan.ts';
export * from './find-by-code.ts';
export * from './camera-controller.ts';
export * from './panorama-engine.ts';
export * from './points.ts';
export * from './server-services.ts';
export * from './services.ts';
export * from './specified-values.ts';
export * from './restore-view.ts';
export * from './tour-value.ts';
export * from './capture-view.ts';
export * from './view-surface.ts';
export type * from './demo.ts';
