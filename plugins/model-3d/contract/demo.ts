import type { DemoFile } from '#core';
import type { DemoPosition } from '#plugins/tour';

/** A 3D model of the plant in the site frame. */
export interface DemoModel {
  /** Unique, such as `HB-M10`. */
  readonly code: string;
  readonly name: string;
  /** uid of the location that it shows. */
  readonly location: string;
  /**
   * Writes it, which takes some seconds where it was not written before: a GLB in metres, y up as glTF has it, with
   * tags in the nodes' `extras`.
   */
  make(): Promise<DemoModelFile>;
}

export interface DemoModelFile {
  readonly file: Omit<DemoFile, 'width' | 'height'>;
  /** Site frame, metres. */
  readonly bounds: { readonly min: DemoPosition; readonly max: DemoPosition };
  readonly report: {
    readonly objects: number;
    readonly tagged: number;
    readonly triangles: number;
    readonly meshes: number;
  };
}

/** What 3D models seed of the demo plant. */
export interface ModelDemo {
  readonly models: readonly DemoModel[];
}
