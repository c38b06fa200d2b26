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
 * Computes the orientation of a camera, degrees, from the orientation of its picture. `formerTilt` is the tilt of the
 * camera by which that picture was levelled.
 */
export function composeTilt(levelledOrientation: Orientation, formerTilt: CameraTilt): Orientation {
  const pictureAxes = toAxes(levelledOrientation);
  return fromAxes(toTiltAxes(formerTilt).map((axis) => toSiteFrame(pictureAxes, axis)) as unknown as CameraAxes);
}

/** Moves a tie from its direction in the picture levelled by `from` to its direction in the picture levelled by `to`. */
export function moveTie<Tie extends Pick<TiePoint, 'pan' | 'tilt'>>(tie: Tie, from: CameraTilt, to: CameraTilt): Tie {
  const inCamera = toCameraFrame(toTiltAxes(from), toPictureDirection(tie));
  const { pan, tilt } = toPanTilt(toSiteFrame(toTiltAxes(to), inCamera));
  return { ...tie, pan: computeShortestTurn(0, pan), tilt };
}
