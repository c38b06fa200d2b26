import type { DemoPosition } from '#plugins/tour';

/** A marker of the demo plant. */
export interface DemoMarker {
  readonly name: string;
  readonly text: string;
  readonly kind: 'TAG' | 'HOTSPOT' | 'DOCUMENT' | 'NOTE';
  /** One point, or the corners of an area, in the site frame in metres. */
  readonly points: readonly DemoPosition[];
  /** Tag or line number, or code of a node. */
  readonly target?: string;
  readonly document?: { readonly name: string; readonly mediaType: string; readonly content: () => Uint8Array };
  /** Uid of the level. */
  readonly location: string;
}

/** The part of the demo plant that this plugin seeds. */
export interface VrDemo {
  readonly markers: readonly DemoMarker[];
}
