import type { Material, Point, Vector } from '../plant/types.ts';

/** Successive triangles of one object and one material. `start` and `count` are numbers of triangles. */
export interface MeshGroup {
  readonly id: string;
  readonly material: Material;
  readonly start: number;
  readonly count: number;
}

/**
 * The plant as triangles in the site frame. Vertices are shared only within a smooth surface, where a vertex normal is
 * the mean of its faces' normals.
 */
export interface PlantMesh {
  /** x, y and z of each vertex, in metres. */
  readonly positions: Float32Array;
  readonly normals: Float32Array;
  /** In fractions of the text atlas for the material `sign`, otherwise in metres along the surface. */
  readonly uvs: Float32Array;
  readonly indices: Uint32Array;
  readonly groups: readonly MeshGroup[];
}

type GrowingGroup = { -readonly [K in keyof MeshGroup]: MeshGroup[K] };

/** Collects triangles. `beginObject` sets the object to which the following triangles belong. */
export class MeshBuilder {
  readonly #positions: number[] = [];
  readonly #normals: number[] = [];
  readonly #uvs: number[] = [];
  readonly #indices: number[] = [];
  readonly #groups: GrowingGroup[] = [];
  #objectId = '';

  beginObject(id: string): void {
    this.#objectId = id;
  }

  /** Adds a vertex; returns its index. */
  addVertex(position: Point, normal: Vector, u = 0, v = 0): number {
    this.#positions.push(position[0], position[1], position[2]);
    this.#normals.push(normal[0], normal[1], normal[2]);
    this.#uvs.push(u, v);
    return this.#positions.length / 3 - 1;
  }

  /**
   * Adds a triangle and orients it counter-clockwise as seen from its vertices' normals, so that back-face culling
   * shows it.
   */
  addTriangle(material: Material, a: number, b: number, c: number): void {
    const start = this.#indices.length / 3;
    if (this.#facesInward(a, b, c)) this.#indices.push(a, c, b);
    else this.#indices.push(a, b, c);
    const lastGroup = this.#groups.at(-1);
    if (lastGroup && lastGroup.id === this.#objectId && lastGroup.material === material) lastGroup.count += 1;
    else this.#groups.push({ id: this.#objectId, material, start, count: 1 });
  }

  /** Adds a flat quad of four successive corners. */
  addQuad(
    material: Material,
    corners: readonly [Point, Point, Point, Point],
    normal: Vector,
    uvs: readonly (readonly [number, number])[] = unitSquare,
  ): void {
    const a = this.addVertex(corners[0], normal, uvs[0]![0], uvs[0]![1]);
    const b = this.addVertex(corners[1], normal, uvs[1]![0], uvs[1]![1]);
    const c = this.addVertex(corners[2], normal, uvs[2]![0], uvs[2]![1]);
    const d = this.addVertex(corners[3], normal, uvs[3]![0], uvs[3]![1]);
    this.addTriangle(material, a, b, c);
    this.addTriangle(material, a, c, d);
  }

  /** Avoids closures and vectors for speed, because there are a million triangles. */
  #facesInward(a: number, b: number, c: number): boolean {
    const positions = this.#positions;
    const normals = this.#normals;
    const [i, j, k] = [a * 3, b * 3, c * 3];
    const bx = positions[j]! - positions[i]!;
    const by = positions[j + 1]! - positions[i + 1]!;
    const bz = positions[j + 2]! - positions[i + 2]!;
    const cx = positions[k]! - positions[i]!;
    const cy = positions[k + 1]! - positions[i + 1]!;
    const cz = positions[k + 2]! - positions[i + 2]!;
    return (
      (by * cz - cy * bz) * (normals[i]! + normals[j]! + normals[k]!) +
        (bz * cx - cz * bx) * (normals[i + 1]! + normals[j + 1]! + normals[k + 1]!) +
        (bx * cy - cx * by) * (normals[i + 2]! + normals[j + 2]! + normals[k + 2]!) <
      0
    );
  }

  build(): PlantMesh {
    return {
      positions: new Float32Array(this.#positions),
      normals: new Float32Array(this.#normals),
      uvs: new Float32Array(this.#uvs),
      indices: new Uint32Array(this.#indices),
      groups: this.#groups,
    };
  }
}

const unitSquare = [
  [0, 0],
  [1, 0],
  [1, 1],
  [0, 1],
] as const;
