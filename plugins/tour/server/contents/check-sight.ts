import { distanceBetween, toPanTilt, type Point3 } from '#core';
import type { FileStore } from '#core/server';
import { readRangePicture, type RangePicture } from '../queries/range-picture.ts';

export interface SightNode {
  readonly uid: string;
  readonly position: Point3;
  readonly heading: number;
  /** Id of its range image. */
  readonly range_file: string | null;
}

type Pair = readonly [a: string, b: string];
export type Sight = 'FREE' | 'BLOCKED' | 'UNKNOWN';

/** Range images that one check reads at most, some 40 ms each. */
const maxImages = 100;
/** Something nearer than the other node by less is at the node itself, metres. */
const margin = 0.5;
/** Directions around the other node, degrees. What hides only some of them is narrow, such as a pipe. */
const steps = [-1.5, 0, 1.5];

/**
 * Says whether nodes see each other, by the range image of one of the two: measured by a scanner, or computed from a
 * model or a cloud. Unknown without one, where it has no ranges, and for what is more than 100 images.
 */
export async function checkSight(
  files: FileStore,
  nodes: ReadonlyMap<string, SightNode>,
  pairs: readonly Pair[],
): Promise<readonly Sight[]> {
  const images = new Map<string, RangePicture>();
  for (const uid of chooseNodes(nodes, pairs)) {
    const { range_file: file, heading } = nodes.get(uid)!;
    if (file !== null) images.set(uid, await readRangePicture(files, file, heading));
  }
  const look = (from: SightNode, to: SightNode): Sight => {
    const image = images.get(from.uid);
    return image ? findSight(image, from.position, to.position) : 'UNKNOWN';
  };
  return pairs.map(([a, b]) => {
    const [from, to] = [nodes.get(a)!, nodes.get(b)!];
    const both = [look(from, to), look(to, from)];
    if (both.includes('FREE')) return 'FREE';
    return both.includes('BLOCKED') ? 'BLOCKED' : 'UNKNOWN';
  });
}

/** At most `maxImages` nodes with range images, at least one of each pair while there are some left. */
function chooseNodes(nodes: ReadonlyMap<string, SightNode>, pairs: readonly Pair[]): ReadonlySet<string> {
  const chosen = new Set<string>();
  for (const pair of pairs) {
    if (chosen.size === maxImages) break;
    if (pair.some((uid) => chosen.has(uid))) continue;
    const seeing = pair.find((uid) => nodes.get(uid)!.range_file !== null);
    if (seeing !== undefined) chosen.add(seeing);
  }
  return chosen;
}

function findSight(image: RangePicture, from: Point3, to: Point3): Sight {
  const metres = distanceBetween(from, to);
  const { pan, tilt } = toPanTilt([to[0] - from[0], to[1] - from[1], to[2] - from[2]]);
  const ranges = steps.flatMap((across) => steps.map((up) => image.at(pan + across, tilt + up)));
  if (ranges.every((range) => range === 0)) return 'UNKNOWN';
  return ranges.some((range) => range === 0 || range >= metres - margin) ? 'FREE' : 'BLOCKED';
}
