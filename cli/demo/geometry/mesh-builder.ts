import type { Material, Point } from '../plant/types.ts';

/** Triangles of one object and one material: `start` and `count` count triangles. */
export interface MeshGroup {
  readonly id: string;
  readonly material: Material;
  readonly start: number;
  readonly count: number;
}

/**
 * The whole plant as triangles in the site frame. Vertices are shared only within a smooth patch: a normal mean of a
 * vertex's faces is its normal.
 */
export interface PlantMesh {
  /** Metres. */
  readonly positions: Float32Array;
  readonly normals: Float32Array;
  /** Fractions of the text atlas for `sign`, metres along the surface elsewhere. */
  readonly uvs: Float32Array;
  readonly indices: Uint32Array;
  readonly groups: readonly MeshGroup[];
}

/** Collects patches; `begin` names the object that the next ones belong to. */
export class MeshBuilder {
  readonly #positions: number[] = [];
  readonly #normals: number[] = [];
  readonly #uvs: number[] = [];
  readonly #indices: number[] = [];
  readonly #groups: MeshGroup[] = [];
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
   * Adds a triangle, counter-clockwise seen from where its vertices' normals point, in whatever order they are given:
   * who shows the outside alone sees it.
   */
  triangle(material: Material, a: number, b: number, c: number): void {
    const start = this.#indices.length / 3;
    if (this.#facesInward(a, b, c)) this.#indices.push(a, c, b);
    else this.#indices.push(a, b, c);
    const last = this.#groups.at(-1);
    if (last && last.id === this.#id && last.material === material)
      this.#groups[this.#groups.length - 1] = { ...last, count: last.count + 1 };
    else this.#groups.push({ id: this.#id, material, start, count: 1 });
  }

  /** Four corners, one after the other, flat. */
  quad(
    material: Material,
    corners: readonly [Point, Point, Point, Point],
    normal: Point,
    uvs: readonly (readonly [number, number])[] = unit,
  ): void {
    const [a, b, c, d] = corners.map((corner, k) => this.vertex(corner, normal, uvs[k]![0], uvs[k]![1])) as [
      number,
      number,
      number,
      number,
    ];
    this.triangle(material, a, b, c);
    this.triangle(material, a, c, d);
  }

  /** In plain numbers: there are a million of them. */
  #facesInward(a: number, b: number, c: number): boolean {
    const from = (axis: number, to: number): number => this.#positions[to * 3 + axis]! - this.#positions[a * 3 + axis]!;
    const normal = (axis: number): number =>
      this.#normals[a * 3 + axis]! + this.#normals[b * 3 + axis]! + this.#normals[c * 3 + axis]!;
    const [x, y, z] = [0, 1, 2] as const;
    const along = (one: number, other: number): number => from(one, b) * from(other, c) - from(other, b) * from(one, c);
    return along(y, z) * normal(x) + along(z, x) * normal(y) + along(x, y) * normal(z) < 0;
  }

  build(): PlantMesh {
    return {
      positions: Float32Array.from(this.#positions),
      normals: Float32Array.from(this.#normals),
      uvs: Float32Array.from(this.#uvs),
      indices: Uint32Array.from(this.#indices),
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
