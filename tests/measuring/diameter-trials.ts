import path from 'node:path';
import sharp from 'sharp';
import { PlantRays } from '../../cli/demo/geometry/plant-rays.ts';
import { createMesh } from '../../cli/demo/geometry/plant-mesh.ts';
import { plant } from '../../cli/demo/plant/plant.ts';
import { createRandom } from '../../cli/demo/plant/vector.ts';
import { projectRoot } from '../../cli/project-root.ts';
import { createGaussianNoise } from '../../plugins/annotate/testing/common/gaussian.ts';
import { measureDiameter, type DiameterResult } from '../../plugins/annotate/common/geometry/diameter.ts';
import { growPatch } from '../../plugins/tour/web/viewer/range/grow-patch.ts';
import {
  computeRangeDirection,
  createRangeImage,
  computeRangePoint,
  type RangeImage,
} from '../../plugins/tour/web/viewer/range/range-image.ts';
import { isOnFreeRun, computeVisibleDiameter } from './free-run.ts';

/** One click on a pipe in a range image of the demo plant, with noise. */
export interface DiameterTrial {
  readonly node: string;
  readonly line: string;
  readonly nps: string;
  /** Diameter including insulation, in metres. */
  readonly truth: number;
  readonly bare: boolean;
  /** Distance from the station in metres. */
  readonly range: number;
  /** Number of cylinder fits until the patch was large enough for the pipe. */
  readonly fitCount: number;
  /** Total over all fits. */
  readonly millisecondsGrowing: number;
  readonly millisecondsFitting: number;
  readonly result: DiameterResult;
}

/**
 * Loads a node's range image and adds normal noise (one sigma in metres). Ranges are whole millimetres as in a
 * scanner's file.
 */
export async function loadNoisyRangeImage(code: string, sigma: number, seed: number): Promise<RangeImage> {
  const node = plant.nodes.find((candidate) => candidate.code === code);
  if (!node) throw new Error(`The demo plant has no node ${code}.`);
  const { data, info } = await sharp(path.join(projectRoot, 'cli/demo/rendered/range', `${code}.webp`))
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const noise = createGaussianNoise(createRandom(seed));
  const ranges = new Uint16Array(info.width * info.height);
  for (let i = 0; i < ranges.length; i += 1) {
    const exactMillimetres = (data[i * 3] ?? 0) * 256 + (data[i * 3 + 1] ?? 0);
    ranges[i] = exactMillimetres === 0 ? 0 : Math.max(1, Math.round(exactMillimetres + noise() * sigma * 1000));
  }
  return createRangeImage(ranges, {
    width: info.width,
    height: info.height,
    position: node.position,
    heading: node.heading,
  });
}

/** Clicks on random points of straight, unobstructed pipe runs within `rangeMetres`. Deterministic for a seed. */
export async function runDiameterTrials(
  nodes: readonly string[],
  {
    sigma,
    perNode,
    rangeMetres = [1, 8],
    seed = 1,
  }: {
    readonly sigma: number;
    readonly perNode: number;
    readonly rangeMetres?: readonly [number, number];
    readonly seed?: number;
  },
): Promise<readonly DiameterTrial[]> {
  const rays = new PlantRays(createMesh(plant.parts).mesh);
  const lines = new Map(plant.lines.map((line) => [line.id, line]));
  const trials: DiameterTrial[] = [];
  for (const [index, node] of nodes.entries()) {
    const image = await loadNoisyRangeImage(node, sigma, seed * 1000 + index);
    const random = createRandom(seed * 77 + index);
    let trialCount = 0;
    for (let attempt = 0; attempt < 40_000 && trialCount < perNode; attempt += 1) {
      const column = Math.floor(random() * image.width);
      const row = Math.floor(image.height * (0.08 + 0.84 * random()));
      const hit = rays.findHit(image.position, computeRangeDirection(image, column, row));
      const line = hit && lines.get(hit.id);
      if (
        !hit ||
        !line ||
        hit.distance < rangeMetres[0] ||
        hit.distance > rangeMetres[1] ||
        !isOnFreeRun(line, hit.point)
      )
        continue;
      const pick = computeRangePoint(image, column, row);
      if (!pick) continue;
      trialCount += 1;
      const startedAt = performance.now();
      let growingMs = 0;
      let fits = 0;
      const result = await measureDiameter(
        pick,
        (radius) => {
          const start = performance.now();
          const points = growPatch(image, { column, row }, { radius });
          growingMs += performance.now() - start;
          fits += 1;
          return Promise.resolve(points);
        },
        { sigma, eye: image.position },
      );
      const total = performance.now() - startedAt;
      trials.push({
        node,
        line: line.number,
        nps: line.nps,
        truth: computeVisibleDiameter(line),
        bare: line.insulation === 0,
        range: hit.distance,
        fitCount: fits,
        millisecondsGrowing: growingMs,
        millisecondsFitting: total - growingMs,
        result,
      });
    }
  }
  return trials;
}

/** Summarizes trials. Lengths are in millimetres. */
export function summarize(trials: readonly DiameterTrial[]) {
  const acceptedTrials = trials.flatMap((trial) =>
    trial.result.diameter ? [{ ...trial, diameter: trial.result.diameter }] : [],
  );
  const errors = acceptedTrials
    .map(({ diameter, truth }) => Math.abs(diameter.value - truth) * 1000)
    .toSorted((a, b) => a - b);
  const getPercentile = (fraction: number): number =>
    errors[Math.min(errors.length - 1, Math.floor(fraction * errors.length))] ?? Number.NaN;
  const barePipes = acceptedTrials.filter((trial) => trial.bare);
  const fits = trials.reduce((sum, trial) => sum + trial.fitCount, 0);
  const clicks = trials.map((trial) => trial.millisecondsFitting + trial.millisecondsGrowing).toSorted((a, b) => a - b);
  return {
    trials: trials.length,
    accepted: acceptedTrials.length / trials.length,
    median: getPercentile(0.5),
    p90: getPercentile(0.9),
    p99: getPercentile(0.99),
    worst: errors.at(-1) ?? Number.NaN,
    rightSize: barePipes.filter(({ diameter, nps }) => diameter.nominal?.nps === nps).length / barePipes.length,
    withinTwoSigma:
      acceptedTrials.filter(({ diameter, truth }) => Math.abs(diameter.value - truth) <= 2 * diameter.sigma).length /
      acceptedTrials.length,
    fitsPerClick: fits / trials.length,
    millisecondsPerFit: trials.reduce((sum, trial) => sum + trial.millisecondsFitting, 0) / fits,
    millisecondsPerPatch: trials.reduce((sum, trial) => sum + trial.millisecondsGrowing, 0) / fits,
    millisecondsPerClick: {
      median: clicks[clicks.length >> 1] ?? Number.NaN,
      p95: clicks[Math.floor(clicks.length * 0.95)] ?? Number.NaN,
    },
  };
}
