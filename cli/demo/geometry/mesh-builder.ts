import type { Material, Point } from '../plant/types.ts';

/** Triangles of one object and one material: `start` and `count` count triangles. */
export interface MeshGroup {
  readonly id: string;
  readonly material: Material;
  readonly start: number;
  readonly count: number;
}

/** The whole plant as triangles in the site frame. Vertices are shared only within a smooth patch: a normal mean of a vertex's faces is its normal. */
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

  /** Adds a triangle, counter-clockwise seen from outside. */
  triangle(material: Material, a: number, b: number, c: number): void {
    const start = this.#indices.length / 3;
    this.#indices.push(a, b, c);
    const last = this.#groups.at(-1);
    if (last && last.id === this.#id && last.material === material) this.#groups[this.#groups.length - 1] = { ...last, count: last.count + 1 };
    else this.#groups.push({ id: this.#id, material, start, count: 1 });
  }

  /** Four corners, counter-clockwise seen from outside, flat. */
  quad(material: Material, corners: readonly [Point, Point, Point, Point], normal: Point, uvs: readonly (readonly [number, number])[] = unit): void {
    const [a, b, c, d] = corners.map((corner, k) => this.vertex(corner, normal, uvs[k]![0], uvs[k]![1])) as [number, number, number, number];
    this.triangle(material, a, b, c);
    this.triangle(material, a, c, d);
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

const unit = [[0, 0], [1, 0], [1, 1], [0, 1]] as const;
