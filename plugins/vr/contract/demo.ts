import type { DemoPosition } from '#plugins/tour';

/** A point or an area, drawn on panoramas. */
export interface DemoMarker {
  readonly name: string;
  readonly text: string;
  readonly kind: 'TAG' | 'HOTSPOT' | 'DOCUMENT' | 'NOTE';
  /** One point, or the corners of an area. Site frame, metres. */
  readonly points: readonly DemoPosition[];
  /** Number of a tag or line, or code of a node. */
  readonly target?: string;
  readonly document?: { readonly name: string; readonly mediaType: string; readonly content: () => Uint8Array };
  /** uid of the LOC_LEVEL. */
  readonly location: string;
}

/** Demo data of the VR plugin. */
export interface VrDemo {
  readonly markers: readonly DemoMarker[];
}
