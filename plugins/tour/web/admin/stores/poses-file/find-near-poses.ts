import { distanceBetween, type Point3 } from '#core';
import type { ContentNode } from '../../../../contract/api/tour-content.ts';
import type { ReadPose } from './read-poses.ts';

/** Viewpoints closer than this are probably one, metres. Panoramas are taken at least a stride apart. */
export const nearMetres = 0.25;

/** A pose at the place of an existing viewpoint, or of an earlier pose of the file. */
export interface NearPose {
  readonly pose: ReadPose;
  readonly code: string;
  /** Undefined if the other viewpoint is in the file, too. */
  readonly node: ContentNode | undefined;
  readonly metres: number;
}

interface Neighbour {
  readonly code: string;
  readonly position: Point3;
  readonly node: ContentNode | undefined;
}

/** Finds the poses that are within `nearMetres` of an existing viewpoint or an earlier pose, with the nearest one. */
export function findNearPoses(poses: readonly ReadPose[], nodes: readonly ContentNode[]): readonly NearPose[] {
  const cells = new Map<string, Neighbour[]>();
  const toCell = (position: Point3): readonly [x: number, y: number] => [
    Math.floor(position[0] / nearMetres),
    Math.floor(position[1] / nearMetres),
  ];
  const add = (neighbour: Neighbour): void => {
    const key = toCell(neighbour.position).join();
    const cell = cells.get(key);
    if (cell) cell.push(neighbour);
    else cells.set(key, [neighbour]);
  };
  for (const node of nodes) add({ code: node.code, position: node.position, node });
  const nearPoses: NearPose[] = [];
  for (const pose of poses) {
    const [x, y] = toCell(pose.position);
    const [nearest] = [-1, 0, 1]
      .flatMap((dx) => [-1, 0, 1].flatMap((dy) => cells.get(`${x + dx},${y + dy}`) ?? []))
      .map(({ code, node, position }) => ({ pose, code, node, metres: distanceBetween(position, pose.position) }))
      .filter(({ metres }) => metres <= nearMetres)
      .toSorted((a, b) => a.metres - b.metres);
    if (nearest) nearPoses.push(nearest);
    add({ code: pose.code, position: pose.position, node: undefined });
  }
  return nearPoses;
}
