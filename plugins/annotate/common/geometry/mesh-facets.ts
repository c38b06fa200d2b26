import { crossProduct, dotProduct, vectorLength, minus, times, type Point3 } from '#core';
import type { SurfaceMesh } from '#plugins/tour';

/** A flat piece of a surface: connected triangles of one plane. */
export interface Facet {
  /** Unit vector with an arbitrary sign. */
  readonly normal: Point3;
  /** Square metres. */
  readonly area: number;
  /** Indices of its places. */
  readonly places: readonly number[];
}

/** The surface around the hit triangle, up to the next sharp edge. */
export interface FacetedSurface {
  readonly places: readonly Point3[];
  /** Breadth-first from the hit facet. */
  readonly facets: readonly Facet[];
  /** Places at which facets of different directions meet or a single facet ends. */
  readonly isCorner: readonly boolean[];
}

/** Vertices closer than this are one place, in metres. Exporters repeat vertices for each flat shaded facet. */
const weldMetres = 1e-4;
/** Cosine of 52 degrees: the sides of an octagon meet at 45, those of a hexagonal nut at 60. */
const minSmooth = Math.cos((52 * Math.PI) / 180);
/** Cosine of half a degree, and metres: triangles that differ by less are coplanar. */
const minCoplanar = Math.cos((0.5 * Math.PI) / 180);
const coplanarMetres = 0.00015;
const maxTriangles = 20_000;
/**
 * All places of a facet with at most this many are corners. A larger facet may have places on its edges, as where a
 * branch cuts it.
 */
const maxPlain = 4;

const nowhere: Point3 = [0, 0, 0];

interface Triangle {
  readonly places: readonly [number, number, number];
  readonly normal: Point3;
  readonly area: number;
}

/**
 * The facets of the surface around the hit triangle. Triangles are neighbours if they share a place and differ by at
 * most 52 degrees, whatever normals and winding the exporter wrote.
 */
export function toFacets({ corners, hit }: SurfaceMesh): FacetedSurface {
  const { places, triangles, first } = weld(corners, hit);
  const users = new Map<number, number[]>();
  for (const [k, { places: own }] of triangles.entries())
    for (const place of own) {
      const known = users.get(place);
      if (known) known.push(k);
      else users.set(place, [k]);
    }
  const facetByTriangle = new Map<number, number>();
  const facets: Facet[] = [];
  const waiting = first === undefined ? [] : [first];
  const reached = new Set(waiting);
  for (const seed of waiting) {
    if (facetByTriangle.has(seed)) continue;
    const members = findMembers(seed, triangles, users, facetByTriangle, places);
    for (const member of members) facetByTriangle.set(member, facets.length);
    facets.push(joined(members, triangles));
    for (const member of members)
      for (const place of triangles[member]?.places ?? [])
        for (const other of users.get(place) ?? []) {
          if (reached.has(other) || reached.size >= maxTriangles) continue;
          if (Math.abs(turn(triangles, member, other)) < minSmooth) continue;
          reached.add(other);
          waiting.push(other);
        }
  }
  const isCorner = places.map(
    (_, place) => new Set((users.get(place) ?? []).flatMap((user) => facetByTriangle.get(user) ?? [])).size > 1,
  );
  // At the rim of a half shell no other facet follows.
  for (const facet of facets)
    if (facet.places.length <= maxPlain) for (const place of facet.places) isCorner[place] = true;
  return { places, facets, isCorner };
}

function weld(
  corners: Float64Array,
  hit: number,
): { readonly places: readonly Point3[]; readonly triangles: readonly Triangle[]; readonly first: number | undefined } {
  const indices = new Map<string, number>();
  const places: Point3[] = [];
  const placeAt = (at: number): number => {
    const place: Point3 = [corners[at] ?? 0, corners[at + 1] ?? 0, corners[at + 2] ?? 0];
    const key = place.map((value) => Math.round(value / weldMetres)).join(' ');
    const known = indices.get(key);
    if (known !== undefined) return known;
    indices.set(key, places.length);
    return places.push(place) - 1;
  };
  const triangles: Triangle[] = [];
  let first: number | undefined;
  for (let k = 0; k < corners.length / 9; k += 1) {
    const own = [placeAt(k * 9), placeAt(k * 9 + 3), placeAt(k * 9 + 6)] as const;
    const [a, b, c] = own.map((place) => places[place] ?? nowhere) as [Point3, Point3, Point3];
    const normal = crossProduct(minus(b, a), minus(c, a));
    const double = vectorLength(normal);
    if (double < 1e-12) continue;
    if (k === hit) first = triangles.length;
    triangles.push({ places: own, normal: times(normal, 1 / double), area: double / 2 });
  }
  return { places, triangles, first };
}

const turn = (triangles: readonly Triangle[], one: number, other: number): number => {
  const [a, b] = [triangles[one], triangles[other]];
  return a && b ? dotProduct(a.normal, b.normal) : 0;
};

/**
 * Collects the triangles in the plane of the first. Comparing with the first one, not with the previous one, keeps a
 * fine cylinder from becoming one facet.
 */
function findMembers(
  seed: number,
  triangles: readonly Triangle[],
  users: ReadonlyMap<number, readonly number[]>,
  taken: ReadonlyMap<number, number>,
  places: readonly Point3[],
): readonly number[] {
  const start = triangles[seed];
  const origin = start && places[start.places[0]];
  if (!start || !origin) return [];
  const isInPlane = (place: number): boolean =>
    Math.abs(dotProduct(minus(places[place] ?? nowhere, origin), start.normal)) <= coplanarMetres;
  const members = [seed];
  const seen = new Set(members);
  for (const member of members)
    for (const place of triangles[member]?.places ?? [])
      for (const other of users.get(place) ?? []) {
        if (seen.has(other) || taken.has(other)) continue;
        seen.add(other);
        if (Math.abs(turn(triangles, seed, other)) >= minCoplanar && triangles[other]?.places.every(isInPlane))
          members.push(other);
      }
  return members;
}

function joined(members: readonly number[], triangles: readonly Triangle[]): Facet {
  const own = members.flatMap((member) => triangles[member] ?? []);
  return {
    normal: own[0]?.normal ?? nowhere,
    area: own.reduce((sum, { area }) => sum + area, 0),
    places: [...new Set(own.flatMap(({ places }) => places))],
  };
}
