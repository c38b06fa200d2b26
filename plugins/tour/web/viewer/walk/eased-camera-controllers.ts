import { injectable } from 'inversify';
import type { EyeView, CameraController, CameraControllers, MovingDetail } from '#plugins/tour';
import { EasedCameraController } from './eased-camera-controller.ts';
import { GpuLoadMonitor } from './gpu-load-monitor.ts';

@injectable()
export class EasedCameraControllers implements CameraControllers {
  create(view: EyeView): CameraController {
    return new EasedCameraController(view);
  }

  createDetail(onRest: () => void): MovingDetail {
    return new GpuLoadMonitor(onRest);
  }
}
