import type { CameraControllers, PanoramaEngines, SurfacePick } from '#plugins/tour';
import type { CloudSurfaces } from '../cloud-surfaces.ts';
import { setHostPresentation } from '../point-cloud/set-host-presentation.ts';
import { moveByHand } from '../point-cloud/move-by-hand.ts';
import { sampleBubble } from './sample-bubble.ts';
import { sampleCloud } from './sample-cloud.ts';
import { sampleEye } from './sample-room.ts';

/** The sample on screen. */
export interface ShownSample {
  readonly statistics: {
    readonly renderer: string;
    readonly frames: number;
    /** Points, or tiles. */ readonly shown: number;
  };
  pan(): number;
  /** Degrees. */
  look(pan: number): void;
  pick(x: number, y: number): Promise<SurfacePick | undefined>;
  leave(): void;
}

const part = 'scan.check';
const firstView = { pan: 20, tilt: -5, fov: 75 } as const;

/** Rejects with `WebGlUnavailable`. */
export async function showSampleBubble(
  engines: PanoramaEngines,
  parent: HTMLElement,
  label: string,
): Promise<ShownSample> {
  const engine = engines.getEngine(part);
  const detach = engine.attach(parent, { label });
  const surface = engine.surface(part);
  void engine.show(sampleBubble(), { view: firstView });
  return {
    get statistics() {
      const { renderer, frames, tilesOnScreen } = engine.statistics;
      return { renderer, frames, shown: tilesOnScreen };
    },
    pan: () => engine.view.pan,
    look: (pan) => engine.setView({ pan }),
    pick: (x, y) => surface.pick(x, y),
    leave: detach,
  };
}

/** Rejects with `WebGlUnavailable`, or if the viewer cannot be loaded. */
export async function showSampleCloud(
  clouds: CloudSurfaces,
  walks: CameraControllers,
  parent: HTMLElement,
  label: string,
): Promise<ShownSample> {
  const walk = walks.create({ ...firstView, position: sampleEye });
  const surface = await clouds.make({ module: part, view: walk.view });
  const detach = surface.attach(parent);
  setHostPresentation(surface.host, label);
  surface.show(sampleCloud());
  const release = moveByHand(surface, walk, () => surface.setView(walk.view));
  return {
    get statistics() {
      const { renderer, frames, points } = surface.statistics;
      return { renderer, frames, shown: points };
    },
    pan: () => walk.view.pan,
    look: (pan) => {
      walk.set({ pan });
      surface.setView(walk.view);
    },
    pick: (x, y) => surface.pick(x, y),
    leave: () => {
      release.end();
      detach();
      surface.close();
    },
  };
}
