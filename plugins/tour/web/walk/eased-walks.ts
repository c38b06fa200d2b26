import { injectable } from 'inversify';
import type { EyeView, FreeWalk, FreeWalks, MovingDetail } from '#plugins/tour';
import { EasedWalk } from './eased-walk.ts';
import { GpuLoadMonitor } from './gpu-load-monitor.ts';

@injectable()
export class EasedWalks implements FreeWalks {
  from(view: EyeView): FreeWalk {
    return new EasedWalk(view);
  }

  detail(rested: () => void): MovingDetail {
    return new GpuLoadMonitor(rested);
  }
}
