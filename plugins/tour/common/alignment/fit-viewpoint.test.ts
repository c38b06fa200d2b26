import { describe, expect, it } from 'vitest';
import { distanceBetween, minus, computeShortestTurn, toPanTilt, type Point3 } from '#core';
import { computeResiduals, fromAxes, toAxes, toCameraFrame, type CameraPose, type TiePoint } from './camera-pose.ts';
import { fitViewpoint, type FitMode } from './fit-viewpoint.ts';
import { solveHeading, solveOrientation } from './solve-orientation.ts';

const truth: CameraPose = { position: [6_000_012, 51, 21.7], heading: 286, pitch: 0, roll: 0 };
const offsets: readonly Point3[] = [
  [4, 1, 0.6],
  [-2, 5, 1.2],
  [-3, -4, -1.5],
  [1, -3, 2.4],
  [6, 4, 0.2],
];

function setup({ pose = truth, points = offsets }: { pose?: CameraPose; points?: readonly Point3[] } = {}) {
  const ties = points.map((offset): TiePoint => {
    const point = truth.position.map((value, axis) => value + offset[axis]!) as unknown as Point3;
    const { pan, tilt } = toPanTilt(toCameraFrame(toAxes(pose), minus(point, pose.position)));
    return { pan: computeShortestTurn(0, pan), tilt, point };
  });
  const [x, y, z] = truth.position;
  const start: CameraPose = { position: [x + 0.3, y - 0.3, z + 0.25], heading: 106, pitch: 0, roll: 0 };
  return { ties, start, fit: (mode: FitMode, fitTies = ties) => fitViewpoint(start, fitTies, mode) };
}

describe('the pose of a camera', () => {
  it('has horizontal right and forward axes without pitch and roll, and turns clockwise', () => {
    expect(
      toAxes({ heading: 90, pitch: 0, roll: 0 })
        .flat()
        .map((value) => Math.round(value) + 0),
    ).toEqual([0, -1, 0, 1, 0, 0, 0, 0, 1]);
  });

  it('raises the forward axis by the pitch, and lowers the right axis by the roll', () => {
    const [right, forward] = toAxes({ heading: 0, pitch: 10, roll: 5 });
    expect(forward[2]).toBeCloseTo(Math.sin(Math.PI / 18), 9);
    expect(right[2]).toBeLessThan(-0.08);
    const pose = { heading: 286, pitch: -4, roll: 7 };
    const back = fromAxes(toAxes(pose));
    for (const angle of ['heading', 'pitch', 'roll'] as const) expect(back[angle]).toBeCloseTo(pose[angle], 9);
  });
});

describe('the fit of a viewpoint', () => {
  it('finds the heading at a known position across north', () => {
    const { ties } = setup();
    expect(computeShortestTurn(solveHeading(truth.position, ties), truth.heading)).toBeCloseTo(0, 9);
    const northern = { ...truth, heading: 359.9 };
    expect(computeShortestTurn(solveHeading(truth.position, setup({ pose: northern }).ties), 359.9)).toBeCloseTo(0, 9);
  });

  it('finds pitch and roll at a known position', () => {
    const tiltedPose = { ...truth, pitch: 3, roll: -8 };
    const orientation = solveOrientation(truth.position, setup({ pose: tiltedPose }).ties.slice(0, 2));
    for (const angle of ['heading', 'pitch', 'roll'] as const)
      expect(orientation[angle]).toBeCloseTo(tiltedPose[angle], 6);
  });

  it('finds position and heading from a start half a turn and half a metre away', () => {
    const { fit } = setup();
    const poseFit = fit('pose').fit!;
    expect(distanceBetween(poseFit.pose.position, truth.position)).toBeLessThan(1e-5);
    expect(computeShortestTurn(poseFit.pose.heading, truth.heading)).toBeCloseTo(0, 5);
    expect(poseFit.residual).toBeLessThan(1e-5);
    expect(poseFit.positionSigma! * 1000).toBeLessThan(10);
    expect(poseFit.pose).toMatchObject({ pitch: expect.closeTo(0, 9), roll: expect.closeTo(0, 9) });
  });

  it('finds the pose of a tilted picture', () => {
    const tiltedPose = { ...truth, pitch: -5, roll: 4 };
    const poseFit = setup({ pose: tiltedPose }).fit('freePose').fit!;
    expect(distanceBetween(poseFit.pose.position, truth.position)).toBeLessThan(1e-5);
    expect(poseFit.pose.pitch).toBeCloseTo(-5, 5);
    expect(poseFit.pose.roll).toBeCloseTo(4, 5);
  });

  it('rejects a tie that contradicts the others, and shows its residual', () => {
    const { ties, fit } = setup();
    for (const wrongIndex of [0, 3]) {
      const fitTies = ties.slice(0, 4).map((tie, index) => (index === wrongIndex ? { ...tie, pan: tie.pan + 4 } : tie));
      const poseFit = fit('pose', fitTies).fit!;
      expect(poseFit.outliers).toEqual([0, 1, 2, 3].map((index) => index === wrongIndex));
      expect(poseFit.residuals[wrongIndex]).toBeGreaterThan(2);
      expect(poseFit.residual).toBeLessThan(1e-4);
      expect(distanceBetween(poseFit.pose.position, truth.position)).toBeLessThan(1e-4);
    }
  });

  it('rejects no tie for a pixel of noise', () => {
    const { ties, fit } = setup();
    const fitTies = ties.map((tie, index) => ({ ...tie, pan: tie.pan + [0.001, 0.002, -0.001, 0.05, 0.002][index]! }));
    expect(fit('pose', fitTies).fit!.outliers).not.toContain(true);
  });

  it('returns no uncertainty for a position without redundant ties', () => {
    const { ties, fit } = setup();
    expect(fit('freePose', ties.slice(0, 3)).fit!.positionSigma).toBeUndefined();
    expect(fit('pose', ties.slice(0, 3)).fit!.positionSigma).toBeGreaterThan(0);
  });

  it('reports why ties determine no pose', () => {
    const { ties, fit } = setup();
    expect(fit('pose', ties.slice(0, 2)).problem).toBe('fewTies');
    expect(fit('orientation', ties.slice(0, 1)).problem).toBe('fewTies');
    expect(fit('heading', []).problem).toBe('fewTies');
    expect(fit('pose', [ties[0]!, ties[0]!, ties[0]!]).problem).toBe('sameDirection');
    expect(fit('heading', [{ ...ties[0]!, tilt: 90 }]).problem).toBe('sameDirection');
    const inLine = setup({
      points: [
        [4, 0, 1],
        [4, 1, 1],
        [4, 3, 1],
        [4, -2, 1],
      ],
    }).ties;
    expect(fit('pose', inLine).problem).toBe('collinear');
    expect(fit('freePose', inLine).problem).toBe('collinear');
  });

  it('measures residuals as angles', () => {
    const { ties } = setup();
    expect(Math.max(...computeResiduals(truth, ties))).toBeLessThan(1e-6);
    expect(
      computeResiduals({ ...truth, heading: truth.heading + 1 }, [
        { ...ties[0]!, tilt: 0, point: [truth.position[0] + 4, truth.position[1] + 1, truth.position[2]] },
      ])[0],
    ).toBeCloseTo(1, 6);
  });
});
