import { injectable } from 'inversify';
import type { CameraView, CameraController, CameraControllers, MovingDetail } from '#plugins/tour';
import { EasedCameraController } from './eased-camera-controller.ts';
import { GpuLoadMonitor } from './gpu-load-monitor.ts';

@injectable()
export class EasedCameraControllers implements CameraControllers {
  create(view: CameraView): CameraController {
    return new EasedCameraController(view);
  }

  createDetail(onRest: () => void): MovingDetail {
    return new GpuLoadMonitor(onRest);
  }
}
