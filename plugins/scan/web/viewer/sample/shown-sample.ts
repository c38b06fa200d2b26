import type { CameraControllers, PanoramaEngines, SurfacePick } from '#plugins/tour';
import type { CloudSurfaces } from '../cloud-surfaces.ts';
import { setHostPresentation } from '../point-cloud/set-host-presentation.ts';
import { moveByInput } from '../point-cloud/move-by-input.ts';
import { createSamplePanorama } from './sample-panorama.ts';
import { createSampleCloud } from './sample-cloud.ts';
import { sampleEye } from './sample-room.ts';

/** The built-in sample scene, with which a person checks whether this browser can show scans. */
export interface ShownSample {
  readonly statistics: {
    readonly renderer: string;
    readonly frames: number;
    /** Number of points or tiles on screen. */
    readonly shown: number;
  };
  /** The direction in degrees. */
  getPan(): number;
  setPan(pan: number): void;
  pick(x: number, y: number): Promise<SurfacePick | undefined>;
  close(): void;
}

const moduleId = 'scan.check';
const firstView = { pan: 20, tilt: -5, fov: 75 } as const;

/** Shows the sample as a panorama. Rejects with `WebGlUnavailable`. */
export async function showSamplePanorama(
  engines: PanoramaEngines,
  parent: HTMLElement,
  label: string,
): Promise<ShownSample> {
  const engine = engines.getEngine(moduleId);
  const detach = engine.attach(parent, { label });
  const surface = engine.surface(moduleId);
  void engine.show(createSamplePanorama(), { view: firstView });
  return {
    get statistics() {
      const { renderer, frames, tilesOnScreen } = engine.statistics;
      return { renderer, frames, shown: tilesOnScreen };
    },
    getPan: () => engine.view.pan,
    setPan: (pan) => engine.setView({ pan }),
    pick: (x, y) => surface.pick(x, y),
    close: detach,
  };
}

/** Shows the sample as a point cloud. Rejects with `WebGlUnavailable`, or if the viewer cannot be loaded. */
export async function showSampleCloud(
  clouds: CloudSurfaces,
  cameras: CameraControllers,
  parent: HTMLElement,
  label: string,
): Promise<ShownSample> {
  const camera = cameras.create({ ...firstView, position: sampleEye });
  const surface = await clouds.create({ module: moduleId, view: camera.view });
  const detach = surface.attach(parent);
  setHostPresentation(surface.host, label);
  surface.show(createSampleCloud());
  const motion = moveByInput(surface, camera, () => surface.setView(camera.view));
  return {
    get statistics() {
      const { renderer, frames, points } = surface.statistics;
      return { renderer, frames, shown: points };
    },
    getPan: () => camera.view.pan,
    setPan: (pan) => {
      camera.set({ pan });
      surface.setView(camera.view);
    },
    pick: (x, y) => surface.pick(x, y),
    close: () => {
      motion.stop();
      detach();
      surface.close();
    },
  };
}
