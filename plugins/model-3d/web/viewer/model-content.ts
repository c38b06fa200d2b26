import type { BufferGeometry, Material, Matrix4, PerspectiveCamera } from 'three';
import type { Point3 } from '#core';
import type { ModelPiece } from './model-piece.ts';

/** One entry of the object tree. */
export interface ModelObject {
  /** Place in `ModelContent.objects`. */
  readonly id: number;
  /** Undefined for a root. A parent stands before its children. */
  readonly parent: number | undefined;
  readonly name: string;
  /** Uid of the model that it belongs to, and its key there: the same from version to version. */
  readonly model: string;
  readonly key: string;
  /** Number of a tag, or one that it had before where the file says so. */
  readonly tag: string | undefined;
  /** Uid of the tour node that it is mapped to. */
  readonly node: string | undefined;
  /** What the file says of it. */
  readonly properties: readonly (readonly [name: string, value: string])[];
}

/** Triangles of one object in one material. Parts may share a geometry. */
export interface ModelPart {
  readonly object: number;
  readonly geometry: BufferGeometry;
  readonly material: Material;
  /** Geometry to site frame: metres, z up. */
  readonly matrix: Matrix4;
}

export interface ModelContent {
  readonly objects: readonly ModelObject[];
  readonly parts: readonly ModelPart[];
  /** Models that come tile by tile: their objects are in `objects`, their parts are not. */
  readonly tiled?: readonly TiledContent[];
}

/** Axis-aligned, metres. */
export interface Box {
  readonly min: Point3;
  readonly max: Point3;
}

/** A model that is fetched tile by tile, as it comes into sight. */
export interface TiledContent {
  /** Id of its root in `ModelContent.objects`. */
  readonly first: number;
  /** Of its objects, from the root on; site frame. */
  readonly boxes: readonly (Box | undefined)[];
  /** Begins to fetch. */
  open(host: TilesHost, first: number): OpenTiles;
}

/** Where tiles are shown. */
export interface TilesHost {
  /** What the scene's coordinates are counted from. */
  readonly origin: Point3;
  add(piece: ModelPiece): void;
  /** The piece is freed by whom made it. */
  remove(piece: ModelPiece): void;
  /** Asks for a frame. */
  draw(): void;
}

/** How the fetching of tiles goes. */
export interface TilesState {
  /** Something in sight is on its way. */
  readonly loading: boolean;
  /** Tiles that are drawn. Of several models together one that is whole counts as one. */
  readonly shown: number;
  /** Tiles that could not be fetched or read. */
  readonly failed: number;
  /** No more fits into memory: something in sight is left out. */
  readonly full: boolean;
  /** Small things are left out, because the graphics card falls behind. */
  readonly thinned: boolean;
}

export interface OpenTiles {
  readonly state: TilesState;
  /**
   * Before each frame: asks for what is in sight. `height` in pixels of the page; `slow`: the graphics card falls
   * behind.
   */
  update(camera: PerspectiveCamera, height: number, slow: boolean): void;
  /** Fetches once more what failed. */
  retry(): void;
  /** Frees everything. */
  dispose(): void;
}

/** One content of several: ids are counted on. */
export function joinContents(contents: readonly ModelContent[]): ModelContent {
  const objects: ModelObject[] = [];
  const parts: ModelPart[] = [];
  const tiled: TiledContent[] = [];
  for (const content of contents) {
    const first = objects.length;
    for (const object of content.objects)
      objects.push({
        ...object,
        id: object.id + first,
        parent: object.parent === undefined ? undefined : object.parent + first,
      });
    for (const part of content.parts) parts.push({ ...part, object: part.object + first });
    for (const each of content.tiled ?? []) tiled.push({ ...each, first: each.first + first });
  }
  return { objects, parts, tiled };
}
