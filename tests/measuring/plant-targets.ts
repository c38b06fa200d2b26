import type { MeasurementKind } from '#plugins/annotate';
import { plant } from '../../cli/demo/plant/plant.ts';
import type { Point } from '../../cli/demo/plant/types.ts';
import { add, toDirection, dot, length, createRandom, subtract } from '../../cli/demo/plant/vector.ts';
import { EyeView, type Look, type PageSize, type Pixel } from './eye-view.ts';
import { isOnMarker, seenDiameter } from './free-run.ts';
import { eyeBefore, PlantEyes, towards, type SeenPoint, type Seeing } from './seen-points.ts';

export type TargetSurface = 'bubble' | 'cloud' | 'model';
export type TargetKind = Extract<MeasurementKind, 'DISTANCE' | 'ANGLE' | 'DIAMETER'>;

export interface TargetPoint {
  readonly point: Point;
  readonly at: SeenPoint['at'];
  readonly look: Look;
  /** A click within `miss` pixels of the point. */
  readonly clicks: readonly Pixel[];
}

/** A measurable feature of the plant and its true value. */
export interface Target {
  readonly surface: TargetSurface;
  readonly kind: TargetKind;
  /** Code of the node of the panorama; in other modules, a node near the view. */
  readonly node: string;
  readonly points: readonly TargetPoint[];
  /** Metres, or degrees. */
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
  /** Codes of the nodes from which targets are seen; default: all. */
  readonly nodes?: readonly string[];
  readonly repetitions?: number;
}

/** Maximum distance between click and target, in pixels. */
const miss = 3;
/** Vertical fields of view, degrees. Zooming in ends when a pixel covers at most `pixelOn` metres of the target. */
const fovs = { min: 15, max: 60 } as const;
const pixelOn: Readonly<Record<TargetSurface, number>> = { bubble: 0.001, cloud: 0.001, model: 0.00025 };
const reach: Readonly<Record<TargetSurface, readonly [number, number]>> = {
  bubble: [1, 8],
  cloud: [1, 5],
  model: [0.5, 8],
};
/** A model can be viewed from any distance. */
const nearModel = 0.8;
/** A cloud contains surfaces scanned from within this distance, metres, with this spacing of points. */
const scanned = { from: 6, apart: 0.024 } as const;
const raysForAnEye = 1200;
const computeFov = (surface: TargetSurface, range: number, { height }: PageSize): number => {
  const degrees = (2 * Math.atan((pixelOn[surface] * height) / 2 / range) * 180) / Math.PI;
  return Math.min(fovs.max, Math.max(fovs.min, degrees));
};

/** Random targets among all visible pipes, edges and surfaces; deterministic for a seed. */
export function drawTargets({ seed, size, counts, nodes, repetitions = 3 }: TargetOptions): readonly Target[] {
  const eyes = new PlantEyes();
  const codes = nodes ?? plant.nodes.map(({ code }) => code);
  return (['bubble', 'cloud', 'model'] as const).flatMap((surface, index) => {
    const random = createRandom(seed * 31 + index);
    const missed = (range: number): number =>
      (miss * 2 * Math.tan((computeFov(surface, range, size) * Math.PI) / 360)) / size.height;
    const seeing: Seeing = { reach: reach[surface], miss: missed };
    const kinds = Object.entries(counts[surface]).flatMap(([kind, count]) =>
      Array.from({ length: count }, () => kind as TargetKind),
    );
    const places = new Map<string, readonly SeenPoint[]>();
    const found: Target[] = [];
    for (let at = 0, tries = 0; at < kinds.length; tries += 1) {
      if (tries > kinds.length * 100)
        throw new Error(`Of ${kinds.length} targets in the ${surface} only ${at} were found from ${codes.join(', ')}.`);
      const node = codes[Math.floor(random() * codes.length)] ?? '';
      const seen = places.get(node) ?? pointsFrom(eyes, node, surface, seeing, random);
      places.set(node, seen);
      const chosen = choose(kinds[at] ?? 'DISTANCE', seen, random);
      // A barely visible pipe would yield the same point repeatedly.
      if (
        chosen?.length === 1 &&
        found.some(
          ({ points: [first] }) => length(subtract(first?.point ?? [0, 0, 0], chosen[0]?.point ?? [0, 0, 0])) < 0.05,
        )
      )
        continue;
      const near = surface === 'model' ? chosen?.flatMap((point) => nearer(eyes, point, seeing, random) ?? []) : chosen;
      if (!chosen || near?.length !== chosen.length) continue;
      found.push({
        surface,
        kind: kinds[at] ?? 'DISTANCE',
        node,
        ...computeTruth(kinds[at] ?? 'DISTANCE', near),
        points: near.map((point) => aimed(point, surface, size, random, repetitions)),
      });
      at += 1;
    }
    return found;
  });
}

function pointsFrom(
  eyes: PlantEyes,
  code: string,
  surface: TargetSurface,
  seeing: Seeing,
  random: () => number,
): readonly SeenPoint[] {
  const station = plant.nodes.find((node) => node.code === code)?.position;
  if (!station) throw new Error(`The demo plant has no node ${code}.`);
  let eye = station;
  // Clouds are viewed from places without a scanner.
  for (let k = 0; k < 50 && surface === 'cloud' && eye === station; k += 1) {
    const beside = add(station, [random() * 2 - 1, random() * 2 - 1, random() * 0.4 - 0.2]);
    if (eyes.hasRoom(beside)) eye = beside;
  }
  return Array.from({ length: raysForAnEye }, () =>
    eyes.seen(eye, toDirection(random() * 360, random() * 110 - 60), seeing),
  ).flatMap((point) =>
    point && (surface !== 'cloud' || eyes.isScanned(point, scanned)) && (surface !== 'model' || !onMarker(point))
      ? [point]
      : [],
  );
}

const onMarker = ({ line, point }: SeenPoint): boolean => line !== undefined && isOnMarker(line, point);

function nearer(eyes: PlantEyes, point: SeenPoint, seeing: Seeing, random: () => number): SeenPoint | undefined {
  for (let k = 0; k < 12; k += 1) {
    const found = eyes.from(eyeBefore(point, nearModel, random), point, seeing);
    if (found) return found;
  }
  return undefined;
}

function choose(kind: TargetKind, seen: readonly SeenPoint[], random: () => number): readonly SeenPoint[] | undefined {
  const any = <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)];
  if (kind === 'DIAMETER') {
    // Chooses each pipe with the same probability, whatever its size in the view.
    const line = any([...new Set(seen.flatMap((point) => point.line ?? []))]);
    const point = line && any(seen.filter((each) => each.line === line));
    return point && [point];
  }
  const drawn = (): SeenPoint | undefined => {
    const place = any(['pipe', 'edge', 'surface'] as const);
    return any(seen.filter(({ at }) => at === place));
  };
  const [first, second, third] = [drawn(), drawn(), drawn()];
  if (!first || !second || !third) return undefined;
  const between = (a: SeenPoint, b: SeenPoint): number => length(subtract(a.point, b.point));
  if (kind === 'DISTANCE')
    return between(first, second) > 0.3 && between(first, second) < 8 ? [first, second] : undefined;
  const angle = computeAngle(first.point, second.point, third.point);
  return [between(first, second), between(second, third)].every((arm) => arm > 1 && arm < 6) &&
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
      truth: seenDiameter(first.line),
      nps: first.line.insulation === 0 ? first.line.nps : undefined,
      line: first.line.number,
    };
  const plain = { nps: undefined, line: undefined };
  if (first && second && third && kind === 'ANGLE')
    return { truth: computeAngle(first.point, second.point, third.point), ...plain };
  if (first && second) return { truth: length(subtract(first.point, second.point)), ...plain };
  throw new Error(`Too few points for a ${kind}.`);
}

/** Angle at the second point, degrees. */
function computeAngle(one: Point, vertex: Point, other: Point): number {
  const [a, b] = [subtract(one, vertex), subtract(other, vertex)];
  return (Math.acos(Math.min(1, Math.max(-1, dot(a, b) / length(a) / length(b)))) * 180) / Math.PI;
}

/** A click near a point that is in the middle of the image. */
function aimed(
  { point, at, eye, range }: SeenPoint,
  surface: TargetSurface,
  size: PageSize,
  random: () => number,
  repetitions: number,
): TargetPoint {
  const fov = computeFov(surface, range, size);
  const { pan, tilt } = towards(eye, point);
  const look: Look = {
    eye,
    pan: pan + (random() - 0.5) * fov * 0.5,
    tilt: Math.min(85, Math.max(-85, tilt + (random() - 0.5) * fov * 0.5)),
    fov,
  };
  const pixel = new EyeView(look, size).toPixel(point);
  const clicks: Pixel[] = [];
  while (clicks.length < repetitions) {
    const click = {
      x: Math.round(pixel.x + (random() * 2 - 1) * miss),
      y: Math.round(pixel.y + (random() * 2 - 1) * miss),
    };
    if (Math.hypot(click.x - pixel.x, click.y - pixel.y) <= miss) clicks.push(click);
  }
  return { point, at, look, clicks };
}
