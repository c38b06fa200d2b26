import { injectable } from 'inversify';
import type { EyeView, FreeWalk, FreeWalks } from '#plugins/tour';
import { EasedWalk } from './eased-walk.ts';

@injectable()
export class EasedWalks implements FreeWalks {
  from(view: EyeView): FreeWalk {
    return new EasedWalk(view);
  }
}
