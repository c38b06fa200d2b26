import { computeShortestTurn, toPanTilt } from '#core';
import {
  fromAxes,
  toAxes,
  toCameraFrame,
  toPictureDirection,
  toSiteFrame,
  type CameraAxes,
  type CameraPose,
  type TiePoint,
} from './camera-pose.ts';

type Orientation = Omit<CameraPose, 'position'>;
type CameraTilt = Pick<CameraPose, 'pitch' | 'roll'>;

const toTiltAxes = ({ pitch, roll }: CameraTilt): CameraAxes => toAxes({ heading: 0, pitch, roll });

/**
 * The orientation of the camera of a picture that is shown levelled by `former`, if that shown picture has the
 * orientation `shown`. Levelled by the result, the picture is level at its heading. Degrees.
 */
export function composeTilt(shown: Orientation, former: CameraTilt): Orientation {
  const [outer, inner] = [toAxes(shown), toTiltAxes(former)];
  return fromAxes(inner.map((axis) => toSiteFrame(outer, axis)) as unknown as CameraAxes);
}

/** Where a corner of the picture is after the picture is levelled by other angles. */
export function moveTie<Tie extends Pick<TiePoint, 'pan' | 'tilt'>>(tie: Tie, from: CameraTilt, to: CameraTilt): Tie {
  const inCamera = toCameraFrame(toTiltAxes(from), toPictureDirection(tie));
  const { pan, tilt } = toPanTilt(toSiteFrame(toTiltAxes(to), inCamera));
  return { ...tie, pan: computeShortestTurn(0, pan), tilt };
}
