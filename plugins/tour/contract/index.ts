export type { DeckMap, OpenedTour, PanoramaTiles, TagDetails, TagHit, TagPin, TagType, Tour, TourLink, TourNode } from './api.ts';
export * from './panorama-engine.ts';
export * from './points.ts';
export * from './services.ts';
