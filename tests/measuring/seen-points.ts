import { PlantRays } from '../../cli/demo/geometry/plant-rays.ts';
import { createMesh } from '../../cli/demo/geometry/plant-mesh.ts';
import { plant } from '../../cli/demo/plant/plant.ts';
import type { Line, Point } from '../../cli/demo/plant/types.ts';
import {
  add,
  along,
  computeBearing,
  cross,
  toDirection,
  dot,
  createFrame,
  length,
  normalise,
  scale,
  subtract,
} from '../../cli/demo/plant/vector.ts';
import { onFreeRun } from './free-run.ts';

/**
 * A visible point of the plant that a click can hit: all pixels within a click's maximum error show the same surface.
 */
export interface SeenPoint {
  readonly point: Point;
  /** On a free pipe run; near an edge, where a click may hit the background; or elsewhere on a surface. */
  readonly at: 'pipe' | 'edge' | 'surface';
  readonly line: Line | undefined;
  /** The eye position of the click. */
  readonly eye: Point;
  /** Distance from the eye in metres. */
  readonly range: number;
  /** Unit normal of the surface, towards the eye. */
  readonly normal: Point;
}

/** Viewing conditions of the points. */
export interface Seeing {
  /** Minimum and maximum distance of a point, metres. */
  readonly reach: readonly [number, number];
  /** Maximum angular error of a click in radians, for a range in metres. */
  readonly miss: (range: number) => number;
}

/** Minimum cosine between view direction and surface normal: 60 degrees. */
const minFacing = 0.5;
/**
 * Multiples of a click's error: within the first all pixels show one surface; within the second there is an edge or
 * none.
 */
const [sameWithin, edgeWithin] = [1.3, 5] as const;
const ring = 8;

/** Gratings have bars of 5 mm every 33 mm, so a click that is millimetres off hits another bar. */
const bars = new Set(plant.parts.filter(({ kind }) => kind === 'grating' || kind === 'stair').map(({ id }) => id));
const gratings = plant.parts.filter((part) => part.kind === 'grating');
const lines = new Map(plant.lines.map((line) => [line.id, line]));

/** Visibility queries on the triangles of the demo plant. */
export class PlantEyes {
  readonly rays = new PlantRays(createMesh(plant.parts).mesh);

  /** The point that a ray hits, or undefined if a person could not aim at it. */
  seen(eye: Point, ray: Point, { reach, miss }: Seeing): SeenPoint | undefined {
    const hit = this.rays.findHit(eye, ray);
    if (!hit || hit.distance < reach[0] || hit.distance > reach[1] || bars.has(hit.id) || isThroughBars(eye, hit.point))
      return undefined;
    const normal = this.#normal(eye, ray, hit.id);
    if (!normal || -dot(normal, ray) < minFacing) return undefined;
    const angle = miss(hit.distance);
    if (!this.#goesOn(eye, ray, hit, angle * sameWithin)) return undefined;
    const line = lines.get(hit.id);
    const at =
      line && onFreeRun(line, hit.point)
        ? 'pipe'
        : this.#goesOn(eye, ray, hit, angle * edgeWithin)
          ? 'surface'
          : 'edge';
    return { point: hit.point, at, line: at === 'pipe' ? line : undefined, eye, range: hit.distance, normal };
  }

  /** The same point seen from another eye position. */
  from(eye: Point, { point }: SeenPoint, seeing: Seeing): SeenPoint | undefined {
    const found = this.seen(eye, normalise(subtract(point, eye)), seeing);
    return found && length(subtract(found.point, point)) < 1e-4 ? found : undefined;
  }

  /**
   * Whether a scan from within `from` metres with points `apart` metres apart contains it: its surface extends that far
   * in most directions, a station sees each of them, and nothing is in front of it.
   */
  isScanned(
    { point, normal, eye }: SeenPoint,
    { from, apart }: { readonly from: number; readonly apart: number },
  ): boolean {
    if (!this.#inSightOfStation(point, normal, from)) return false;
    const { u, v } = createFrame(normal);
    const own = this.rays.findHit(eye, normalise(subtract(point, eye)))?.id;
    let same = 0;
    for (let k = 0; k < ring; k += 1) {
      const turn = (k * 2 * Math.PI) / ring;
      const offset = subtract(add(point, add(scale(u, Math.cos(turn) * apart), scale(v, Math.sin(turn) * apart))), eye);
      const hit = this.rays.findHit(eye, normalise(offset));
      const behind = (hit?.distance ?? Infinity) - length(offset);
      if (behind < -apart) return false;
      if (hit?.id === own && behind < apart && this.#inSightOfStation(hit?.point ?? point, normal, from)) same += 1;
    }
    return same > ring / 2;
  }

  #inSightOfStation(point: Point, normal: Point, from: number): boolean {
    return plant.nodes.some(({ position }) => {
      const offset = subtract(point, position);
      const away = length(offset);
      if (away > from || -dot(offset, normal) / away < minFacing) return false;
      const hit = this.rays.computeDistance(position, scale(offset, 1 / away));
      return hit !== undefined && Math.abs(hit - away) < 0.002;
    });
  }

  /** Whether the position has enough clearance for a person's head. */
  hasRoom(eye: Point): boolean {
    return Array.from({ length: ring }, (_, k) => toDirection((k * 360) / ring, 0)).every(
      (ray) => (this.rays.computeDistance(eye, ray) ?? Infinity) > 0.4,
    );
  }

  #goesOn(eye: Point, ray: Point, hit: { readonly id: string; readonly distance: number }, angle: number): boolean {
    const { u, v } = createFrame(ray);
    // Maximum change of range within the angle for a surface at 70 degrees.
    const slack = hit.distance * angle * 2.75 + 0.002;
    for (let k = 0; k < ring; k += 1) {
      const turn = (k * 2 * Math.PI) / ring;
      const beside = this.rays.findHit(
        eye,
        normalise(add(ray, add(scale(u, Math.cos(turn) * angle), scale(v, Math.sin(turn) * angle)))),
      );
      if (!beside || beside.id !== hit.id || Math.abs(beside.distance - hit.distance) > slack) return false;
    }
    return true;
  }

  #normal(eye: Point, ray: Point, id: string): Point | undefined {
    const { u, v } = createFrame(ray);
    const corners = [
      [0, 1],
      [-1, -1],
      [1, -1],
    ].map(([x = 0, y = 0]) => this.rays.findHit(eye, normalise(add(ray, add(scale(u, x * 2e-4), scale(v, y * 2e-4))))));
    const [a, b, c] = corners;
    if (!a || !b || !c || corners.some((corner) => corner?.id !== id)) return undefined;
    const normal = normalise(cross(subtract(b.point, a.point), subtract(c.point, a.point)));
    return dot(normal, ray) > 0 ? scale(normal, -1) : normal;
  }
}

/** Whether the ray passes between the bars of a grating. */
function isThroughBars(eye: Point, point: Point): boolean {
  return gratings.some(({ min, max, z }) => {
    const share = (z - eye[2]) / (point[2] - eye[2]);
    const [x, y] = [eye[0] + (point[0] - eye[0]) * share, eye[1] + (point[1] - eye[1]) * share];
    return share > 0 && share < 1 && x > min[0] && x < max[0] && y > min[1] && y < max[1];
  });
}

/** An eye position `metres` in front of a point, up to 40 degrees off its normal. */
export function eyeBefore({ point, normal }: SeenPoint, metres: number, random: () => number): Point {
  const { u, v } = createFrame(normal);
  const [turn, off] = [random() * 2 * Math.PI, random() * 0.7];
  const ray = normalise(add(normal, add(scale(u, Math.cos(turn) * off), scale(v, Math.sin(turn) * off))));
  return along(point, ray, metres);
}

/** Pan and tilt of the direction to a point. */
export const towards = (eye: Point, point: Point): { readonly pan: number; readonly tilt: number } =>
  computeBearing(eye, point);
