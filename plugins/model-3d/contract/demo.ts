import type { DemoFile } from '#core';
import type { DemoPosition } from '#plugins/tour';

/** A 3D model of the plant in the site frame. */
export interface DemoModel {
  /** Unique, such as `HB-M10`. */
  readonly code: string;
  readonly name: string;
  /** Uid of the location that it shows. */
  readonly location: string;
  /** Links by an admin from objects (by key) to tags. */
  readonly links?: readonly { readonly object: string; readonly tag: string }[];
  /**
   * Writes the model as a GLB in metres with y up and with tags in the nodes' `extras`. The first call
   * takes some seconds.
   */
  make(): Promise<DemoModelFile>;
}

export interface DemoModelFile {
  readonly file: Omit<DemoFile, 'width' | 'height'>;
  /** In the site frame, in metres. */
  readonly bounds: { readonly min: DemoPosition; readonly max: DemoPosition };
  readonly report: {
    readonly objects: number;
    readonly tagged: number;
    readonly triangles: number;
    readonly meshes: number;
  };
}

/** The part of the demo plant that this plugin seeds. */
export interface ModelDemo {
  readonly models: readonly DemoModel[];
}
