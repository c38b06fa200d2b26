import { routeRef } from '#core';

/** Where an admin imports panoramas and sees of which dates there are some. */
export const panoramasAdmin = routeRef('tour.panoramas', 'admin/console/panoramas');

export type {
  DeckMap,
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
export * from './free-walk.ts';
export * from './panorama-engine.ts';
export * from './points.ts';
export * from './server-services.ts';
export * from './services.ts';
export * from './stand-at.ts';
export * from './view-of.ts';
export * from './view-surface.ts';
