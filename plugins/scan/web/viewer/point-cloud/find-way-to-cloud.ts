import { dotProduct, minus, toPanTilt, type Point3 } from '#core';
import type { PointCloud } from '../../../contract/api/cloud.ts';
import { distanceToBox, isBoxVisible, type Box, type CloudCamera } from '../cloud/cloud-camera.ts';

/** Maximum distance from the eye at which a point cloud shows the surroundings of the eye. */
export const maxDistanceMetres = 5;

const compassPoints = ['N', 'NE', 'E', 'SE', 'S', 'SW', 'W', 'NW'] as const;

/** The way to the nearest point cloud if no points of the shown one are in view. */
export interface WayToCloud {
  readonly cloud: PointCloud;
  /** Whole metres; 0 if the cloud is around the eye. */
  readonly metres: number;
  readonly direction: (typeof compassPoints)[number] | 'UP' | 'DOWN';
}

/** Finds the point cloud that contains the eye, or else the nearest one. The newest of equally near ones wins. */
export function findNearestCloud(clouds: readonly PointCloud[], eye: Point3): PointCloud | undefined {
  const computeDistance = ({ extent }: PointCloud): number => (extent ? distanceToBox(eye, extent) : Number.MAX_VALUE);
  return clouds.toSorted((a, b) => computeDistance(a) - computeDistance(b))[0];
}

/** Finds the way to the nearest point cloud. Undefined if the eye is at the shown point cloud or looks at it. */
export function findWayToCloud(
  clouds: readonly PointCloud[],
  shownCloud: PointCloud | undefined,
  camera: CloudCamera,
): WayToCloud | undefined {
  const eye = camera.position;
  if (!shownCloud?.extent || isBoxVisible(camera, shownCloud.extent)) return undefined;
  if (distanceToBox(eye, shownCloud.extent) <= maxDistanceMetres) return undefined;
  const cloud = findNearestCloud(clouds, eye);
  if (!cloud?.extent) return undefined;
  const offset = minus(findNearestPoint(cloud.extent, eye), eye);
  return {
    cloud,
    metres: Math.round(Math.sqrt(dotProduct(offset, offset))),
    direction: findDirection(offset),
  };
}

/** Finds the point of a box that is nearest to an eye. */
export const findNearestPoint = ({ minimum, maximum }: Box, eye: Point3): Point3 => {
  const clamp = (axis: 0 | 1 | 2): number => Math.min(maximum[axis], Math.max(minimum[axis], eye[axis]));
  return [clamp(0), clamp(1), clamp(2)];
};

function findDirection(offset: Point3): WayToCloud['direction'] {
  const { pan, tilt } = toPanTilt(offset);
  if (Math.abs(tilt) > 45) return tilt > 0 ? 'UP' : 'DOWN';
  return compassPoints[Math.round(pan / 45) % compassPoints.length] ?? 'N';
}
