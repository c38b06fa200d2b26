import type { BufferGeometry, Material, Matrix4, PerspectiveCamera } from 'three';
import type { Point3 } from '#core';
import type { ModelPiece } from './model-piece.ts';

/** An entry of the object tree. */
export interface ModelObject {
  /** Index in `ModelContent.objects`. */
  readonly id: number;
  /** Id of the parent, which is a lower number. A root has none. */
  readonly parent: number | undefined;
  readonly name: string;
  /** Uid of the model. */
  readonly model: string;
  /** Key in the model. It is stable across versions. */
  readonly key: string;
  /** The number of a tag, which is a former number if the file has that. */
  readonly tag: string | undefined;
  /** Uid of the mapped tour node. */
  readonly node: string | undefined;
  /** Properties of the file. */
  readonly properties: readonly (readonly [name: string, value: string])[];
}

/** The triangles of one object that have one material. Parts may share a geometry. */
export interface ModelPart {
  readonly object: number;
  readonly geometry: BufferGeometry;
  readonly material: Material;
  /** Matrix from the geometry's frame to the site frame (metres, z up). */
  readonly matrix: Matrix4;
}

export interface ModelContent {
  readonly objects: readonly ModelObject[];
  readonly parts: readonly ModelPart[];
  /** Tiled models, whose objects are in `objects`, but whose parts are not in `parts`. */
  readonly tiled?: readonly TiledContent[];
}

/** An axis-aligned box in metres. */
export interface Box {
  readonly min: Point3;
  readonly max: Point3;
}

/** A model that loads its tiles as they come into view. */
export interface TiledContent {
  /** Id of the model's root in `ModelContent.objects`. */
  readonly rootId: number;
  /** Boxes of the model's objects in the site frame, beginning with the root. */
  readonly boxes: readonly (Box | undefined)[];
  /** Starts loading tiles. `rootId` is the id of the model's root after all contents were joined. */
  open(host: TilesHost, rootId: number): OpenTiles;
}

/** The scene that shows tiles. */
export interface TilesHost {
  /** Origin of the scene's coordinates. */
  readonly origin: Point3;
  add(piece: ModelPiece): void;
  /** Removes a piece from the scene without freeing it. */
  remove(piece: ModelPiece): void;
  requestFrame(): void;
}

/** Loading state of the tiles. */
export interface TilesState {
  /** Whether visible tiles are being loaded. */
  readonly loading: boolean;
  /** Number of drawn tiles. A model without tiles counts as one. */
  readonly shownCount: number;
  /** Number of tiles that could not be loaded. */
  readonly failedCount: number;
  /** Whether visible tiles are omitted, because memory is full. */
  readonly isMemoryFull: boolean;
  /** Whether small objects are omitted, because the graphics card is too slow. */
  readonly isDetailReduced: boolean;
}

export interface OpenTiles {
  readonly state: TilesState;
  /**
   * Requests the visible tiles before each frame. `height` is in CSS pixels. `slow` means that the graphics card is too
   * slow for the current detail.
   */
  update(camera: PerspectiveCamera, height: number, slow: boolean): void;
  /** Retries failed tiles. */
  retry(): void;
  /** Frees all tiles. */
  dispose(): void;
}

/** Merges contents into one with consecutive ids. */
export function joinContents(contents: readonly ModelContent[]): ModelContent {
  const objects: ModelObject[] = [];
  const parts: ModelPart[] = [];
  const tiledContents: TiledContent[] = [];
  for (const content of contents) {
    const idOffset = objects.length;
    for (const object of content.objects)
      objects.push({
        ...object,
        id: object.id + idOffset,
        parent: object.parent === undefined ? undefined : object.parent + idOffset,
      });
    for (const part of content.parts) parts.push({ ...part, object: part.object + idOffset });
    for (const model of content.tiled ?? []) tiledContents.push({ ...model, rootId: model.rootId + idOffset });
  }
  return { objects, parts, tiled: tiledContents };
}
