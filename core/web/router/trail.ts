import { token } from '#core';
import type { TrailEntry } from '../kernel/services.ts';

/** Records opened screens for the router. */
export const Trail = token<Trail>('core.Trail');
export interface Trail {
  visited(entry: TrailEntry): void;
}
