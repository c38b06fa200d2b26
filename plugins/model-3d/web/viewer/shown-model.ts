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

/** Above this number of selected parts, x-ray only colours them, because each opaque part is a separate draw call. */
const maxOpacity = 400;
const plainLook: Appearance3d = { selected: [], hidden: new Set(), xray: false, section: undefined };

/** The loaded model in the scene, relative to a whole metre near its middle, and its current appearance. */
export class ShownModel {
  readonly group = new Group();
  /** Origin of the scene's coordinates, so that floats stay exact far from the site's zero. */
  readonly origin: Point3;
  /** Length of the diagonal in metres. */
  readonly size: number;
  readonly #boxes: ReadonlyMap<number, Box3>;
  readonly #pieces = new Set<ModelPiece>();
  readonly #tiles: readonly OpenTiles[];
  #appearance = plainLook;
  #clipping: readonly Plane[] = [];
  readonly #whole: number;

  /** Frees the content's geometries, because the model has copies. `draw` requests a frame. */
  constructor(content: ModelContent, draw: () => void) {
    this.#boxes = computeBoxes(content);
    const all = uniteBoxes(this.#boxes.values());
    const centre = all.isEmpty() ? new Vector3() : all.getCenter(new Vector3());
    // Whole metres, so that the translation causes no rounding.
    this.origin = [Math.round(centre.x), Math.round(centre.y), Math.round(centre.z)];
    this.size = all.isEmpty() ? 100 : all.getSize(new Vector3()).length();
    this.#whole = content.parts.length > 0 ? 1 : 0;
    if (this.#whole > 0) this.#add(new ModelPiece(content.parts, this.origin, boxOfParts(content.parts)));
    this.#tiles = (content.tiled ?? []).map((tiled) =>
      tiled.open(
        { origin: this.origin, add: (piece) => this.#add(piece), remove: (piece) => this.#remove(piece), draw },
        tiled.first,
      ),
    );
  }

  get objects(): number {
    return this.#boxes.size;
  }

  /** The visible side of the section, in the scene's coordinates. */
  get clipping(): readonly Plane[] {
    return this.#clipping;
  }

  get tiles(): TilesState | undefined {
    const states = this.#tiles.map(({ state }) => state);
    if (states.length === 0) return undefined;
    const sum = (of: 'shown' | 'failed'): number => states.reduce((all, state) => all + state[of], 0);
    return {
      loading: states.some(({ loading }) => loading),
      full: states.some(({ full }) => full),
      thinned: states.some(({ thinned }) => thinned),
      shown: this.#whole + sum('shown'),
      failed: sum('failed'),
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

  /** Bounds of the visible objects, site frame. */
  computeBounds(objects: Iterable<number> = this.#boxes.keys()): Box | undefined {
    const box = new Box3();
    for (const object of objects) {
      const own = this.#boxes.get(object);
      if (own && !this.#appearance.hidden.has(object)) box.union(own);
    }
    return box.isEmpty() ? undefined : { min: box.min.toArray(), max: box.max.toArray() };
  }

  /** Hits of visible parts, nearest first. */
  raycast(raycaster: Raycaster): Intersection[] {
    return [...this.#pieces].flatMap((piece) => piece.raycast(raycaster)).sort((a, b) => a.distance - b.distance);
  }

  /** The object of a ray's hit. */
  objectAt(hit: Intersection): number | undefined {
    return this.pieceAt(hit)?.batches.objectAt(hit);
  }

  pieceAt(hit: Intersection): ModelPiece | undefined {
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
    return xray && [...this.#pieces].reduce((sum, piece) => sum + piece.toParts(selected), 0) <= maxOpacity;
  }
}

/** Boxes by object id; site frame. */
function computeBoxes({ parts, tiled = [] }: ModelContent): ReadonlyMap<number, Box3> {
  const boxes = new Map<number, Box3>();
  for (const part of parts) {
    const own = boxOfPart(part);
    const known = boxes.get(part.object);
    if (known) known.union(own);
    else boxes.set(part.object, own);
  }
  for (const { first, boxes: listed } of tiled) {
    for (const [index, box] of listed.entries())
      if (box) boxes.set(first + index, new Box3(new Vector3(...box.min), new Vector3(...box.max)));
  }
  return boxes;
}

function boxOfPart({ geometry, matrix }: ModelPart): Box3 {
  if (!geometry.boundingBox) geometry.computeBoundingBox();
  return (geometry.boundingBox ?? new Box3()).clone().applyMatrix4(matrix);
}

function uniteBoxes(boxes: Iterable<Box3>): Box3 {
  const all = new Box3();
  for (const box of boxes) all.union(box);
  return all;
}

/** Site frame. */
export const boxOfParts = (parts: readonly ModelPart[]): Box3 => uniteBoxes(parts.map(boxOfPart));

function toPlane({ axis, offset, flipped }: Section, origin: Point3): Plane {
  const index = { x: 0, y: 1, z: 2 }[axis] as 0 | 1 | 2;
  const normal = new Vector3().setComponent(index, flipped ? 1 : -1);
  return new Plane(normal, (flipped ? -1 : 1) * (offset - origin[index]));
}
