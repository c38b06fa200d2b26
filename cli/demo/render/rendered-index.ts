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
  /** Digest of the rendered description; see `descriptionDigest`. */
  readonly digest: string;
  readonly nodes: readonly {
    readonly code: string;
    readonly position: Point;
    readonly heading: number;
    readonly panorama: RenderedFile;
    readonly range: RenderedFile;
    readonly thumbnail: RenderedFile;
  }[];
  /** Digest of the earlier capture (see `earlierDigest`) and its pictures. */
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

/** Changes if a part of the earlier capture changes. */
export function earlierDigest(parts: readonly Part[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** Changes if a part or a pose changes. Pictures with another digest show another plant. */
export function descriptionDigest(plant: Plant): string {
  const poses = plant.nodes.map(({ code, position, heading }) => ({ code, position, heading }));
  return createHash('sha256')
    .update(JSON.stringify([plant.parts, poses]))
    .digest('hex');
}
