import { PlantRays } from '../../cli/demo/geometry/plant-rays.ts';
import { createMesh } from '../../cli/demo/geometry/plant-mesh.ts';
import { plant } from '../../cli/demo/plant/plant.ts';
import type { Line, Point } from '../../cli/demo/plant/types.ts';
import {
  add,
  along,
  bearing,
  cross,
  direction,
  dot,
  frame,
  length,
  normalise,
  scale,
  subtract,
} from '../../cli/demo/plant/vector.ts';
import { onFreeRun } from './free-run.ts';

/** A point of the plant that can be seen and hit: for as far as a click may miss it, it is the same thing's surface. */
export interface SeenPoint {
  readonly point: Point;
  /** On a free run of a pipe; near an edge, where a click may meet what lies behind; or elsewhere on a surface. */
  readonly at: 'pipe' | 'edge' | 'surface';
  readonly line: Line | undefined;
  /** From where it is clicked at. */
  readonly eye: Point;
  /** Metres from there. */
  readonly range: number;
  /** Unit vector out of the surface, towards the eye. */
  readonly normal: Point;
}

/** How the points are looked at. */
export interface Seeing {
  /** Metres that a point may be away. */
  readonly reach: readonly [number, number];
  /** Radians of a click's furthest miss, for a range in metres. */
  readonly miss: (range: number) => number;
}

/** A surface is looked at no more aslant than this: cosine of 60 degrees. */
const minFacing = 0.5;
/**
 * As multiples of a click's miss: within the first all is one surface, within the second there is an edge or there is
 * none.
 */
const [sameWithin, edgeWithin] = [1.3, 5] as const;
const ring = 8;

/**
 * Between bars of 5 mm at every 33 mm a click of some millimetres off is another bar, for the plant as for a scanner.
 */
const bars = new Set(plant.parts.filter(({ kind }) => kind === 'grating' || kind === 'stair').map(({ id }) => id));
const gratings = plant.parts.filter((part) => part.kind === 'grating');
const lines = new Map(plant.lines.map((line) => [line.id, line]));

/** What can be seen of the demo plant's triangles. */
export class PlantEyes {
  readonly rays = new PlantRays(createMesh(plant.parts).mesh);

  /** The point that a ray meets, or undefined where it meets none that a person could aim at. */
  seen(eye: Point, ray: Point, { reach, miss }: Seeing): SeenPoint | undefined {
    const hit = this.rays.hit(eye, ray);
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

  /** The same point from another eye. */
  from(eye: Point, { point }: SeenPoint, seeing: Seeing): SeenPoint | undefined {
    const found = this.seen(eye, normalise(subtract(point, eye)), seeing);
    return found && length(subtract(found.point, point)) < 1e-4 ? found : undefined;
  }

  /**
   * Whether a scan shows it that was taken from within `from` metres and has its points `apart` metres apart: the same
   * surface goes on as far in most directions, each of them in sight of a station, and nothing stands as near before
   * it.
   */
  isScanned(
    { point, normal, eye }: SeenPoint,
    { from, apart }: { readonly from: number; readonly apart: number },
  ): boolean {
    if (!this.#inSightOfStation(point, normal, from)) return false;
    const { u, v } = frame(normal);
    const own = this.rays.hit(eye, normalise(subtract(point, eye)))?.id;
    let same = 0;
    for (let k = 0; k < ring; k += 1) {
      const turn = (k * 2 * Math.PI) / ring;
      const way = subtract(add(point, add(scale(u, Math.cos(turn) * apart), scale(v, Math.sin(turn) * apart))), eye);
      const hit = this.rays.hit(eye, normalise(way));
      const behind = (hit?.distance ?? Infinity) - length(way);
      if (behind < -apart) return false;
      if (hit?.id === own && behind < apart && this.#inSightOfStation(hit?.point ?? point, normal, from)) same += 1;
    }
    return same > ring / 2;
  }

  #inSightOfStation(point: Point, normal: Point, from: number): boolean {
    return plant.nodes.some(({ position }) => {
      const way = subtract(point, position);
      const away = length(way);
      if (away > from || -dot(way, normal) / away < minFacing) return false;
      const hit = this.rays.distance(position, scale(way, 1 / away));
      return hit !== undefined && Math.abs(hit - away) < 0.002;
    });
  }

  /** Whether a person's head has room there. */
  hasRoom(eye: Point): boolean {
    return Array.from({ length: ring }, (_, k) => direction((k * 360) / ring, 0)).every(
      (way) => (this.rays.distance(eye, way) ?? Infinity) > 0.4,
    );
  }

  #goesOn(eye: Point, ray: Point, hit: { readonly id: string; readonly distance: number }, angle: number): boolean {
    const { u, v } = frame(ray);
    // What a surface at 70 degrees may go farther or nearer within the angle.
    const slack = hit.distance * angle * 2.75 + 0.002;
    for (let k = 0; k < ring; k += 1) {
      const turn = (k * 2 * Math.PI) / ring;
      const beside = this.rays.hit(
        eye,
        normalise(add(ray, add(scale(u, Math.cos(turn) * angle), scale(v, Math.sin(turn) * angle)))),
      );
      if (!beside || beside.id !== hit.id || Math.abs(beside.distance - hit.distance) > slack) return false;
    }
    return true;
  }

  #normal(eye: Point, ray: Point, id: string): Point | undefined {
    const { u, v } = frame(ray);
    const corners = [
      [0, 1],
      [-1, -1],
      [1, -1],
    ].map(([x = 0, y = 0]) => this.rays.hit(eye, normalise(add(ray, add(scale(u, x * 2e-4), scale(v, y * 2e-4))))));
    const [a, b, c] = corners;
    if (!a || !b || !c || corners.some((corner) => corner?.id !== id)) return undefined;
    const normal = normalise(cross(subtract(b.point, a.point), subtract(c.point, a.point)));
    return dot(normal, ray) > 0 ? scale(normal, -1) : normal;
  }
}

/** Whether one looks between the bars of a grating. */
function isThroughBars(eye: Point, point: Point): boolean {
  return gratings.some(({ min, max, z }) => {
    const share = (z - eye[2]) / (point[2] - eye[2]);
    const [x, y] = [eye[0] + (point[0] - eye[0]) * share, eye[1] + (point[1] - eye[1]) * share];
    return share > 0 && share < 1 && x > min[0] && x < max[0] && y > min[1] && y < max[1];
  });
}

/** An eye at `metres` before a point, up to 40 degrees off its normal. */
export function eyeBefore({ point, normal }: SeenPoint, metres: number, random: () => number): Point {
  const { u, v } = frame(normal);
  const [turn, off] = [random() * 2 * Math.PI, random() * 0.7];
  const way = normalise(add(normal, add(scale(u, Math.cos(turn) * off), scale(v, Math.sin(turn) * off))));
  return along(point, way, metres);
}

/** Pan and tilt towards a point. */
export const towards = (eye: Point, point: Point): { readonly pan: number; readonly tilt: number } =>
  bearing(eye, point);
