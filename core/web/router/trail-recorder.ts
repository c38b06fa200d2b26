import { token } from '#core';
import type { TrailEntry } from '../kernel/services.ts';

/** Records the screens that the person opens. */
export const TrailRecorder = token<TrailRecorder>('core.TrailRecorder');
export interface TrailRecorder {
  recordVisit(entry: TrailEntry): void;
}
