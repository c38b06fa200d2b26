import type { DemoPosition } from '#plugins/tour';

/** A marker of the demo plant. */
export interface DemoMarker {
  readonly name: string;
  readonly text: string;
  readonly kind: 'TAG' | 'HOTSPOT' | 'DOCUMENT' | 'NOTE';
  /** One point, or the corners of an area, in the site frame in metres. */
  readonly points: readonly DemoPosition[];
  /** The tag number, line number or node code that the marker leads to. */
  readonly target?: string;
  readonly document?: { readonly name: string; readonly mediaType: string; readonly content: () => Uint8Array };
  /** Uid of the location that the marker belongs to. */
  readonly location: string;
}

/** The part of the demo plant that this plugin seeds. */
export interface VrDemo {
  readonly markers: readonly DemoMarker[];
}
