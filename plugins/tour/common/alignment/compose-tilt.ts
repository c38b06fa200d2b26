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
 * Computes the orientation of a camera, degrees. `formerTilt` is the tilt by which its picture is levelled now, and
 * `levelledOrientation` is the orientation of that levelled picture.
 */
export function composeTilt(levelledOrientation: Orientation, formerTilt: CameraTilt): Orientation {
  const [outer, inner] = [toAxes(levelledOrientation), toTiltAxes(formerTilt)];
  return fromAxes(inner.map((axis) => toSiteFrame(outer, axis)) as unknown as CameraAxes);
}

/** Moves a tie from its direction in the picture levelled by `from` to its direction in the picture levelled by `to`. */
export function moveTie<Tie extends Pick<TiePoint, 'pan' | 'tilt'>>(tie: Tie, from: CameraTilt, to: CameraTilt): Tie {
  const inCamera = toCameraFrame(toTiltAxes(from), toPictureDirection(tie));
  const { pan, tilt } = toPanTilt(toSiteFrame(toTiltAxes(to), inCamera));
  return { ...tie, pan: computeShortestTurn(0, pan), tilt };
}
