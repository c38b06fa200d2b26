import { expect, it } from 'vitest';
import { minus, computeShortestTurn, toPanTilt, type Point3 } from '#core';
import { computeResiduals, toAxes, toCameraFrame, type CameraPose } from './camera-pose.ts';
import { composeTilt, moveTie } from './compose-tilt.ts';

it('corrects a picture that was levelled by wrong angles, and moves its ties', () => {
  const camera: CameraPose = { position: [1, 2, 3], heading: 70, pitch: 4, roll: -6 };
  const formerTilt = { pitch: -2, roll: 1.5 };
  const corners: readonly Point3[] = [
    [5, 3, 4],
    [-2, 6, 1],
    [0, -3, 2.5],
  ];
  const ties = corners.map((point) => {
    const { pan, tilt } = toPanTilt(toCameraFrame(toAxes(camera), minus(point, camera.position)));
    // The horizon in the picture that is levelled by the former angles.
    return moveTie({ pan: computeShortestTurn(0, pan), tilt, point }, { pitch: 0, roll: 0 }, formerTilt);
  });
  // Ties of the levelled picture give the orientation of the camera without the former levelling.
  const inverse = composeTilt({ heading: 0, pitch: 0, roll: 0 }, formerTilt);
  expect(inverse).toMatchObject({
    heading: expect.closeTo(0, 9),
    pitch: expect.closeTo(-2, 9),
    roll: expect.closeTo(1.5, 9),
  });
  const level = ties.map((tie) => moveTie(tie, formerTilt, camera));
  expect(Math.max(...computeResiduals({ ...camera, pitch: 0, roll: 0 }, level))).toBeLessThan(1e-6);
});
