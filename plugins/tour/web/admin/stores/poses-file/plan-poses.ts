import { computeShortestTurn, distanceBetween, type RequestOf } from '#core';
import type { ContentNode, TourContent, updateNodes } from '../../../../contract/api/tour-content.ts';
import { findNearPoses, type NearPose } from './find-near-poses.ts';
import { findDeckBelow, type ReadPose, type ReadPosesResult } from './read-poses.ts';

export const nearChoices = ['SKIP', 'UPDATE', 'ADD'] as const;
/** What happens with poses at the place of another viewpoint. Updates apply to existing viewpoints of the tour. */
export type NearChoice = (typeof nearChoices)[number];

/** Smaller differences are rounding. */
const sameMetres = 0.001;
const sameDegrees = 0.01;
const isTurned = (angle: number, otherAngle: number): boolean =>
  Math.abs(computeShortestTurn(angle, otherAngle)) > sameDegrees;

export interface PoseChoices {
  /** Whether existing viewpoints with the code of a pose take its position, heading and tilt. */
  readonly updatesExisting: boolean;
  /** Undefined while the person has not chosen. */
  readonly near: NearChoice | undefined;
}

interface MatchedPose {
  readonly node: ContentNode;
  readonly pose: ReadPose;
}

/** The poses of a file, compared with the viewpoints of a tour. */
export interface PoseComparison {
  /** Poses with the code of an existing viewpoint that has another pose and can be updated. */
  readonly moved: readonly MatchedPose[];
  readonly near: readonly NearPose[];
  readonly newPoses: readonly ReadPose[];
  /** Number of poses with the code of an existing viewpoint. */
  readonly existingCount: number;
  readonly hasHeadings: boolean;
  readonly hasTilts: boolean;
  readonly canUpdate: (node: ContentNode, pose: ReadPose) => boolean;
}

type NodeUpdate = RequestOf<typeof updateNodes>['body']['nodes'][number];

/** An existing viewpoint and the change that gives it a pose. */
export interface PoseUpdate {
  readonly node: ContentNode;
  readonly change: NodeUpdate;
}

export interface PosePlan {
  readonly added: readonly (ReadPose & { readonly deck: string | null })[];
  readonly updated: readonly PoseUpdate[];
  /** Number of poses that have the code of an existing viewpoint, which stays unchanged. */
  readonly unchangedCount: number;
}

/** Compares poses with the existing viewpoints. Only those of `tour` (uid) can be updated. */
export function comparePoses(
  { poses, hasHeadings, hasTilts }: Pick<ReadPosesResult, 'poses' | 'hasHeadings' | 'hasTilts'>,
  { nodes }: Pick<TourContent, 'nodes'>,
  tour: string,
): PoseComparison {
  const canUpdate = (node: ContentNode, pose: ReadPose): boolean =>
    node.tour === tour &&
    (distanceBetween(node.position, pose.position) > sameMetres ||
      (hasHeadings && isTurned(node.heading, pose.heading)) ||
      (hasTilts &&
        (['pitch', 'roll'] as const).some((angle) => isTurned(node.posedTilt?.[angle] ?? 0, pose.tilt?.[angle] ?? 0))));
  const nodeByCode = new Map(nodes.map((node) => [node.code.toUpperCase(), node]));
  const findNode = ({ code }: ReadPose): ContentNode | undefined => nodeByCode.get(code.toUpperCase());
  const newPoses = poses.filter((pose) => !findNode(pose));
  return {
    moved: poses.flatMap((pose) => {
      const node = findNode(pose);
      return node && canUpdate(node, pose) ? [{ node, pose }] : [];
    }),
    near: findNearPoses(newPoses, nodes),
    newPoses,
    existingCount: poses.length - newPoses.length,
    hasHeadings,
    hasTilts,
    canUpdate,
  };
}

/** Decides which poses become viewpoints, and which existing viewpoints take a pose. */
export function planPoses(
  { moved, near, newPoses, existingCount, hasHeadings, hasTilts, canUpdate }: PoseComparison,
  decks: TourContent['decks'],
  { updatesExisting, near: nearChoice }: PoseChoices,
): PosePlan {
  const nearPoses = new Set(near.map(({ pose }) => pose));
  const nearMoved = near.flatMap(({ node, pose }) => (node && canUpdate(node, pose) ? [{ node, pose }] : []));
  const updates = new Map<string, PoseUpdate>();
  for (const { node, pose } of [...(updatesExisting ? moved : []), ...(nearChoice === 'UPDATE' ? nearMoved : [])])
    if (!updates.has(node.uid))
      updates.set(node.uid, {
        node,
        change: {
          uid: node.uid,
          name: node.name,
          deck: findDeck(decks, node, pose),
          position: [...pose.position],
          heading: hasHeadings ? pose.heading : node.heading,
          // The tilt of the former pose would not fit the heading of the new one.
          ...(hasHeadings || hasTilts ? { posedTilt: pose.tilt } : {}),
          // The time of the former pose would match panoramas of the new survey to other viewpoints.
          posedAt: pose.posedAt?.toISOString() ?? null,
          version: node.version,
        },
      });
  return {
    added: newPoses
      .filter((pose) => nearChoice === 'ADD' || !nearPoses.has(pose))
      .map((pose) => ({ ...pose, deck: findDeckBelow(decks, pose.position[2]) })),
    updated: [...updates.values()],
    unchangedCount: existingCount - (updatesExisting ? moved.length : 0),
  };
}

/**
 * Finds the deck of a viewpoint that takes a pose. At the same height it keeps its deck, which a person may have
 * chosen.
 */
function findDeck(decks: TourContent['decks'], { deck, position }: ContentNode, pose: ReadPose): string | null {
  const isSameHeight = Math.abs(pose.position[2] - position[2]) <= sameMetres;
  return isSameHeight && deck !== null ? deck : findDeckBelow(decks, pose.position[2]);
}
