import { token } from '#core';
import type { TrailEntry } from '../kernel/services.ts';

/** Records the screens that the person opens. */
export const Trail = token<Trail>('core.Trail');
export interface Trail {
  recordVisit(entry: TrailEntry): void;
}
