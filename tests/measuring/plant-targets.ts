import type { MeasurementKind } from '#plugins/annotate';
import { plant } from '../../cli/demo/plant/plant.ts';
import type { Point } from '../../cli/demo/plant/types.ts';
import { add, toDirection, dot, length, createRandom, subtract } from '../../cli/demo/plant/vector.ts';
import { CameraView, type CameraPose, type PageSize, type Pixel } from './camera-view.ts';
import { isOnMarker, computeVisibleDiameter } from './free-run.ts';
import {
  chooseEyeBefore,
  PlantVisibility,
  computePanTilt,
  type SeenPoint,
  type ViewingConditions,
} from './seen-points.ts';

/** `bubble` is the scan station of a node. `panorama` is the picture of a node without ranges. */
export const targetSurfaces = ['bubble', 'cloud', 'model', 'panorama'] as const;
export type TargetSurface = (typeof targetSurfaces)[number];
export type TargetKind = Extract<MeasurementKind, 'DISTANCE' | 'ANGLE' | 'DIAMETER'>;

export interface TargetPoint {
  readonly point: Point;
  readonly place: SeenPoint['place'];
  readonly look: CameraPose;
  /** A click within `maxMissPx` of the point. */
  readonly clicks: readonly Pixel[];
}

/** A measurable feature of the plant and its true value. */
export interface Target {
  readonly surface: TargetSurface;
  readonly kind: TargetKind;
  /** Code of the node of the panorama; in other modules, a node near the view. */
  readonly node: string;
  readonly points: readonly TargetPoint[];
  /** The true value in metres or degrees. */
  readonly truth: number;
  /** Nominal size of a bare pipe. */
  readonly nps: string | undefined;
  readonly line: string | undefined;
}

export interface TargetOptions {
  readonly seed: number;
  readonly size: PageSize;
  /** Number of targets per kind and surface. */
  readonly counts: Readonly<Record<TargetSurface, Readonly<Record<TargetKind, number>>>>;
  /** Codes of the nodes from which targets are visible. All nodes by default. */
  readonly nodes?: readonly string[];
  readonly repetitions?: number;
}

/** Maximum distance between click and target, in pixels. */
const maxMissPx = 3;
/** Vertical fields of view. The view zooms in until a pixel covers at most `maxPixelMetres` of the target. */
const fovDegrees = { min: 15, max: 60 } as const;
const maxPixelMetres: Readonly<Record<TargetSurface, number>> = {
  bubble: 0.001,
  cloud: 0.001,
  model: 0.00025,
  panorama: 0.001,
};
const rangeBySurface: Readonly<Record<TargetSurface, readonly [number, number]>> = {
  bubble: [1, 8],
  cloud: [1, 5],
  model: [0.5, 8],
  panorama: [1, 5],
};
/** Targets in a model are viewed from this distance. */
const modelDistanceMetres = 0.8;
/** A cloud contains surfaces within this distance of a station in metres, with this spacing of points in metres. */
const scanCriteria = { maxRangeMetres: 6, spacing: 0.024 } as const;
const raysPerEye = 1200;
const computeFov = (surface: TargetSurface, range: number, { height }: PageSize): number => {
  const degrees = (2 * Math.atan((maxPixelMetres[surface] * height) / 2 / range) * 180) / Math.PI;
  return Math.min(fovDegrees.max, Math.max(fovDegrees.min, degrees));
};

/** Chooses random targets among all visible pipes, edges and surfaces. Deterministic for a seed. */
export function chooseTargets({ seed, size, counts, nodes, repetitions = 3 }: TargetOptions): readonly Target[] {
  const visibility = new PlantVisibility();
  const codes = nodes ?? plant.nodes.map(({ code }) => code);
  return targetSurfaces.flatMap((surface, index) => {
    const random = createRandom(seed * 31 + index);
    const computeMaxMiss = (range: number): number =>
      (maxMissPx * 2 * Math.tan((computeFov(surface, range, size) * Math.PI) / 360)) / size.height;
    const conditions: ViewingConditions = { rangeMetres: rangeBySurface[surface], computeMaxMiss };
    const kinds = Object.entries(counts[surface]).flatMap(([kind, count]) =>
      Array.from({ length: count }, () => kind as TargetKind),
    );
    const pointsByNode = new Map<string, readonly SeenPoint[]>();
    const targets: Target[] = [];
    for (let attempts = 0; targets.length < kinds.length; attempts += 1) {
      if (attempts > kinds.length * 100)
        throw new Error(
          `Of ${kinds.length} targets in the ${surface} only ${targets.length} were found from ${codes.join(', ')}.`,
        );
      const node = codes[Math.floor(random() * codes.length)] ?? '';
      const seenPoints = pointsByNode.get(node) ?? findPointsFrom(visibility, node, surface, conditions, random);
      pointsByNode.set(node, seenPoints);
      const kind = kinds[targets.length] ?? 'DISTANCE';
      const points = choosePoints(kind, seenPoints, random);
      // Otherwise the same point of a barely visible pipe would be chosen repeatedly.
      if (
        points?.length === 1 &&
        targets.some(
          ({ points: [first] }) => length(subtract(first?.point ?? [0, 0, 0], points[0]?.point ?? [0, 0, 0])) < 0.05,
        )
      )
        continue;
      const viewedPoints =
        surface === 'model'
          ? points?.flatMap((point) => findNearerView(visibility, point, conditions, random) ?? [])
          : points;
      if (!points || viewedPoints?.length !== points.length) continue;
      targets.push({
        surface,
        kind,
        node,
        ...computeTruth(kind, viewedPoints),
        points: viewedPoints.map((point) => aimAt(point, surface, size, random, repetitions)),
      });
    }
    return targets;
  });
}

function findPointsFrom(
  visibility: PlantVisibility,
  code: string,
  surface: TargetSurface,
  conditions: ViewingConditions,
  random: () => number,
): readonly SeenPoint[] {
  const station = plant.nodes.find((node) => node.code === code)?.position;
  if (!station) throw new Error(`The demo plant has no node ${code}.`);
  let eye = station;
  // Clouds are viewed from positions without a scanner.
  for (let k = 0; k < 50 && surface === 'cloud' && eye === station; k += 1) {
    const candidate = add(station, [random() * 2 - 1, random() * 2 - 1, random() * 0.4 - 0.2]);
    if (visibility.hasRoom(candidate)) eye = candidate;
  }
  return Array.from({ length: raysPerEye }, () =>
    visibility.findVisible(eye, toDirection(random() * 360, random() * 110 - 60), conditions),
  ).flatMap((point) =>
    point &&
    ((surface !== 'cloud' && surface !== 'panorama') || visibility.isScanned(point, scanCriteria)) &&
    (surface !== 'model' || !isPointOnMarker(point))
      ? [point]
      : [],
  );
}

const isPointOnMarker = ({ line, point }: SeenPoint): boolean => line !== undefined && isOnMarker(line, point);

function findNearerView(
  visibility: PlantVisibility,
  point: SeenPoint,
  conditions: ViewingConditions,
  random: () => number,
): SeenPoint | undefined {
  for (let k = 0; k < 12; k += 1) {
    const seenPoint = visibility.findFrom(chooseEyeBefore(point, modelDistanceMetres, random), point, conditions);
    if (seenPoint) return seenPoint;
  }
  return undefined;
}

function choosePoints(
  kind: TargetKind,
  seenPoints: readonly SeenPoint[],
  random: () => number,
): readonly SeenPoint[] | undefined {
  const pickRandom = <T>(items: readonly T[]): T | undefined => items[Math.floor(random() * items.length)];
  if (kind === 'DIAMETER') {
    // Each pipe has the same probability, whatever its size in the view.
    const line = pickRandom([...new Set(seenPoints.flatMap((point) => point.line ?? []))]);
    const point = line && pickRandom(seenPoints.filter((candidate) => candidate.line === line));
    return point && [point];
  }
  const pickPoint = (): SeenPoint | undefined => {
    const chosenPlace = pickRandom(['pipe', 'edge', 'surface'] as const);
    return pickRandom(seenPoints.filter(({ place }) => place === chosenPlace));
  };
  const [first, second, third] = [pickPoint(), pickPoint(), pickPoint()];
  if (!first || !second || !third) return undefined;
  const computeDistance = (a: SeenPoint, b: SeenPoint): number => length(subtract(a.point, b.point));
  if (kind === 'DISTANCE')
    return computeDistance(first, second) > 0.3 && computeDistance(first, second) < 8 ? [first, second] : undefined;
  const angle = computeAngle(first.point, second.point, third.point);
  return [computeDistance(first, second), computeDistance(second, third)].every((arm) => arm > 1 && arm < 6) &&
    angle > 15 &&
    angle < 165
    ? [first, second, third]
    : undefined;
}

function computeTruth(
  kind: TargetKind,
  [first, second, third]: readonly SeenPoint[],
): Pick<Target, 'truth' | 'nps' | 'line'> {
  if (kind === 'DIAMETER' && first?.line)
    return {
      truth: computeVisibleDiameter(first.line),
      nps: first.line.insulation === 0 ? first.line.nps : undefined,
      line: first.line.number,
    };
  const plain = { nps: undefined, line: undefined };
  if (first && second && third && kind === 'ANGLE')
    return { truth: computeAngle(first.point, second.point, third.point), ...plain };
  if (first && second) return { truth: length(subtract(first.point, second.point)), ...plain };
  throw new Error(`Too few points for a ${kind}.`);
}

/** The angle at the vertex in degrees. */
function computeAngle(firstPoint: Point, vertex: Point, secondPoint: Point): number {
  const [a, b] = [subtract(firstPoint, vertex), subtract(secondPoint, vertex)];
  return (Math.acos(Math.min(1, Math.max(-1, dot(a, b) / length(a) / length(b)))) * 180) / Math.PI;
}

/** Creates a view with a point near the middle of the image, and random clicks near the point. */
function aimAt(
  { point, place, eye, range }: SeenPoint,
  surface: TargetSurface,
  size: PageSize,
  random: () => number,
  repetitions: number,
): TargetPoint {
  const fov = computeFov(surface, range, size);
  const { pan, tilt } = computePanTilt(eye, point);
  const look: CameraPose = {
    eye,
    pan: pan + (random() - 0.5) * fov * 0.5,
    tilt: Math.min(85, Math.max(-85, tilt + (random() - 0.5) * fov * 0.5)),
    fov,
  };
  const pixel = new CameraView(look, size).toPixel(point);
  const clicks: Pixel[] = [];
  while (clicks.length < repetitions) {
    const click = {
      x: Math.round(pixel.x + (random() * 2 - 1) * maxMissPx),
      y: Math.round(pixel.y + (random() * 2 - 1) * maxMissPx),
    };
    if (Math.hypot(click.x - pixel.x, click.y - pixel.y) <= maxMissPx) clicks.push(click);
  }
  return { point, place, look, clicks };
}
