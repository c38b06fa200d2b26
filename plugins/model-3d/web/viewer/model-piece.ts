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
/** Precision of the file's coordinates: half a millimetre (`model-io.mjs`). */
const defaultSigma = 0.001;
/** Key in a texture's `userData`: other pieces use the same texture, so that its bytes count for none of them. */
export const sharedPicture = 'sharedPicture';
/** Buffers are both in memory and on the graphics card. */
const copies = 2;
/** Floats of a part's matrix and colour. */
const bytesOfPart = 80;

/** A unit of drawing and freeing: a whole model, or one of its tiles. */
export class ModelPiece {
  readonly group = new Group();
  readonly batches: Batches;
  /** Largest error of the drawn geometry in metres. */
  readonly sigma: number;
  /** Approximate bytes in memory and on the graphics card. */
  readonly bytes: number;
  /** In the scene's coordinates. */
  readonly #box: Box3;
  readonly #opaque = new Group();
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
    this.group.add(...this.batches.meshes, this.#opaque);
  }

  /** Whether it is drawn and hit by rays. */
  get visible(): boolean {
    return this.group.visible;
  }

  setVisible(visible: boolean): void {
    this.group.visible = visible;
  }

  /** Unsorted hits of visible parts. */
  raycast(raycaster: Raycaster): readonly Intersection[] {
    return this.visible && raycaster.ray.intersectsBox(this.#box) ? this.batches.raycast(raycaster) : [];
  }

  /** Number of its parts that belong to these objects. */
  toParts(objects: readonly number[]): number {
    return objects.reduce((sum, object) => sum + this.batches.toParts(object).length, 0);
  }

  /** `opaque`: selected parts are drawn opaque inside the transparent rest. */
  setAppearance({ selected, hidden, xray }: Appearance3d, opaque: boolean): void {
    const { batches } = this;
    if (hidden !== this.#hidden)
      for (const { batch, instance, object } of batches.parts) batch.setVisibleAt(instance, !hidden.has(object));
    this.#hidden = hidden;
    for (const [{ batch, instance }, colour] of this.#colours) batch.setColorAt(instance, colour);
    this.#colours = new Map();
    const parts = selected.flatMap((object) => batches.toParts(object));
    for (const part of parts) {
      const own = new Color();
      part.batch.getColorAt(part.instance, own);
      this.#colours.set(part, own.clone());
      part.batch.setColorAt(part.instance, own.lerp(selectedColour, 0.75));
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

  /** Draws selected parts opaque in x-ray mode. They share the batch's buffers. */
  #showOpaque(parts: readonly BatchedPart[]): void {
    for (const child of this.#opaque.children) {
      if (!(child instanceof Mesh)) continue;
      const geometry = child.geometry as BufferGeometry;
      // The buffers belong to the batch: detach them, and free only the mesh's own resources.
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
  return (buffers + instanceCount * bytesOfPart) * copies + (image ? image.width * image.height * 4 * (4 / 3) : 0);
}

function fadeMaterial(
  material: Material & { readonly userData: { plain?: Pick<Material, 'transparent' | 'opacity' | 'depthWrite'> } },
  faint: boolean,
): void {
  material.userData.plain ??= {
    transparent: material.transparent,
    opacity: material.opacity,
    depthWrite: material.depthWrite,
  };
  Object.assign(
    material,
    faint ? { transparent: true, opacity: xrayOpacity, depthWrite: false } : material.userData.plain,
  );
  material.needsUpdate = true;
}
