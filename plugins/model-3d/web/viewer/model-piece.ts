import {
  BufferGeometry,
  Color,
  Group,
  Mesh,
  MeshLambertMaterial,
  Texture,
  Vector3,
  type BatchedMesh,
  type Box3,
  type Intersection,
  type Material,
  type Raycaster,
} from 'three';
import type { Point3 } from '#core';
import { Batches, type BatchedPart } from './batches.ts';
import type { Appearance3d } from './engine-types.ts';
import type { ModelPart } from './model-content.ts';

const selectedColour = new Color(0xff8a1f);
const xrayOpacity = 0.13;
/** Precision of the file's coordinates in metres. The import rounds to half a millimetre (`model-io.mjs`). */
const defaultSigma = 0.001;
/** Key in a texture's `userData`. Its bytes count for no piece, because other pieces use the same texture. */
export const sharedPicture = 'sharedPicture';
/** Each buffer is in memory and on the graphics card. */
const bufferCopies = 2;
/** Bytes of a part's matrix and colour. */
const bytesPerPart = 80;

/** A model or a tile of a model, which is drawn and freed as a whole. */
export class ModelPiece {
  readonly group = new Group();
  readonly batches: Batches;
  /** Largest error of the drawn geometry in metres. */
  readonly sigma: number;
  /** Approximate bytes in memory and on the graphics card. */
  readonly bytes: number;
  /** The bounding box in the scene's coordinates. */
  readonly #box: Box3;
  readonly #opaqueGroup = new Group();
  readonly #opaqueMaterial = new MeshLambertMaterial({ color: selectedColour });
  /** Original appearance of the selected parts. */
  #colours = new Map<BatchedPart, Color>();
  #hidden: ReadonlySet<number> = new Set();
  #xray = false;

  /** Frees the parts' geometries, because the piece has copies. `box` is in the site frame. */
  constructor(parts: readonly ModelPart[], origin: Point3, box: Box3, sigma = defaultSigma) {
    this.sigma = Math.max(defaultSigma, sigma);
    this.batches = new Batches({ parts }, origin);
    this.#box = box.clone().translate(new Vector3(...origin).negate());
    for (const geometry of new Set(parts.map((part) => part.geometry))) geometry.dispose();
    this.bytes = this.batches.meshes.reduce((sum, mesh) => sum + countBytes(mesh), 0);
    this.group.add(...this.batches.meshes, this.#opaqueGroup);
  }

  /** Whether the piece is drawn and hit by rays. */
  get visible(): boolean {
    return this.group.visible;
  }

  setVisible(visible: boolean): void {
    this.group.visible = visible;
  }

  /** Finds all hits of a ray with visible parts, unsorted. */
  raycast(raycaster: Raycaster): readonly Intersection[] {
    return this.visible && raycaster.ray.intersectsBox(this.#box) ? this.batches.raycast(raycaster) : [];
  }

  /** Counts the parts that belong to some objects. */
  countParts(objects: readonly number[]): number {
    return objects.reduce((sum, object) => sum + this.batches.getParts(object).length, 0);
  }

  /** With `opaque`, the x-ray mode draws selected parts opaque and the others transparent. */
  setAppearance({ selected, hidden, xray }: Appearance3d, opaque: boolean): void {
    const { batches } = this;
    if (hidden !== this.#hidden)
      for (const { batch, instance, object } of batches.parts) batch.setVisibleAt(instance, !hidden.has(object));
    this.#hidden = hidden;
    for (const [{ batch, instance }, colour] of this.#colours) batch.setColorAt(instance, colour);
    this.#colours = new Map();
    const parts = selected.flatMap((object) => batches.getParts(object));
    for (const part of parts) {
      const colour = new Color();
      part.batch.getColorAt(part.instance, colour);
      this.#colours.set(part, colour.clone());
      part.batch.setColorAt(part.instance, colour.lerp(selectedColour, 0.75));
    }
    this.#showOpaque(xray && opaque ? parts.filter((part) => !hidden.has(part.object)) : []);
    if (xray !== this.#xray) for (const { material } of batches.meshes) fadeMaterial(material as Material, xray);
    this.#xray = xray;
  }

  dispose(): void {
    this.#showOpaque([]);
    this.#opaqueMaterial.dispose();
    this.batches.dispose();
  }

  /** Draws some parts as opaque meshes, which share the buffers of the batch. */
  #showOpaque(parts: readonly BatchedPart[]): void {
    for (const child of this.#opaqueGroup.children) {
      if (!(child instanceof Mesh)) continue;
      const geometry = child.geometry as BufferGeometry;
      // The buffers belong to the batch. They are detached, so that only the mesh's own resources are freed.
      geometry.index = null;
      geometry.attributes = {};
      geometry.dispose();
    }
    this.#opaqueGroup.clear();
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
      this.#opaqueGroup.add(mesh);
    }
  }
}

function countBytes({ geometry, material, instanceCount }: BatchedMesh): number {
  const buffers = [...Object.values(geometry.attributes), ...(geometry.index ? [geometry.index] : [])].reduce(
    (sum, attribute) => sum + attribute.array.byteLength,
    0,
  );
  const map =
    'map' in material && material.map instanceof Texture && material.map.userData[sharedPicture] !== true
      ? material.map
      : undefined;
  const image = map?.image as { readonly width: number; readonly height: number } | undefined;
  // Four bytes per pixel, and a third more for mipmaps.
  return (
    (buffers + instanceCount * bytesPerPart) * bufferCopies + (image ? image.width * image.height * 4 * (4 / 3) : 0)
  );
}

function fadeMaterial(
  material: Material & { readonly userData: { original?: Pick<Material, 'transparent' | 'opacity' | 'depthWrite'> } },
  xray: boolean,
): void {
  material.userData.original ??= {
    transparent: material.transparent,
    opacity: material.opacity,
    depthWrite: material.depthWrite,
  };
  Object.assign(
    material,
    xray ? { transparent: true, opacity: xrayOpacity, depthWrite: false } : material.userData.original,
  );
  material.needsUpdate = true;
}
