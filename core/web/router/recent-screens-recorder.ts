import { token } from '#core';
import type { RecentScreen } from '../kernel/services.ts';

/** Records the screens that the person opens. */
export const RecentScreensRecorder = token<RecentScreensRecorder>('core.RecentScreensRecorder');
export interface RecentScreensRecorder {
  recordScreen(screen: RecentScreen): void;
}
