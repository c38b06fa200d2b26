import { distanceBetween, minus, normalizePan, computeShortestTurn, toPanTilt, unitVector, type Point3 } from '#core';
import { createMesh } from '../../cli/demo/geometry/plant-mesh.ts';
import { PlantRays } from '../../cli/demo/geometry/plant-rays.ts';
import { plant } from '../../cli/demo/plant/plant.ts';
import { createRandom } from '../../cli/demo/plant/vector.ts';
import { createGaussianNoise } from '../../plugins/annotate/testing/common/gaussian.ts';
import {
  toAxes,
  toCameraFrame,
  type CameraPose,
  type TiePoint,
} from '../../plugins/tour/common/alignment/camera-pose.ts';
import { fitViewpoint, type FitMode } from '../../plugins/tour/common/alignment/fit-viewpoint.ts';

export interface AlignmentTrial {
  readonly node: string;
  /** Errors of the fitted pose. Infinite if it was refused. */
  readonly headingDegrees: number;
  readonly positionMm: number;
  /** The greater error of pitch and roll, degrees. 0 if the picture is known to be level. */
  readonly tiltDegrees: number;
  /** The stated standard deviation of the position, millimetres. */
  readonly sigmaMm: number;
  readonly rejectedCount: number;
}

export interface AlignmentOptions {
  readonly count: number;
  readonly seed: number;
  readonly mode: FitMode;
  readonly tiePointCount: number;
  /** Number of tie points that are off by 3 to 20 degrees. */
  readonly outliers?: number;
  /** The greatest pitch and roll of the camera, degrees. Default: level. */
  readonly tilt?: number;
}

const pictureWidth = 8192;
/** Distances at which a person would choose a corner. */
const distanceMetres = { min: 1.5, max: 12 } as const;
const maxTiltDegrees = 50;
const maxShiftMetres = 0.5;
/** Number of corners of the model that are tried for each viewpoint. */
const samplesPerNode = 4000;
const maxAttempts = 20;

interface Corner {
  readonly point: Point3;
  readonly pan: number;
}

/** The corners of the triangles of the model, and what hides them. */
export class PlantCorners {
  readonly #mesh = createMesh(plant.parts).mesh;
  readonly #rays = new PlantRays(this.#mesh);
  readonly #visible = new Map<string, readonly Corner[]>();

  /** Chooses visible corners in directions that are spread around a viewpoint. */
  choose(node: string, eye: Point3, count: number, random: () => number): readonly Point3[] {
    const visible = this.#visible.get(node) ?? this.#listVisible(eye, random);
    this.#visible.set(node, visible);
    let best: readonly Corner[] = [];
    for (let attempt = 0; attempt < maxAttempts && best.length < count; attempt += 1) {
      const chosenCorners: Corner[] = [];
      const first = Math.floor(random() * visible.length);
      for (const corner of [...visible.slice(first), ...visible.slice(0, first)]) {
        const isApart = chosenCorners.every(({ pan }) => Math.abs(computeShortestTurn(pan, corner.pan)) >= 200 / count);
        if (chosenCorners.length < count && isApart) chosenCorners.push(corner);
      }
      if (chosenCorners.length > best.length) best = chosenCorners;
    }
    if (best.length < count) throw new Error(`${node} sees no ${count} corners in different directions.`);
    return best.map(({ point }) => point);
  }

  #listVisible(eye: Point3, random: () => number): readonly Corner[] {
    const { positions } = this.#mesh;
    const visibleCorners: Corner[] = [];
    for (let attempt = 0; attempt < samplesPerNode; attempt += 1) {
      const vertex = Math.floor((random() * positions.length) / 3) * 3;
      const point: Point3 = [positions[vertex]!, positions[vertex + 1]!, positions[vertex + 2]!];
      const distance = distanceBetween(eye, point);
      if (distance < distanceMetres.min || distance > distanceMetres.max) continue;
      const { pan, tilt } = toPanTilt(minus(point, eye));
      if (Math.abs(tilt) > maxTiltDegrees) continue;
      const hit = this.#rays.computeDistance(eye, unitVector(minus(point, eye)));
      if (hit === undefined || hit > distance - 0.005) visibleCorners.push({ point, pan });
    }
    return visibleCorners;
  }
}

/** Aligns viewpoints of the demo plant, whose heading is off by up to 180 degrees and whose position by up to 0.5 m. */
export function runAlignmentTrials(corners: PlantCorners, options: AlignmentOptions): readonly AlignmentTrial[] {
  const random = createRandom(options.seed);
  const noise = createGaussianNoise(random);
  return Array.from({ length: options.count }, () => {
    const node = plant.nodes[Math.floor(random() * plant.nodes.length)]!;
    const { position, heading } = node;
    const [pitch, roll] = [random(), random()].map((fraction) => (options.tilt ?? 0) * (2 * fraction - 1)) as [
      number,
      number,
    ];
    const axes = toAxes({ heading, pitch, roll });
    const tiePoints = corners
      .choose(node.code, position, options.tiePointCount, random)
      .map((point, index): TiePoint => {
        const { pan, tilt } = toPanTilt(toCameraFrame(axes, minus(point, position)));
        const pixel = 360 / pictureWidth;
        const panError = index < (options.outliers ?? 0) ? (random() < 0.5 ? -1 : 1) * (3 + 17 * random()) : 0;
        return { pan: computeShortestTurn(0, pan) + noise() * pixel + panError, tilt: tilt + noise() * pixel, point };
      });
    const shift = unitVector([noise(), noise(), noise()]).map((value) => value * maxShiftMetres * random());
    const startPose: CameraPose = {
      position: [position[0] + shift[0]!, position[1] + shift[1]!, position[2] + shift[2]!],
      heading: normalizePan(heading + (random() - 0.5) * 360),
      pitch: 0,
      roll: 0,
    };
    const { fit } = fitViewpoint(startPose, tiePoints, options.mode);
    return {
      node: node.code,
      headingDegrees: fit ? Math.abs(computeShortestTurn(fit.pose.heading, heading)) : Infinity,
      tiltDegrees: fit ? Math.max(Math.abs(fit.pose.pitch - pitch), Math.abs(fit.pose.roll - roll)) : Infinity,
      positionMm: fit ? distanceBetween(fit.pose.position, position) * 1000 : Infinity,
      sigmaMm: (fit?.positionSigma ?? Infinity) * 1000,
      rejectedCount: fit?.outliers.filter(Boolean).length ?? 0,
    };
  });
}
