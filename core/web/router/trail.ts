import { token } from '#core';
import type { TrailEntry } from '../kernel/services.ts';

/** Where the router notes the screens that were arrived at. */
export const Trail = token<Trail>('core.Trail');
export interface Trail {
  visited(entry: TrailEntry): void;
}
