import { PlantRays } from '../../cli/demo/geometry/plant-rays.ts';
import { createMesh } from '../../cli/demo/geometry/plant-mesh.ts';
import { plant } from '../../cli/demo/plant/plant.ts';
import type { Line, Point } from '../../cli/demo/plant/types.ts';
import {
  add,
  addScaled,
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
import { isOnFreeRun } from './free-run.ts';

/**
 * A visible point of the plant that a click can hit, because all pixels within a click's maximum error show its
 * surface.
 */
export interface SeenPoint {
  readonly point: Point;
  /** Whether it is on a free pipe run, near an edge, where a click may hit the background, or elsewhere on a surface. */
  readonly place: 'pipe' | 'edge' | 'surface';
  readonly line: Line | undefined;
  /** The eye position of the click. */
  readonly eye: Point;
  /** Distance from the eye in metres. */
  readonly range: number;
  /** Unit normal of the surface, towards the eye. */
  readonly normal: Point;
}

/** Viewing conditions of the points. */
export interface ViewingConditions {
  /** Minimum and maximum distance of a point, metres. */
  readonly rangeMetres: readonly [number, number];
  /** Maximum angular error of a click in radians, for a range in metres. */
  readonly computeMaxMiss: (range: number) => number;
}

/** Minimum cosine of the angle between view direction and surface normal: the angle is at most 60 degrees. */
const minFacing = 0.5;
/**
 * All pixels within the first multiple of a click's error show one surface. A point is near an edge if another surface
 * is within the second multiple.
 */
const [sameWithin, edgeWithin] = [1.3, 5] as const;
const ringRays = 8;

/** Gratings have bars of 5 mm every 33 mm, so a click that is millimetres off hits another bar. */
const barPartIds = new Set(
  plant.parts.filter(({ kind }) => kind === 'grating' || kind === 'stair').map(({ id }) => id),
);
const gratings = plant.parts.filter((part) => part.kind === 'grating');
const lines = new Map(plant.lines.map((line) => [line.id, line]));

/** Visibility queries on the triangles of the demo plant. */
export class PlantVisibility {
  readonly rays = new PlantRays(createMesh(plant.parts).mesh);

  /** Finds the point that a ray hits; undefined if a person could not aim at it. */
  findVisible(eye: Point, ray: Point, { rangeMetres, computeMaxMiss }: ViewingConditions): SeenPoint | undefined {
    const hit = this.rays.findHit(eye, ray);
    if (
      !hit ||
      hit.distance < rangeMetres[0] ||
      hit.distance > rangeMetres[1] ||
      barPartIds.has(hit.id) ||
      isThroughBars(eye, hit.point)
    )
      return undefined;
    const normal = this.#findNormal(eye, ray, hit.id);
    if (!normal || -dot(normal, ray) < minFacing) return undefined;
    const angle = computeMaxMiss(hit.distance);
    if (!this.#isSameSurface(eye, ray, hit, angle * sameWithin)) return undefined;
    const line = lines.get(hit.id);
    const at =
      line && isOnFreeRun(line, hit.point)
        ? 'pipe'
        : this.#isSameSurface(eye, ray, hit, angle * edgeWithin)
          ? 'surface'
          : 'edge';
    return { point: hit.point, place: at, line: at === 'pipe' ? line : undefined, eye, range: hit.distance, normal };
  }

  /** Finds the same point from another eye position; undefined if it is not visible from there. */
  findFrom(eye: Point, { point }: SeenPoint, conditions: ViewingConditions): SeenPoint | undefined {
    const seenPoint = this.findVisible(eye, normalise(subtract(point, eye)), conditions);
    return seenPoint && length(subtract(seenPoint.point, point)) < 1e-4 ? seenPoint : undefined;
  }

  /**
   * Whether a scan from stations within `maxRangeMetres`, with points every `spacing` metres, contains a point. The
   * surface around the point must extend by the spacing in most directions, be visible from a station, and have nothing
   * in front of it.
   */
  isScanned(
    { point, normal, eye }: SeenPoint,
    { maxRangeMetres, spacing }: { readonly maxRangeMetres: number; readonly spacing: number },
  ): boolean {
    if (!this.#isSeenByStation(point, normal, maxRangeMetres)) return false;
    const { u, v } = createFrame(normal);
    const ownId = this.rays.findHit(eye, normalise(subtract(point, eye)))?.id;
    let sameCount = 0;
    for (let k = 0; k < ringRays; k += 1) {
      const radians = (k * 2 * Math.PI) / ringRays;
      const offset = subtract(
        add(point, add(scale(u, Math.cos(radians) * spacing), scale(v, Math.sin(radians) * spacing))),
        eye,
      );
      const hit = this.rays.findHit(eye, normalise(offset));
      const distanceBehind = (hit?.distance ?? Infinity) - length(offset);
      if (distanceBehind < -spacing) return false;
      if (
        hit?.id === ownId &&
        distanceBehind < spacing &&
        this.#isSeenByStation(hit?.point ?? point, normal, maxRangeMetres)
      )
        sameCount += 1;
    }
    return sameCount > ringRays / 2;
  }

  #isSeenByStation(point: Point, normal: Point, maxRangeMetres: number): boolean {
    return plant.nodes.some(({ position }) => {
      const offset = subtract(point, position);
      const distance = length(offset);
      if (distance > maxRangeMetres || -dot(offset, normal) / distance < minFacing) return false;
      const hit = this.rays.computeDistance(position, scale(offset, 1 / distance));
      return hit !== undefined && Math.abs(hit - distance) < 0.002;
    });
  }

  /** Whether the position has enough clearance for a person's head. */
  hasRoom(eye: Point): boolean {
    return Array.from({ length: ringRays }, (_, k) => toDirection((k * 360) / ringRays, 0)).every(
      (ray) => (this.rays.computeDistance(eye, ray) ?? Infinity) > 0.4,
    );
  }

  #isSameSurface(
    eye: Point,
    ray: Point,
    hit: { readonly id: string; readonly distance: number },
    angle: number,
  ): boolean {
    const { u, v } = createFrame(ray);
    // Maximum change of range within the angle for a surface at 70 degrees.
    const slack = hit.distance * angle * 2.75 + 0.002;
    for (let k = 0; k < ringRays; k += 1) {
      const radians = (k * 2 * Math.PI) / ringRays;
      const neighbour = this.rays.findHit(
        eye,
        normalise(add(ray, add(scale(u, Math.cos(radians) * angle), scale(v, Math.sin(radians) * angle)))),
      );
      if (!neighbour || neighbour.id !== hit.id || Math.abs(neighbour.distance - hit.distance) > slack) return false;
    }
    return true;
  }

  #findNormal(eye: Point, ray: Point, id: string): Point | undefined {
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
    const fraction = (z - eye[2]) / (point[2] - eye[2]);
    const [x, y] = [eye[0] + (point[0] - eye[0]) * fraction, eye[1] + (point[1] - eye[1]) * fraction];
    return fraction > 0 && fraction < 1 && x > min[0] && x < max[0] && y > min[1] && y < max[1];
  });
}

/** Chooses an eye position `metres` in front of a point, up to 40 degrees from its normal. */
export function chooseEyeBefore({ point, normal }: SeenPoint, metres: number, random: () => number): Point {
  const { u, v } = createFrame(normal);
  const [radians, off] = [random() * 2 * Math.PI, random() * 0.7];
  const ray = normalise(add(normal, add(scale(u, Math.cos(radians) * off), scale(v, Math.sin(radians) * off))));
  return addScaled(point, ray, metres);
}

/** Pan and tilt of the direction to a point. */
export const computePanTilt = (eye: Point, point: Point): { readonly pan: number; readonly tilt: number } =>
  computeBearing(eye, point);
