import { Box3, BufferGeometry, Color, Group, Mesh, MeshLambertMaterial, Plane, Vector3, type Material } from 'three';
import type { Point3 } from '#core';
import { Batches, type BatchedPart } from './batches.ts';
import type { Appearance3d, Box, Section } from './engine-types.ts';
import type { ModelContent } from './model-content.ts';

const selectedColour = new Color(0xff8a1f);
const xrayOpacity = 0.13;
/** Of a selection of more parts only the colour shows in x-ray: each is a call of its own. */
const mostOpaque = 400;
const plainLook: Appearance3d = { selected: [], hidden: new Set(), xray: false, section: undefined };

/** The loaded model in the scene, counted from a whole metre near its middle, and how it looks at the moment. */
export class ShownModel {
  readonly group = new Group();
  readonly batches: Batches;
  /** What the scene's coordinates are counted from, so that floats stay exact far from the site's zero. */
  readonly origin: Point3;
  /** Metres from corner to corner. */
  readonly size: number;
  readonly #opaque = new Group();
  readonly #opaqueMaterial = new MeshLambertMaterial({ color: selectedColour });
  readonly #boxes: ReadonlyMap<number, Box3>;
  #appearance = plainLook;
  /** Of selected parts, as they are otherwise. */
  #colours = new Map<BatchedPart, Color>();
  #clipping: readonly Plane[] = [];

  /** Frees the content's geometries: the model holds copies. */
  constructor(content: ModelContent) {
    const { all, boxes } = boxesOf(content);
    this.#boxes = boxes;
    const centre = all.isEmpty() ? new Vector3() : all.getCenter(new Vector3());
    // Whole metres, so that nothing is rounded by the move.
    this.origin = [Math.round(centre.x), Math.round(centre.y), Math.round(centre.z)];
    this.size = all.isEmpty() ? 100 : all.getSize(new Vector3()).length();
    this.batches = new Batches(content, this.origin);
    for (const geometry of new Set(content.parts.map((part) => part.geometry))) geometry.dispose();
    this.group.add(...this.batches.meshes, this.#opaque);
  }

  get objects(): number {
    return this.#boxes.size;
  }

  /** What is kept, in the scene's coordinates. */
  get clipping(): readonly Plane[] {
    return this.#clipping;
  }

  setAppearance(appearance: Appearance3d): void {
    const { batches } = this;
    const before = this.#appearance;
    this.#appearance = appearance;
    const { selected, hidden, xray, section } = appearance;
    if (hidden !== before.hidden) for (const { batch, instance, object } of batches.parts) batch.setVisibleAt(instance, !hidden.has(object));
    for (const [{ batch, instance }, colour] of this.#colours) batch.setColorAt(instance, colour);
    this.#colours = new Map();
    const parts = selected.flatMap((object) => batches.partsOf(object));
    for (const part of parts) {
      const own = new Color();
      part.batch.getColorAt(part.instance, own);
      this.#colours.set(part, own.clone());
      part.batch.setColorAt(part.instance, own.lerp(selectedColour, 0.75));
    }
    this.#showOpaque(xray && parts.length <= mostOpaque ? parts.filter((part) => !hidden.has(part.object)) : []);
    if (xray !== before.xray) for (const { material } of batches.meshes) makeFaint(material as Material, xray);
    this.#clipping = section ? [planeOf(section, this.origin)] : [];
  }

  /** Of what is not hidden, site frame. */
  boundsOf(objects: Iterable<number> = this.#boxes.keys()): Box | undefined {
    const box = new Box3();
    for (const object of objects) {
      const own = this.#boxes.get(object);
      if (own && !this.#appearance.hidden.has(object)) box.union(own);
    }
    return box.isEmpty() ? undefined : { min: box.min.toArray(), max: box.max.toArray() };
  }

  dispose(): void {
    this.#showOpaque([]);
    this.#opaqueMaterial.dispose();
    this.batches.dispose();
  }

  /** Selected parts as they are, inside what x-ray makes faint: they share the batch's buffers. */
  #showOpaque(parts: readonly BatchedPart[]): void {
    for (const child of this.#opaque.children) {
      if (!(child instanceof Mesh)) continue;
      const geometry = child.geometry as BufferGeometry;
      // The buffers are the batch's: let go of them, and free only what is this one's own.
      geometry.index = null;
      geometry.attributes = {};
      geometry.dispose();
    }
    this.#opaque.clear();
    for (const { batch, instance } of parts) {
      const range = batch.getGeometryRangeAt(batch.getGeometryIdAt(instance));
      if (!range) continue;
      const geometry = new BufferGeometry();
      geometry.index = batch.geometry.index;
      geometry.attributes = batch.geometry.attributes;
      geometry.setDrawRange(range.start, range.count);
      const mesh = new Mesh(geometry, this.#opaqueMaterial);
      mesh.frustumCulled = false;
      mesh.matrixAutoUpdate = false;
      batch.getMatrixAt(instance, mesh.matrix);
      this.#opaque.add(mesh);
    }
  }
}

/** Of all, and of each object by its id; site frame. */
function boxesOf({ parts }: ModelContent): { readonly all: Box3; readonly boxes: ReadonlyMap<number, Box3> } {
  const all = new Box3();
  const boxes = new Map<number, Box3>();
  const own = new Box3();
  for (const { geometry, matrix, object } of parts) {
    if (!geometry.boundingBox) geometry.computeBoundingBox();
    own.copy(geometry.boundingBox ?? new Box3()).applyMatrix4(matrix);
    all.union(own);
    const known = boxes.get(object);
    if (known) known.union(own);
    else boxes.set(object, own.clone());
  }
  return { all, boxes };
}

function makeFaint(material: Material & { readonly userData: { plain?: Pick<Material, 'transparent' | 'opacity' | 'depthWrite'> } }, faint: boolean): void {
  material.userData.plain ??= { transparent: material.transparent, opacity: material.opacity, depthWrite: material.depthWrite };
  Object.assign(material, faint ? { transparent: true, opacity: xrayOpacity, depthWrite: false } : material.userData.plain);
  material.needsUpdate = true;
}

function planeOf({ axis, offset, flipped }: Section, origin: Point3): Plane {
  const index = { x: 0, y: 1, z: 2 }[axis] as 0 | 1 | 2;
  const normal = new Vector3().setComponent(index, flipped ? 1 : -1);
  return new Plane(normal, (flipped ? -1 : 1) * (offset - origin[index]));
}
