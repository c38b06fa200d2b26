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

/** Maximum number of range images that one check reads. Each takes about 40 ms. */
const maxImages = 100;
/** A surface that is at most this much nearer than the other node is at the node itself, metres. */
const marginMetres = 0.5;
/** Directions around the other node, degrees. Narrow objects such as pipes hide only some of them. */
const offsetsDegrees = [-1.5, 0, 1.5];

/**
 * Checks whether nodes see each other by a measured or computed range image of one of them. Unknown if neither has a
 * range image, if the image has no return in the direction, and for pairs beyond 100 images.
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
    const sights = [look(from, to), look(to, from)];
    if (sights.includes('FREE')) return 'FREE';
    return sights.includes('BLOCKED') ? 'BLOCKED' : 'UNKNOWN';
  });
}

/** Chooses at most `maxImages` nodes with range images: one of each pair, as long as the limit allows. */
function chooseNodes(nodes: ReadonlyMap<string, SightNode>, pairs: readonly Pair[]): ReadonlySet<string> {
  const chosenUids = new Set<string>();
  for (const pair of pairs) {
    if (chosenUids.size === maxImages) break;
    if (pair.some((uid) => chosenUids.has(uid))) continue;
    const uidWithImage = pair.find((uid) => nodes.get(uid)!.range_file !== null);
    if (uidWithImage !== undefined) chosenUids.add(uidWithImage);
  }
  return chosenUids;
}

function findSight(image: RangePicture, from: Point3, to: Point3): Sight {
  const metres = distanceBetween(from, to);
  const { pan, tilt } = toPanTilt([to[0] - from[0], to[1] - from[1], to[2] - from[2]]);
  const ranges = offsetsDegrees.flatMap((across) => offsetsDegrees.map((up) => image.at(pan + across, tilt + up)));
  if (ranges.every((range) => range === 0)) return 'UNKNOWN';
  return ranges.some((range) => range === 0 || range >= metres - marginMetres) ? 'FREE' : 'BLOCKED';
}
