import { toRadians } from '#core';
import type { ContentNode } from '../../../contract/api/tour-content.ts';
import type { DeckPlan } from '../../../contract/api.ts';
import { isWithin, toDrawing, type DrawingBox, type DrawingPoint } from './plan-frame.ts';

/** Distance between a viewpoint and the handle that turns it, pixels. */
export const handleDistancePx = 34;
/** Maximum distance between a pointer and a mark that it hits, pixels. */
const maxHitDistancePx = { mouse: 12, touch: 22 } as const;

export interface Hit {
  readonly uid: string;
  readonly part: 'node' | 'handle';
}

export interface HitOptions {
  readonly area: DeckPlan;
  readonly nodes: readonly Pick<ContentNode, 'uid' | 'position' | 'heading'>[];
  /** Uid of the viewpoint that shows a handle. */
  readonly handleNodeUid: string | undefined;
  readonly unitsPerPx: number;
  readonly isTouch: boolean;
}

/** Finds the handle or the nearest viewpoint at a point of the drawing. */
export function findHit(
  point: DrawingPoint,
  { area, nodes, handleNodeUid, unitsPerPx, isTouch }: HitOptions,
): Hit | undefined {
  let nearest: Hit | undefined;
  let nearestDistance = maxHitDistancePx[isTouch ? 'touch' : 'mouse'] * unitsPerPx;
  for (const { uid, position, heading } of nodes) {
    const nodePoint = toDrawing(area, position);
    const distance = Math.hypot(nodePoint.x - point.x, nodePoint.y - point.y);
    if (distance <= nearestDistance) [nearest, nearestDistance] = [{ uid, part: 'node' }, distance];
    if (uid !== handleNodeUid) continue;
    const handle = computeHandlePoint(area, nodePoint, heading, unitsPerPx);
    const handleDistance = Math.hypot(handle.x - point.x, handle.y - point.y);
    if (handleDistance <= nearestDistance) [nearest, nearestDistance] = [{ uid, part: 'handle' }, handleDistance];
  }
  return nearest;
}

/** Computes the point of the handle that turns a viewpoint. */
export function computeHandlePoint(
  area: DeckPlan,
  nodePoint: DrawingPoint,
  heading: number,
  unitsPerPx: number,
): DrawingPoint {
  const angle = toRadians(heading - area.heading);
  const length = handleDistancePx * unitsPerPx;
  return { x: nodePoint.x + Math.sin(angle) * length, y: nodePoint.y - Math.cos(angle) * length };
}

/** Finds the viewpoints in a box of the drawing. Returns uids. */
export const findNodesInBox = (
  box: DrawingBox,
  area: DeckPlan,
  nodes: readonly Pick<ContentNode, 'uid' | 'position'>[],
): readonly string[] => nodes.filter(({ position }) => isWithin(box, toDrawing(area, position))).map(({ uid }) => uid);
