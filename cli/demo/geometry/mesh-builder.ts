import type { Material, Point } from '../plant/types.ts';

/** Triangles of one object and one material: `start` and `count` count triangles. */
export interface MeshGroup {
  readonly id: string;
  readonly material: Material;
  readonly start: number;
  readonly count: number;
}

/**
 * The plant as triangles in the site frame. Vertices are shared only within a smooth patch: a vertex normal is the mean
 * of its faces' normals.
 */
export interface PlantMesh {
  /** Metres. */
  readonly positions: Float32Array;
  readonly normals: Float32Array;
  /** Fractions of the text atlas for `sign`, metres along the surface otherwise. */
  readonly uvs: Float32Array;
  readonly indices: Uint32Array;
  readonly groups: readonly MeshGroup[];
}

type GrowingGroup = { -readonly [K in keyof MeshGroup]: MeshGroup[K] };

/** Collects patches; `begin` sets the object of the following ones. */
export class MeshBuilder {
  readonly #positions: number[] = [];
  readonly #normals: number[] = [];
  readonly #uvs: number[] = [];
  readonly #indices: number[] = [];
  readonly #groups: GrowingGroup[] = [];
  #id = '';

  begin(id: string): void {
    this.#id = id;
  }

  /** Adds a vertex; returns its index. */
  vertex(position: Point, normal: Point, u = 0, v = 0): number {
    this.#positions.push(position[0], position[1], position[2]);
    this.#normals.push(normal[0], normal[1], normal[2]);
    this.#uvs.push(u, v);
    return this.#positions.length / 3 - 1;
  }

  /**
   * Adds a triangle and orients it counter-clockwise as seen from its vertices' normals, so that back-face culling
   * shows it.
   */
  triangle(material: Material, a: number, b: number, c: number): void {
    const start = this.#indices.length / 3;
    if (this.#facesInward(a, b, c)) this.#indices.push(a, c, b);
    else this.#indices.push(a, b, c);
    const last = this.#groups.at(-1);
    if (last && last.id === this.#id && last.material === material) last.count += 1;
    else this.#groups.push({ id: this.#id, material, start, count: 1 });
  }

  /** A flat quad of four successive corners. */
  quad(
    material: Material,
    corners: readonly [Point, Point, Point, Point],
    normal: Point,
    uvs: readonly (readonly [number, number])[] = unit,
  ): void {
    const a = this.vertex(corners[0], normal, uvs[0]![0], uvs[0]![1]);
    const b = this.vertex(corners[1], normal, uvs[1]![0], uvs[1]![1]);
    const c = this.vertex(corners[2], normal, uvs[2]![0], uvs[2]![1]);
    const d = this.vertex(corners[3], normal, uvs[3]![0], uvs[3]![1]);
    this.triangle(material, a, b, c);
    this.triangle(material, a, c, d);
  }

  /** Without closures and vectors for speed: there are a million triangles. */
  #facesInward(a: number, b: number, c: number): boolean {
    const p = this.#positions;
    const n = this.#normals;
    const [i, j, k] = [a * 3, b * 3, c * 3];
    const bx = p[j]! - p[i]!;
    const by = p[j + 1]! - p[i + 1]!;
    const bz = p[j + 2]! - p[i + 2]!;
    const cx = p[k]! - p[i]!;
    const cy = p[k + 1]! - p[i + 1]!;
    const cz = p[k + 2]! - p[i + 2]!;
    return (
      (by * cz - cy * bz) * (n[i]! + n[j]! + n[k]!) +
        (bz * cx - cz * bx) * (n[i + 1]! + n[j + 1]! + n[k + 1]!) +
        (bx * cy - cx * by) * (n[i + 2]! + n[j + 2]! + n[k + 2]!) <
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

const unit = [
  [0, 0],
  [1, 0],
  [1, 1],
  [0, 1],
] as const;
