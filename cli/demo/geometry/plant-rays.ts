import { BufferAttribute, BufferGeometry, DoubleSide, Ray, Vector3 } from 'three';
import { MeshBVH } from 'three-mesh-bvh';
import type { Point, Vector } from '../plant/types.ts';
import type { PlantMesh } from './mesh-builder.ts';

export interface RayHit {
  /** Metres from the origin. */
  readonly distance: number;
  /** Id of the part that was hit. */
  readonly id: string;
  readonly point: Point;
}

/** Casts rays at the plant's triangles. Rays hit both sides of a triangle. */
export class PlantRays {
  readonly #mesh: PlantMesh;
  readonly #tree: MeshBVH;
  readonly #ray = new Ray(new Vector3(), new Vector3());

  constructor(mesh: PlantMesh) {
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(mesh.positions, 3));
    geometry.setIndex(new BufferAttribute(mesh.indices, 1));
    this.#mesh = mesh;
    // `indirect` preserves the order of the triangles, by which a hit identifies its part.
    this.#tree = new MeshBVH(geometry, { indirect: true });
  }

  /** Metres to the first triangle along a unit vector; undefined if the ray hits nothing. */
  computeDistance(origin: Point, direction: Vector): number | undefined {
    this.#ray.origin.set(origin[0], origin[1], origin[2]);
    this.#ray.direction.set(direction[0], direction[1], direction[2]);
    return this.#tree.raycastFirst(this.#ray, DoubleSide)?.distance;
  }

  /** The first hit along a unit vector with its part; undefined if the ray hits nothing. */
  findHit(origin: Point, direction: Vector): RayHit | undefined {
    this.#ray.origin.set(origin[0], origin[1], origin[2]);
    this.#ray.direction.set(direction[0], direction[1], direction[2]);
    const hit = this.#tree.raycastFirst(this.#ray, DoubleSide);
    if (!hit || hit.faceIndex === null || hit.faceIndex === undefined) return undefined;
    return {
      distance: hit.distance,
      id: this.#findPart(hit.faceIndex),
      point: [hit.point.x, hit.point.y, hit.point.z],
    };
  }

  #findPart(triangle: number): string {
    const groups = this.#mesh.groups;
    let low = 0;
    let high = groups.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (groups[middle]!.start <= triangle) low = middle;
      else high = middle - 1;
    }
    return groups[low]!.id;
  }
}
