import type { BufferGeometry, Material, Matrix4, PerspectiveCamera } from 'three';
import type { Point3 } from '#core';
import type { ModelPiece } from './model-piece.ts';

/** One entry of the object tree. */
export interface ModelObject {
  /** Index in `ModelContent.objects`. */
  readonly id: number;
  /** Undefined for a root. Parents come before their children. */
  readonly parent: number | undefined;
  readonly name: string;
  /** Uid of its model, and its key there, which is stable across versions. */
  readonly model: string;
  readonly key: string;
  /** Current number of a tag, or a former one if the file says so. */
  readonly tag: string | undefined;
  /** Uid of the mapped tour node. */
  readonly node: string | undefined;
  /** Properties of the file. */
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
  /** Tiled models: their objects are in `objects`, their parts are not. */
  readonly tiled?: readonly TiledContent[];
}

/** Axis-aligned, metres. */
export interface Box {
  readonly min: Point3;
  readonly max: Point3;
}

/** A model that loads its tiles as they come into view. */
export interface TiledContent {
  /** Id of its root in `ModelContent.objects`. */
  readonly first: number;
  /** Boxes of its objects, from the root on; site frame. */
  readonly boxes: readonly (Box | undefined)[];
  /** Starts loading. */
  open(host: TilesHost, first: number): OpenTiles;
}

/** The scene that shows tiles. */
export interface TilesHost {
  /** Origin of the scene's coordinates. */
  readonly origin: Point3;
  add(piece: ModelPiece): void;
  /** Does not free the piece. */
  remove(piece: ModelPiece): void;
  /** Requests a frame. */
  draw(): void;
}

/** Loading state of the tiles. */
export interface TilesState {
  /** Visible tiles are being loaded. */
  readonly loading: boolean;
  /** Number of drawn tiles. A model without tiles counts as one. */
  readonly shown: number;
  /** Number of tiles that could not be fetched or read. */
  readonly failed: number;
  /** Memory is full: visible tiles are omitted. */
  readonly full: boolean;
  /** Small objects are omitted, because the graphics card is too slow. */
  readonly thinned: boolean;
}

export interface OpenTiles {
  readonly state: TilesState;
  /**
   * Called before each frame; requests visible tiles. `height` in CSS pixels; `slow`: the graphics card is too slow.
   */
  update(camera: PerspectiveCamera, height: number, slow: boolean): void;
  /** Retries failed tiles. */
  retry(): void;
  /** Frees everything. */
  dispose(): void;
}

/** Merges contents into one with consecutive ids. */
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
