import { toNodeCode } from './to-node-code.ts';

/** A file as matching sees it. */
export interface MatchedFile {
  readonly name: string;
  /** Milliseconds since 1970. Undefined if unknown. */
  readonly capturedAt?: number | undefined;
  /** East and north in the site frame, metres. Undefined if unknown. */
  readonly place?: readonly [east: number, north: number] | undefined;
}

export interface MatchedNode {
  readonly uid: string;
  readonly code: string;
  readonly posedAt?: number | undefined;
  readonly place: readonly [east: number, north: number];
}

export const matchReasons = ['NAME', 'TIME', 'PLACE'] as const;
export interface PanoramaMatch {
  readonly node: string;
  readonly reason: (typeof matchReasons)[number];
}

/** EXIF has whole seconds, and the clocks of camera and scanner are set to each other. */
export const timeToleranceMs = 2000;
/** About the error of the position of a camera or a phone in the open, metres. */
export const placeToleranceMetres = 5;

/**
 * Finds the node of each file: by name, else by time, else by place. A file matches by time or place only if exactly
 * one free node is within the tolerance, and if it is the only file within that of the node. There is no guess.
 */
export function matchPanoramas(
  files: readonly MatchedFile[],
  nodes: readonly MatchedNode[],
): readonly (PanoramaMatch | undefined)[] {
  const byName = createNameFinder(nodes);
  const matches = files.map(({ name }): PanoramaMatch | undefined => {
    const node = byName(name);
    return node && { node: node.uid, reason: 'NAME' };
  });
  const addPairs = (
    reason: PanoramaMatch['reason'],
    findPairs: (free: readonly number[], among: readonly MatchedNode[]) => readonly (readonly [number, MatchedNode])[],
  ): void => {
    const taken = new Set(matches.map((match) => match?.node));
    const free = [...files.keys()].filter((index) => !matches[index]);
    const pairs = findPairs(
      free,
      nodes.filter(({ uid }) => !taken.has(uid)),
    );
    for (const [index, { uid }] of keepUnique(pairs)) matches[index] = { node: uid, reason };
  };
  addPairs('TIME', (free, among) => findNear(files, free, among));
  addPairs('PLACE', (free, among) =>
    free.flatMap((index) => {
      const { place } = files[index]!;
      return place ? among.filter((node) => isNear(place, node.place)).map((node) => [index, node] as const) : [];
    }),
  );
  return matches;
}

/** Finds nodes by the names of files: by code, else in another case, else with dashes for other characters. */
export function createNameFinder<Node extends { readonly code: string }>(
  nodes: readonly Node[],
): (fileName: string) => Node | undefined {
  const byCode = new Map(nodes.map((node) => [node.code, node]));
  const byLowerCase = new Map(nodes.map((node) => [node.code.toLowerCase(), node]));
  const byFile = new Map<string, Node | undefined>();
  for (const node of nodes) {
    const name = toNodeCode(node.code).toLowerCase();
    // Codes that differ in their dashes alone match none.
    byFile.set(name, byFile.has(name) ? undefined : node);
  }
  return (fileName) => {
    // Some systems store decomposed accents (NFD) in file names.
    const name = fileName.replace(/\.[^.]+$/, '').normalize();
    return byCode.get(name) ?? byLowerCase.get(name.toLowerCase()) ?? byFile.get(toNodeCode(fileName).toLowerCase());
  };
}

/** Pairs of a file and a node within the tolerance of time. Both are sorted, so that 2,000 of each are no problem. */
function findNear(
  files: readonly MatchedFile[],
  free: readonly number[],
  nodes: readonly MatchedNode[],
): readonly (readonly [number, MatchedNode])[] {
  const timed = nodes
    .flatMap((node) => (node.posedAt === undefined ? [] : [{ node, at: node.posedAt }]))
    .toSorted((a, b) => a.at - b.at);
  const shots = free
    .flatMap((index) => {
      const { capturedAt: at } = files[index]!;
      return at === undefined ? [] : [{ index, at }];
    })
    .toSorted((a, b) => a.at - b.at);
  const pairs: [number, MatchedNode][] = [];
  let first = 0;
  for (const { index, at } of shots) {
    while (first < timed.length && timed[first]!.at < at - timeToleranceMs) first++;
    for (let next = first; next < timed.length && timed[next]!.at <= at + timeToleranceMs; next++)
      pairs.push([index, timed[next]!.node]);
  }
  return pairs;
}

const isNear = (a: readonly [number, number], b: readonly [number, number]): boolean =>
  Math.hypot(a[0] - b[0], a[1] - b[1]) <= placeToleranceMetres;

/** Keeps the pairs of which neither end is in another one. */
function keepUnique(pairs: readonly (readonly [number, MatchedNode])[]): readonly (readonly [number, MatchedNode])[] {
  const counts = new Map<number | string, number>();
  for (const [index, { uid }] of pairs) {
    counts.set(index, (counts.get(index) ?? 0) + 1);
    counts.set(uid, (counts.get(uid) ?? 0) + 1);
  }
  return pairs.filter(([index, { uid }]) => counts.get(index) === 1 && counts.get(uid) === 1);
}
