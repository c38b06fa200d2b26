import type { DemoPosition } from '#plugins/tour';

/** A point or an area that is drawn on panoramas. */
export interface DemoMarker {
  readonly name: string;
  readonly text: string;
  readonly kind: 'TAG' | 'HOTSPOT' | 'DOCUMENT' | 'NOTE';
  /** One: a point; more: the corners of an area. Site frame, metres. */
  readonly points: readonly DemoPosition[];
  /** Number of a tag or line, or code of a node. */
  readonly target?: string;
  readonly document?: { readonly name: string; readonly mediaType: string; readonly content: () => Uint8Array };
  /** uid of the LOC_LEVEL. */
  readonly location: string;
}

/** What VR seeds of the demo plant. */
export interface VrDemo {
  readonly markers: readonly DemoMarker[];
}
