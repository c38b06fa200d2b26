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
import { createShadedMaterial, type ShadedMaterialOptions } from './shaded-material.ts';

/** A part that is drawn by a batch. */
export interface BatchedPart {
  readonly batch: BatchedMesh;
  /** Id of the part in the batch. */
  readonly instance: number;
  readonly object: number;
}

/** Properties that parts must share to be drawn by one call. */
interface SurfaceStyle extends ShadedMaterialOptions {
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
  readonly #partsByObject = new Map<number, BatchedPart[]>();
  readonly #objectsByBatch = new Map<BatchedMesh, number[]>();

  constructor(content: Pick<ModelContent, 'parts'>, origin: Point3) {
    const groups = new Map<string, { readonly style: SurfaceStyle; readonly parts: ModelPart[] }>();
    for (const part of content.parts) {
      const style = readStyle(part.material);
      const key = `${style.map?.source.uuid ?? ''} ${style.doubleSided} ${style.opacity} ${style.alphaCutoff}`;
      const group = groups.get(key) ?? { style, parts: [] };
      group.parts.push(part);
      groups.set(key, group);
    }
    const toOrigin = new Matrix4().makeTranslation(-origin[0], -origin[1], -origin[2]);
    const parts: BatchedPart[] = [];
    this.meshes = [...groups.values()].map(({ style, parts: groupParts }) => {
      const batch = createBatch(style, groupParts, toOrigin);
      const objects: number[] = [];
      groupParts.forEach(({ object }, instance) => {
        objects[instance] = object;
        const part = { batch, instance, object };
        parts.push(part);
        this.#partsByObject.set(object, [...(this.#partsByObject.get(object) ?? []), part]);
      });
      this.#objectsByBatch.set(batch, objects);
      return batch;
    });
    this.parts = parts;
  }

  getParts(object: number): readonly BatchedPart[] {
    return this.#partsByObject.get(object) ?? [];
  }

  /** Returns the object that a ray hit. */
  findObject(hit: Intersection): number | undefined {
    return hit.batchId === undefined ? undefined : this.#objectsByBatch.get(hit.object as BatchedMesh)?.[hit.batchId];
  }

  /** Finds all hits of a ray with visible parts, unsorted. */
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

function readStyle(material: Material): SurfaceStyle {
  const { map = null, opacity, transparent, side, alphaTest } = material as MeshStandardMaterial;
  return { map, doubleSided: side === DoubleSide, opacity: transparent ? opacity : 1, alphaCutoff: alphaTest };
}

function getColour(material: Material): Color {
  return 'color' in material && material.color instanceof Color ? material.color : new Color(0.7, 0.7, 0.7);
}

function createBatch(style: SurfaceStyle, parts: readonly ModelPart[], toOrigin: Matrix4): BatchedMesh {
  const copies = new Map<BufferGeometry, BufferGeometry>();
  for (const { geometry } of parts)
    if (!copies.has(geometry)) copies.set(geometry, copyGeometry(geometry, style.map !== null));
  let vertices = 0;
  let indices = 0;
  for (const geometry of copies.values()) {
    vertices += geometry.getAttribute('position').count;
    indices += geometry.getIndex()?.count ?? 0;
  }
  const batch = new BatchedMesh(parts.length, vertices, indices, createShadedMaterial(style, style.map));
  batch.perObjectFrustumCulled = true;
  batch.sortObjects = false;
  const geometryIds = new Map([...copies].map(([geometry, copy]) => [geometry, batch.addGeometry(copy)]));
  const matrix = new Matrix4();
  for (const part of parts) {
    const instance = batch.addInstance(geometryIds.get(part.geometry) ?? 0);
    batch.setMatrixAt(instance, matrix.multiplyMatrices(toOrigin, part.matrix));
    batch.setColorAt(instance, getColour(part.material));
  }
  // The batch has a copy of each geometry.
  for (const geometry of copies.values()) geometry.dispose();
  return batch;
}

/**
 * Copies a geometry with the attributes that each geometry of a batch must have. These are an index, positions, normals
 * and, for a texture, its coordinates, all as floats.
 */
function copyGeometry(geometry: BufferGeometry, hasTexture: boolean): BufferGeometry {
  const result = new BufferGeometry();
  const position = geometry.getAttribute('position');
  result.setAttribute('position', toFloatAttribute(position, 3));
  const index = geometry.getIndex();
  result.setIndex(
    new BufferAttribute(
      index ? Uint32Array.from(index.array) : Uint32Array.from({ length: position.count }, (_, vertex) => vertex),
      1,
    ),
  );
  const normal = geometry.getAttribute('normal');
  if (normal) result.setAttribute('normal', toFloatAttribute(normal, 3));
  else result.computeVertexNormals();
  if (hasTexture) {
    const uv = geometry.getAttribute('uv');
    result.setAttribute(
      'uv',
      uv ? toFloatAttribute(uv, 2) : new BufferAttribute(new Float32Array(position.count * 2), 2),
    );
  }
  return result;
}

function toFloatAttribute(attribute: BufferAttribute | InterleavedBufferAttribute, size: 2 | 3): BufferAttribute {
  const values = new Float32Array(attribute.count * size);
  for (let index = 0; index < attribute.count; index++)
    for (let axis = 0; axis < size; axis++) values[index * size + axis] = attribute.getComponent(index, axis);
  return new BufferAttribute(values, size);
}

/** Computes the normal of a hit in the scene's frame, on the side of the eye. */
export function computeNormal(hit: Intersection, eye: Vector3): Vector3 | undefined {
  if (!hit.face || hit.batchId === undefined) return undefined;
  const matrix = new Matrix4();
  (hit.object as BatchedMesh).getMatrixAt(hit.batchId, matrix);
  const normal = hit.face.normal.clone().transformDirection(matrix.invert().transpose());
  return normal.dot(eye.clone().sub(hit.point)) < 0 ? normal.negate() : normal;
}
