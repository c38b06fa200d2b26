import { injectable } from 'inversify';
import type { EyeView, CameraController, CameraControllers, MovingDetail } from '#plugins/tour';
import { EasedCameraController } from './eased-camera-controller.ts';
import { GpuLoadMonitor } from './gpu-load-monitor.ts';

@injectable()
export class EasedCameraControllers implements CameraControllers {
  from(view: EyeView): CameraController {
    return new EasedCameraController(view);
  }

  detail(rested: () => void): MovingDetail {
    return new GpuLoadMonitor(rested);
  }
}
