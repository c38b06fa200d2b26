import { token } from '#core';
import type { TrailEntry } from '../kernel/services.ts';

/** Records the screens that the person opens. */
export const VisitRecorder = token<VisitRecorder>('core.VisitRecorder');
export interface VisitRecorder {
  recordVisit(entry: TrailEntry): void;
}
