import { crossProduct, dotProduct, vectorLength, minus, times, type Point3 } from '#core';
import type { SurfaceMesh } from '#plugins/tour';

/** A flat piece of a surface, made of connected triangles in one plane. */
export interface Facet {
  /** Unit vector with an arbitrary sign. */
  readonly normal: Point3;
  /** Square metres. */
  readonly area: number;
  /** Indices of its vertices. */
  readonly vertices: readonly number[];
}

/** The surface around the hit triangle, up to the next sharp edge. */
export interface FacetedSurface {
  readonly vertices: readonly Point3[];
  /** Breadth-first from the hit facet. */
  readonly facets: readonly Facet[];
  /** Whether facets of different directions meet, or a single facet ends, at the vertex of the same index. */
  readonly isCorner: readonly boolean[];
}

/** Distance in metres below which vertices are merged. Exporters repeat vertices for each flat shaded facet. */
const weldMetres = 1e-4;
/** Cosine of 52 degrees. The sides of an octagonal pipe meet at 45 degrees, those of a hexagonal nut at 60. */
const minSmoothCosine = Math.cos((52 * Math.PI) / 180);
/** Cosine of half a degree. Triangles are coplanar if their normals differ by less. */
const minCoplanarCosine = Math.cos((0.5 * Math.PI) / 180);
/** Distance in metres from the plane up to which a vertex is coplanar. */
const coplanarMetres = 0.00015;
const maxTriangles = 20_000;
/**
 * All vertices of a facet with at most this many vertices are corners. A larger facet may also have vertices on its
 * edges, for example where a branch cuts it.
 */
const maxSimpleVertices = 4;

const zero: Point3 = [0, 0, 0];

interface Triangle {
  readonly vertices: readonly [number, number, number];
  readonly normal: Point3;
  readonly area: number;
}

/**
 * Groups the triangles around the hit triangle into facets. Triangles are neighbours if they share a vertex and their
 * planes differ by at most 52 degrees. Normals and winding of the file are ignored.
 */
export function toFacets({ corners, hit }: SurfaceMesh): FacetedSurface {
  const { vertices, triangles, hitTriangle } = weld(corners, hit);
  const trianglesByVertex = new Map<number, number[]>();
  for (const [k, { vertices: triangleVertices }] of triangles.entries())
    for (const vertex of triangleVertices) {
      const existingTriangles = trianglesByVertex.get(vertex);
      if (existingTriangles) existingTriangles.push(k);
      else trianglesByVertex.set(vertex, [k]);
    }
  const facetByTriangle = new Map<number, number>();
  const facets: Facet[] = [];
  const queue = hitTriangle === undefined ? [] : [hitTriangle];
  const visited = new Set(queue);
  for (const seed of queue) {
    if (facetByTriangle.has(seed)) continue;
    const members = findCoplanarTriangles(seed, triangles, trianglesByVertex, facetByTriangle, vertices);
    for (const member of members) facetByTriangle.set(member, facets.length);
    facets.push(mergeTriangles(members, triangles));
    for (const member of members)
      for (const vertex of triangles[member]?.vertices ?? [])
        for (const neighbour of trianglesByVertex.get(vertex) ?? []) {
          if (visited.has(neighbour) || visited.size >= maxTriangles) continue;
          if (Math.abs(computeCosine(triangles, member, neighbour)) < minSmoothCosine) continue;
          visited.add(neighbour);
          queue.push(neighbour);
        }
  }
  const isCorner = vertices.map(
    (_, vertex) =>
      new Set((trianglesByVertex.get(vertex) ?? []).flatMap((triangle) => facetByTriangle.get(triangle) ?? [])).size >
      1,
  );
  // A facet at the rim of a half shell has no neighbour there, so its vertices are marked here.
  for (const facet of facets)
    if (facet.vertices.length <= maxSimpleVertices) for (const vertex of facet.vertices) isCorner[vertex] = true;
  return { vertices, facets, isCorner };
}

function weld(
  corners: Float64Array,
  hit: number,
): {
  readonly vertices: readonly Point3[];
  readonly triangles: readonly Triangle[];
  readonly hitTriangle: number | undefined;
} {
  const indices = new Map<string, number>();
  const vertices: Point3[] = [];
  const findOrAddVertex = (offset: number): number => {
    const vertex: Point3 = [corners[offset] ?? 0, corners[offset + 1] ?? 0, corners[offset + 2] ?? 0];
    const key = vertex.map((value) => Math.round(value / weldMetres)).join(' ');
    const existingIndex = indices.get(key);
    if (existingIndex !== undefined) return existingIndex;
    indices.set(key, vertices.length);
    return vertices.push(vertex) - 1;
  };
  const triangles: Triangle[] = [];
  let hitTriangle: number | undefined;
  for (let k = 0; k < corners.length / 9; k += 1) {
    const triangleVertices = [findOrAddVertex(k * 9), findOrAddVertex(k * 9 + 3), findOrAddVertex(k * 9 + 6)] as const;
    const [a, b, c] = triangleVertices.map((vertex) => vertices[vertex] ?? zero) as [Point3, Point3, Point3];
    const normal = crossProduct(minus(b, a), minus(c, a));
    const doubleArea = vectorLength(normal);
    if (doubleArea < 1e-12) continue;
    if (k === hit) hitTriangle = triangles.length;
    triangles.push({ vertices: triangleVertices, normal: times(normal, 1 / doubleArea), area: doubleArea / 2 });
  }
  return { vertices, triangles, hitTriangle };
}

const computeCosine = (triangles: readonly Triangle[], index: number, other: number): number => {
  const [a, b] = [triangles[index], triangles[other]];
  return a && b ? dotProduct(a.normal, b.normal) : 0;
};

/**
 * Collects the connected triangles in the plane of the triangle `seed`. All are compared with the seed, because
 * comparing neighbours would merge a fine cylinder into one facet.
 */
function findCoplanarTriangles(
  seed: number,
  triangles: readonly Triangle[],
  trianglesByVertex: ReadonlyMap<number, readonly number[]>,
  facetByTriangle: ReadonlyMap<number, number>,
  vertices: readonly Point3[],
): readonly number[] {
  const start = triangles[seed];
  const origin = start && vertices[start.vertices[0]];
  if (!start || !origin) return [];
  const isInPlane = (vertex: number): boolean =>
    Math.abs(dotProduct(minus(vertices[vertex] ?? zero, origin), start.normal)) <= coplanarMetres;
  const members = [seed];
  const visited = new Set(members);
  for (const member of members)
    for (const vertex of triangles[member]?.vertices ?? [])
      for (const neighbour of trianglesByVertex.get(vertex) ?? []) {
        if (visited.has(neighbour) || facetByTriangle.has(neighbour)) continue;
        visited.add(neighbour);
        if (
          Math.abs(computeCosine(triangles, seed, neighbour)) >= minCoplanarCosine &&
          triangles[neighbour]?.vertices.every(isInPlane)
        )
          members.push(neighbour);
      }
  return members;
}

function mergeTriangles(members: readonly number[], triangles: readonly Triangle[]): Facet {
  const memberTriangles = members.flatMap((member) => triangles[member] ?? []);
  return {
    normal: memberTriangles[0]?.normal ?? zero,
    area: memberTriangles.reduce((sum, { area }) => sum + area, 0),
    vertices: [...new Set(memberTriangles.flatMap(({ vertices }) => vertices))],
  };
}
