import { toPanTilt, type Point3 } from '#core';
import type { StoredPoint } from '#plugins/annotate';
import type { SurfacePick } from '#plugins/tour';
import { createMesh } from '../../cli/demo/geometry/plant-mesh.ts';
import { PlantRays } from '../../cli/demo/geometry/plant-rays.ts';
import { plant } from '../../cli/demo/plant/plant.ts';
import { scanPoints } from '../../cli/demo/scan/scan-points.ts';
import { computeResult } from '../../plugins/annotate/common/compute-result.ts';
import { toStoredPoint } from '../../plugins/annotate/web/viewer/to-stored-point.ts';
import { createCloudCamera } from '../../plugins/scan/web/viewer/cloud/cloud-camera.ts';
import type { CloudNode } from '../../plugins/scan/web/viewer/cloud/cloud-node.ts';
import { pickPoint } from '../../plugins/scan/web/viewer/cloud/pick-point.ts';
import { pickRange } from '../../plugins/tour/web/viewer/range/pick-range.ts';
import type { RangeImage } from '../../plugins/tour/web/viewer/range/range-image.ts';
import { loadNoisyRangeImage } from './diameter-trials.ts';
import { CameraView, type CameraPose, type PageSize, type Pixel } from './camera-view.ts';
import type { Target, TargetSurface } from './plant-targets.ts';

/** One click on a target. `stored` is the point as the product stores it; undefined if the click picked nothing. */
export interface ClickedPoint {
  readonly truth: Point3;
  readonly place: Target['points'][number]['place'];
  readonly stored: StoredPoint | undefined;
}

/** The points and the value of each repetition of a target. */
export interface ClickTrial {
  readonly target: Target;
  readonly points: readonly ClickedPoint[];
  /** Metres or degrees; undefined if a point was not found. */
  readonly value: number | undefined;
  readonly sigma: number | undefined;
}

export interface ClickTrialOptions {
  readonly targets: readonly Target[];
  readonly size: PageSize;
  /** One standard deviation of the scanners' ranges, in metres. */
  readonly noise: number;
  /** Share of cloud points that are outliers of up to half a metre. */
  readonly outliers: number;
  readonly seed: number;
}

type Picker = (look: CameraPose, pixel: Pixel) => Omit<SurfacePick, 'source'> | undefined;

/** Simulates clicks on targets of distances and angles with the product's picking code, without a browser. */
export async function runClickTrials({
  targets,
  size,
  noise,
  outliers,
  seed,
}: ClickTrialOptions): Promise<readonly ClickTrial[]> {
  // Panoramas without ranges need a browser.
  const selectedTargets = targets.filter(({ kind, surface }) => kind !== 'DIAMETER' && surface !== 'panorama');
  const hasTargets = (surface: TargetSurface): boolean => selectedTargets.some((target) => target.surface === surface);
  const images = new Map<string, RangeImage>();
  for (const { node, surface } of selectedTargets)
    if (surface === 'bubble' && !images.has(node)) images.set(node, await loadNoisyRangeImage(node, noise, seed * 100));
  const nodes = hasTargets('cloud') ? await buildCloudNodes({ noise, outliers, seed }) : [];
  const rays = hasTargets('model') ? new PlantRays(createMesh(plant.parts).mesh) : undefined;
  const pickers: Readonly<Record<TargetSurface, (target: Target) => Picker>> = {
    bubble: (target) => (look, pixel) => {
      const image = images.get(target.node);
      const { pan, tilt } = toPanTilt(new CameraView(look, size).computeRay(pixel));
      return image && pickRange(image, pan, tilt);
    },
    cloud:
      () =>
      (look, { x, y }) =>
        pickPoint(nodes, createCloudCamera({ ...look, position: look.eye }, size.width, size.height), x, y),
    panorama: () => () => undefined,
    model: () => (look, pixel) => {
      const hit = rays?.findHit(look.eye, new CameraView(look, size).computeRay(pixel));
      return hit && { point: hit.point, normal: undefined, sigma: 0.001, edge: false };
    },
  };
  return selectedTargets.flatMap((target) =>
    (target.points[0]?.clicks ?? []).map((_, repetition) =>
      runTrial(target, repetition, size, pickers[target.surface](target)),
    ),
  );
}

function runTrial(target: Target, repetition: number, size: PageSize, pick: Picker): ClickTrial {
  const points = target.points.map(({ point, place, look, clicks }): ClickedPoint => {
    const pixel = clicks[repetition];
    const surfacePick = pixel && pick(look, pixel);
    const view = new CameraView(look, size);
    const surface = { toPixel: (shown: Point3) => view.toPixel(shown) };
    return { truth: point, place, stored: surfacePick && toStoredPoint({ ...surfacePick, source: 'MODEL' }, surface) };
  });
  const storedPoints = points.flatMap((point) => point.stored ?? []);
  const result = storedPoints.length === points.length ? computeResult(target.kind, storedPoints) : undefined;
  return { target, points, value: result?.value ?? undefined, sigma: result?.sigma ?? undefined };
}

/** Builds nodes of one cubic metre from the points of the demo's cloud. */
async function buildCloudNodes(options: {
  readonly noise: number;
  readonly outliers: number;
  readonly seed: number;
}): Promise<readonly CloudNode[]> {
  const cubes = new Map<string, number[]>();
  for await (const { positions } of scanPoints(options))
    for (let k = 0; k < positions.length; k += 3) {
      const point = [positions[k] ?? 0, positions[k + 1] ?? 0, positions[k + 2] ?? 0] as const;
      const key = point.map(Math.floor).join(' ');
      const cubePoints = cubes.get(key);
      if (cubePoints) cubePoints.push(...point);
      else cubes.set(key, [...point]);
    }
  return [...cubes].map(([key, points]): CloudNode => {
    const [x = 0, y = 0, z = 0] = key.split(' ').map(Number);
    const numbers = Float32Array.from(points, (value, k) => value - ([x, y, z][k % 3] ?? 0));
    return {
      key,
      box: { minimum: [x, y, z], maximum: [x + 1, y + 1, z + 1] },
      cube: { minimum: [x, y, z], edge: 1 },
      count: points.length / 3,
      spacing: 0.01,
      source: undefined,
      children: [],
      tile: {
        count: points.length / 3,
        origin: [x, y, z],
        scale: 1,
        blocks: [{ bytes: new Uint8Array(numbers.buffer), stride: 12 }],
        position: { block: 0, offset: 0, type: 'FLOAT32' },
        color: undefined,
        intensity: undefined,
      },
      requestedAt: 0,
    };
  });
}
