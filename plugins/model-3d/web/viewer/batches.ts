import {
  BatchedMesh,
  BufferAttribute,
  BufferGeometry,
  Color,
  DoubleSide,
  Matrix4,
  type InterleavedBufferAttribute,
  type Intersection,
  type Material,
  type MeshStandardMaterial,
  type Raycaster,
  type Texture,
  type Vector3,
} from 'three';
import type { Point3 } from '#core';
import type { ModelContent, ModelPart } from './model-content.ts';
import { shade, type ShadeOptions } from './shade.ts';

/** One part in a batch. */
export interface BatchedPart {
  readonly batch: BatchedMesh;
  /** Its id in the batch. */
  readonly instance: number;
  readonly object: number;
}

/** Properties that parts must share to be drawn by one call. */
interface Look extends ShadeOptions {
  readonly map: Texture | null;
}

/**
 * Merges all parts of a model into a few `BatchedMesh`es, one for each texture and kind of surface, so that thousands
 * of objects need a handful of draw calls. Equal geometries are stored once. Coordinates are relative to `origin`, so
 * that floats stay exact far from the site's zero.
 */
export class Batches {
  readonly meshes: readonly BatchedMesh[];
  readonly parts: readonly BatchedPart[];
  readonly #ofObject = new Map<number, BatchedPart[]>();
  readonly #toObject = new Map<BatchedMesh, number[]>();

  constructor(content: Pick<ModelContent, 'parts'>, origin: Point3) {
    const groups = new Map<string, { readonly look: Look; readonly parts: ModelPart[] }>();
    for (const part of content.parts) {
      const look = readLook(part.material);
      const key = `${look.map?.source.uuid ?? ''} ${look.doubleSided} ${look.opacity} ${look.cutout}`;
      const group = groups.get(key) ?? { look, parts: [] };
      group.parts.push(part);
      groups.set(key, group);
    }
    const toOrigin = new Matrix4().makeTranslation(-origin[0], -origin[1], -origin[2]);
    const parts: BatchedPart[] = [];
    this.meshes = [...groups.values()].map(({ look, parts: own }) => {
      const batch = createBatch(look, own, toOrigin);
      const objects: number[] = [];
      own.forEach(({ object }, instance) => {
        objects[instance] = object;
        const part = { batch, instance, object };
        parts.push(part);
        this.#ofObject.set(object, [...(this.#ofObject.get(object) ?? []), part]);
      });
      this.#toObject.set(batch, objects);
      return batch;
    });
    this.parts = parts;
  }

  toParts(object: number): readonly BatchedPart[] {
    return this.#ofObject.get(object) ?? [];
  }

  /** The object of a ray's hit. */
  objectAt(hit: Intersection): number | undefined {
    return hit.batchId === undefined ? undefined : this.#toObject.get(hit.object as BatchedMesh)?.[hit.batchId];
  }

  /** Unsorted hits of visible parts. */
  raycast(raycaster: Raycaster): Intersection[] {
    const hits: Intersection[] = [];
    for (const mesh of this.meshes) mesh.raycast(raycaster, hits);
    return hits;
  }

  dispose(): void {
    for (const mesh of this.meshes) {
      mesh.dispose();
      const material = mesh.material as MeshStandardMaterial;
      material.map?.dispose();
      material.dispose();
    }
  }
}

function readLook(material: Material): Look {
  const { map = null, opacity, transparent, side, alphaTest } = material as MeshStandardMaterial;
  return { map, doubleSided: side === DoubleSide, opacity: transparent ? opacity : 1, cutout: alphaTest };
}

function getColour(material: Material): Color {
  return 'color' in material && material.color instanceof Color ? material.color : new Color(0.7, 0.7, 0.7);
}

function createBatch(look: Look, parts: readonly ModelPart[], toOrigin: Matrix4): BatchedMesh {
  const plain = new Map<BufferGeometry, BufferGeometry>();
  for (const { geometry } of parts)
    if (!plain.has(geometry)) plain.set(geometry, plainGeometry(geometry, look.map !== null));
  let vertices = 0;
  let indices = 0;
  for (const geometry of plain.values()) {
    vertices += geometry.getAttribute('position').count;
    indices += geometry.getIndex()?.count ?? 0;
  }
  const batch = new BatchedMesh(parts.length, vertices, indices, shade(look, look.map));
  batch.perObjectFrustumCulled = true;
  batch.sortObjects = false;
  const ids = new Map([...plain].map(([geometry, own]) => [geometry, batch.addGeometry(own)]));
  const matrix = new Matrix4();
  for (const part of parts) {
    const instance = batch.addInstance(ids.get(part.geometry) ?? 0);
    batch.setMatrixAt(instance, matrix.multiplyMatrices(toOrigin, part.matrix));
    batch.setColorAt(instance, getColour(part.material));
  }
  // Each geometry was copied into the batch.
  for (const geometry of plain.values()) geometry.dispose();
  return batch;
}

/**
 * The same geometry with the attributes that all of a batch must have: floats, an index, normals, and texture
 * coordinates if there is a texture.
 */
function plainGeometry(geometry: BufferGeometry, pictured: boolean): BufferGeometry {
  const plain = new BufferGeometry();
  const position = geometry.getAttribute('position');
  plain.setAttribute('position', floats(position, 3));
  const index = geometry.getIndex();
  plain.setIndex(
    new BufferAttribute(
      index ? Uint32Array.from(index.array) : Uint32Array.from({ length: position.count }, (_, at) => at),
      1,
    ),
  );
  const normal = geometry.getAttribute('normal');
  if (normal) plain.setAttribute('normal', floats(normal, 3));
  else plain.computeVertexNormals();
  if (pictured) {
    const uv = geometry.getAttribute('uv');
    plain.setAttribute('uv', uv ? floats(uv, 2) : new BufferAttribute(new Float32Array(position.count * 2), 2));
  }
  return plain;
}

function floats(attribute: BufferAttribute | InterleavedBufferAttribute, size: 2 | 3): BufferAttribute {
  const out = new Float32Array(attribute.count * size);
  for (let index = 0; index < attribute.count; index++)
    for (let axis = 0; axis < size; axis++) out[index * size + axis] = attribute.getComponent(index, axis);
  return new BufferAttribute(out, size);
}

/** Normal of a hit towards the eye, in the scene's frame. */
export function computeNormal(hit: Intersection, eye: Vector3): Vector3 | undefined {
  if (!hit.face || hit.batchId === undefined) return undefined;
  const matrix = new Matrix4();
  (hit.object as BatchedMesh).getMatrixAt(hit.batchId, matrix);
  const normal = hit.face.normal.clone().transformDirection(matrix.invert().transpose());
  return normal.dot(eye.clone().sub(hit.point)) < 0 ? normal.negate() : normal;
}
