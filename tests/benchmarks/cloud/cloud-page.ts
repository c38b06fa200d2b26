import type { Point3 } from '#core';
import type { CameraView } from '#plugins/tour';

/** The input of a measured page. */
export interface BenchScene {
  /** URL of a COPC file, or of a folder with tiles of our importer or a Potree octree. */
  readonly file: string;
  readonly view: CameraView;
  /** Maximum number of points on screen. */
  readonly budget: number;
  /** The attribute that colours the points, named as in the file format. */
  readonly attribute: 'Color' | 'Intensity';
  /** Red, green and blue of 0 to 1. */
  readonly background: readonly [number, number, number];
}

/** The interface of each measured page. */
export interface CloudBenchPage {
  look(view: CameraView): void;
  /** Whether anything is loading. */
  busy(): boolean;
  /** Number of points on screen. */
  points(): number;
  pick(x: number, y: number): Promise<Point3 | undefined>;
}

declare global {
  interface Window {
    readonly scene: BenchScene;
    readonly cloudBench: CloudBenchPage;
    readonly drawCounts: { readonly draws: number; readonly frames: number };
  }
}

/** Counts draw calls and frames with draw calls. Runs in each page before its scripts. */
export function countFrames(scene: BenchScene): void {
  const counts = { draws: 0, frames: 0 };
  Object.assign(window, { scene, drawCounts: counts });
  const prototype = WebGL2RenderingContext.prototype;
  for (const name of [
    'drawElements',
    'drawArrays',
    'drawElementsInstanced',
    'drawArraysInstanced',
    'drawRangeElements',
  ] as const) {
    const original: unknown = Reflect.get(prototype, name);
    if (typeof original !== 'function') continue;
    Reflect.set(prototype, name, function draw(this: WebGL2RenderingContext, ...values: unknown[]) {
      counts.draws++;
      return Reflect.apply(original, this, values) as unknown;
    });
  }
  const nextFrame = window.requestAnimationFrame.bind(window);
  let last = 0;
  const watch = (): void => {
    if (counts.draws > last) counts.frames++;
    last = counts.draws;
    nextFrame(watch);
  };
  nextFrame(watch);
}
