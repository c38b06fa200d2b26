import { createHash } from 'node:crypto';
import type { DemoNavigationArea } from '#plugins/locations';
import type { DemoTagView } from '#plugins/tour';
import type { Part, Plant, Point } from '../plant/types.ts';

/** A file below `rendered/`. */
export interface RenderedFile {
  readonly file: string;
  readonly bytes: number;
  readonly width: number;
  readonly height: number;
}

/** The content of `rendered/index.json`: the rendered files with their poses, and the tags visible from each node. */
export interface RenderedIndex {
  /** Digest of the rendered description; see `computeDescriptionDigest`. */
  readonly digest: string;
  readonly nodes: readonly {
    readonly code: string;
    readonly position: Point;
    readonly heading: number;
    readonly panorama: RenderedFile;
    readonly range: RenderedFile;
    readonly thumbnail: RenderedFile;
  }[];
  /** Digest of the earlier capture (see `computeEarlierDigest`), and its pictures. */
  readonly earlierDigest: string;
  readonly earlier: readonly { readonly code: string; readonly panorama: RenderedFile; readonly range: RenderedFile }[];
  readonly decks: readonly {
    readonly code: string;
    readonly extent: { readonly west: number; readonly south: number; readonly east: number; readonly north: number };
    readonly map: RenderedFile;
  }[];
  readonly locations: readonly {
    readonly uid: string;
    readonly icon?: RenderedFile;
    readonly navigationImage?: RenderedFile;
    readonly navigationAreas?: readonly DemoNavigationArea[];
  }[];
  readonly backgrounds: readonly RenderedFile[];
  readonly tags: Readonly<Record<string, readonly DemoTagView[]>>;
  readonly lines: Readonly<Record<string, readonly DemoTagView[]>>;
}

/** The digest of the parts at the earlier capture. */
export function computeEarlierDigest(parts: readonly Part[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** The digest of all parts and poses. Pictures with another digest do not show this plant. */
export function computeDescriptionDigest(plant: Plant): string {
  const poses = plant.nodes.map(({ code, position, heading }) => ({ code, position, heading }));
  return createHash('sha256')
    .update(JSON.stringify([plant.parts, poses]))
    .digest('hex');
}
