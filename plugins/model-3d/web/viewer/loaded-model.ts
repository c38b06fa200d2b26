import {
  Box3,
  Group,
  Plane,
  Vector3,
  type BatchedMesh,
  type Intersection,
  type PerspectiveCamera,
  type Raycaster,
} from 'three';
import type { Point3 } from '#core';
import type { Appearance3d, Section } from './engine-types.ts';
import type { Box, ModelContent, ModelPart, OpenTiles, TilesState } from './model-content.ts';
import { ModelPiece } from './model-piece.ts';

/** With more selected parts, the x-ray mode only colours them, because each opaque part is a separate draw call. */
const maxOpaqueParts = 400;
const defaultAppearance: Appearance3d = { selected: [], hidden: new Set(), xray: false, section: undefined };

/** The loaded models in the scene and their current appearance. */
export class LoadedModel {
  readonly group = new Group();
  /** Origin of the scene's coordinates, so that floats stay exact far from the site's zero. */
  readonly origin: Point3;
  readonly diagonalMetres: number;
  readonly #boxes: ReadonlyMap<number, Box3>;
  readonly #pieces = new Set<ModelPiece>();
  readonly #tiles: readonly OpenTiles[];
  #appearance = defaultAppearance;
  #clipping: readonly Plane[] = [];
  readonly #glbCount: number;

  /** Frees the content's geometries, because the model has copies. */
  constructor(content: ModelContent, requestFrame: () => void) {
    this.#boxes = computeBoxes(content);
    const bounds = uniteBoxes(this.#boxes.values());
    const centre = bounds.isEmpty() ? new Vector3() : bounds.getCenter(new Vector3());
    // The origin is in whole metres, so that the translation causes no rounding.
    this.origin = [Math.round(centre.x), Math.round(centre.y), Math.round(centre.z)];
    this.diagonalMetres = bounds.isEmpty() ? 100 : bounds.getSize(new Vector3()).length();
    this.#glbCount = content.parts.length > 0 ? 1 : 0;
    if (this.#glbCount > 0) this.#add(new ModelPiece(content.parts, this.origin, computePartsBox(content.parts)));
    this.#tiles = (content.tiled ?? []).map((tiledContent) =>
      tiledContent.open(
        { origin: this.origin, add: (piece) => this.#add(piece), remove: (piece) => this.#remove(piece), requestFrame },
        tiledContent.rootId,
      ),
    );
  }

  get objectCount(): number {
    return this.#boxes.size;
  }

  /** The planes of the section in the scene's coordinates, with the visible side in front. */
  get clipping(): readonly Plane[] {
    return this.#clipping;
  }

  get tiles(): TilesState | undefined {
    const states = this.#tiles.map(({ state }) => state);
    if (states.length === 0) return undefined;
    const sum = (field: 'shownCount' | 'failedCount'): number =>
      states.reduce((total, state) => total + state[field], 0);
    return {
      loading: states.some(({ loading }) => loading),
      isMemoryFull: states.some(({ isMemoryFull }) => isMemoryFull),
      isDetailReduced: states.some(({ isDetailReduced }) => isDetailReduced),
      shownCount: this.#glbCount + sum('shownCount'),
      failedCount: sum('failedCount'),
    };
  }

  /** Requests the visible tiles. */
  update(camera: PerspectiveCamera, height: number, slow: boolean): void {
    for (const tiles of this.#tiles) tiles.update(camera, height, slow);
  }

  retryTiles(): void {
    for (const tiles of this.#tiles) tiles.retry();
  }

  setAppearance(appearance: Appearance3d): void {
    const { section } = appearance;
    this.#appearance = appearance;
    const opaque = this.#isOpaque();
    for (const piece of this.#pieces) piece.setAppearance(appearance, opaque);
    this.#clipping = section ? [toPlane(section, this.origin)] : [];
  }

  /** Computes the bounds of the visible objects in the site frame. */
  computeBounds(objects: Iterable<number> = this.#boxes.keys()): Box | undefined {
    const box = new Box3();
    for (const object of objects) {
      const objectBox = this.#boxes.get(object);
      if (objectBox && !this.#appearance.hidden.has(object)) box.union(objectBox);
    }
    return box.isEmpty() ? undefined : { min: box.min.toArray(), max: box.max.toArray() };
  }

  /** Runs a query without hidden objects and without the section. */
  withEverythingVisible<T>(query: () => T): T {
    const appearance = this.#appearance;
    if (appearance.hidden.size === 0 && !appearance.section) return query();
    this.setAppearance({ ...appearance, hidden: new Set(), section: undefined });
    try {
      return query();
    } finally {
      this.setAppearance(appearance);
    }
  }

  /** Finds all hits of a ray with visible parts, nearest first. */
  raycast(raycaster: Raycaster): Intersection[] {
    return [...this.#pieces].flatMap((piece) => piece.raycast(raycaster)).sort((a, b) => a.distance - b.distance);
  }

  /** Returns the object that a ray hit. */
  findObject(hit: Intersection): number | undefined {
    return this.findPiece(hit)?.batches.findObject(hit);
  }

  findPiece(hit: Intersection): ModelPiece | undefined {
    return [...this.#pieces].find(({ batches }) => batches.meshes.includes(hit.object as BatchedMesh));
  }

  dispose(): void {
    for (const tiles of this.#tiles) tiles.dispose();
    for (const piece of this.#pieces) piece.dispose();
    this.#pieces.clear();
    this.group.clear();
  }

  #add(piece: ModelPiece): void {
    this.#pieces.add(piece);
    piece.setAppearance(this.#appearance, this.#isOpaque());
    this.group.add(piece.group);
  }

  #remove(piece: ModelPiece): void {
    this.#pieces.delete(piece);
    this.group.remove(piece.group);
  }

  #isOpaque(): boolean {
    const { xray, selected } = this.#appearance;
    return xray && [...this.#pieces].reduce((sum, piece) => sum + piece.countParts(selected), 0) <= maxOpaqueParts;
  }
}

/** Computes the boxes of the objects in the site frame, by object id. */
function computeBoxes({ parts, tiled = [] }: ModelContent): ReadonlyMap<number, Box3> {
  const boxes = new Map<number, Box3>();
  for (const part of parts) {
    const box = computePartBox(part);
    const existingBox = boxes.get(part.object);
    if (existingBox) existingBox.union(box);
    else boxes.set(part.object, box);
  }
  for (const { rootId, boxes: objectBoxes } of tiled) {
    for (const [index, box] of objectBoxes.entries())
      if (box) boxes.set(rootId + index, new Box3(new Vector3(...box.min), new Vector3(...box.max)));
  }
  return boxes;
}

function computePartBox({ geometry, matrix }: ModelPart): Box3 {
  if (!geometry.boundingBox) geometry.computeBoundingBox();
  return (geometry.boundingBox ?? new Box3()).clone().applyMatrix4(matrix);
}

function uniteBoxes(boxes: Iterable<Box3>): Box3 {
  const union = new Box3();
  for (const box of boxes) union.union(box);
  return union;
}

/** Computes the box of some parts in the site frame. */
export const computePartsBox = (parts: readonly ModelPart[]): Box3 => uniteBoxes(parts.map(computePartBox));

function toPlane({ axis, offset, flipped }: Section, origin: Point3): Plane {
  const index = { x: 0, y: 1, z: 2 }[axis] as 0 | 1 | 2;
  const normal = new Vector3().setComponent(index, flipped ? 1 : -1);
  return new Plane(normal, (flipped ? -1 : 1) * (offset - origin[index]));
}
