import { toNodeCode } from './to-node-code.ts';

/** The properties of a file by which it is matched. */
export interface MatchedFile {
  readonly name: string;
  /** Milliseconds since 1970. Undefined if unknown. */
  readonly capturedAt?: number | undefined;
  /** East and north in the site frame, metres. Undefined if unknown. */
  readonly eastNorth?: readonly [east: number, north: number] | undefined;
}

export interface MatchedNode {
  readonly uid: string;
  readonly code: string;
  /** When the pose was measured, milliseconds since 1970. Undefined if unknown. */
  readonly posedAt?: number | undefined;
  readonly eastNorth: readonly [east: number, north: number];
}

export const matchReasons = ['NAME', 'TIME', 'PLACE'] as const;
export interface PanoramaMatch {
  readonly nodeUid: string;
  readonly reason: (typeof matchReasons)[number];
}

/** EXIF times are whole seconds. The clocks of camera and scanner are assumed to be synchronised. */
export const timeToleranceMs = 2000;
/** Approximate error of a GPS position outdoors, metres. */
export const positionToleranceMetres = 5;

/**
 * Finds the node of each file by name, time or position, in this order. A file matches by time or position only if
 * exactly one unassigned node is within the tolerance of the file, and no other file is within the tolerance of the
 * node.
 */
export function matchPanoramas(
  files: readonly MatchedFile[],
  nodes: readonly MatchedNode[],
): readonly (PanoramaMatch | undefined)[] {
  const findByName = createNameFinder(nodes);
  const matches = files.map(({ name }): PanoramaMatch | undefined => {
    const node = findByName(name);
    return node && { nodeUid: node.uid, reason: 'NAME' };
  });
  const addPairs = (
    reason: PanoramaMatch['reason'],
    findPairs: (
      freeFileIndexes: readonly number[],
      freeNodes: readonly MatchedNode[],
    ) => readonly (readonly [number, MatchedNode])[],
  ): void => {
    const assignedNodes = new Set(matches.map((match) => match?.nodeUid));
    const freeFileIndexes = [...files.keys()].filter((index) => !matches[index]);
    const pairs = findPairs(
      freeFileIndexes,
      nodes.filter(({ uid }) => !assignedNodes.has(uid)),
    );
    for (const [index, { uid }] of keepUnique(pairs)) matches[index] = { nodeUid: uid, reason };
  };
  addPairs('TIME', (freeFileIndexes, freeNodes) => findPairsByTime(files, freeFileIndexes, freeNodes));
  addPairs('PLACE', (freeFileIndexes, freeNodes) =>
    freeFileIndexes.flatMap((index) => {
      const { eastNorth } = files[index]!;
      return eastNorth
        ? freeNodes.filter((node) => isNear(eastNorth, node.eastNorth)).map((node) => [index, node] as const)
        : [];
    }),
  );
  return matches;
}

/**
 * Creates a function that finds nodes by file names: by the exact code, by the code in any case, or by the code with
 * dashes for special characters.
 */
export function createNameFinder<Node extends { readonly code: string }>(
  nodes: readonly Node[],
): (fileName: string) => Node | undefined {
  const byCode = new Map(nodes.map((node) => [node.code, node]));
  const byLowerCase = new Map(nodes.map((node) => [node.code.toLowerCase(), node]));
  const byDashedName = new Map<string, Node | undefined>();
  for (const node of nodes) {
    const name = toNodeCode(node.code).toLowerCase();
    // Codes that become equal with dashes are ambiguous and match no file.
    byDashedName.set(name, byDashedName.has(name) ? undefined : node);
  }
  return (fileName) => {
    // Some systems store decomposed accents (NFD) in file names.
    const name = fileName.replace(/\.[^.]+$/, '').normalize();
    return (
      byCode.get(name) ?? byLowerCase.get(name.toLowerCase()) ?? byDashedName.get(toNodeCode(fileName).toLowerCase())
    );
  };
}

/** Finds pairs of a file and a node within the tolerance of time. Sorting keeps 2,000 files and nodes fast. */
function findPairsByTime(
  files: readonly MatchedFile[],
  freeFileIndexes: readonly number[],
  nodes: readonly MatchedNode[],
): readonly (readonly [number, MatchedNode])[] {
  const nodesByTime = nodes
    .flatMap((node) => (node.posedAt === undefined ? [] : [{ node, at: node.posedAt }]))
    .toSorted((a, b) => a.at - b.at);
  const filesByTime = freeFileIndexes
    .flatMap((index) => {
      const { capturedAt: at } = files[index]!;
      return at === undefined ? [] : [{ index, at }];
    })
    .toSorted((a, b) => a.at - b.at);
  const pairs: [number, MatchedNode][] = [];
  let firstIndex = 0;
  for (const { index, at } of filesByTime) {
    while (firstIndex < nodesByTime.length && nodesByTime[firstIndex]!.at < at - timeToleranceMs) firstIndex++;
    for (
      let nodeIndex = firstIndex;
      nodeIndex < nodesByTime.length && nodesByTime[nodeIndex]!.at <= at + timeToleranceMs;
      nodeIndex++
    )
      pairs.push([index, nodesByTime[nodeIndex]!.node]);
  }
  return pairs;
}

const isNear = (a: readonly [number, number], b: readonly [number, number]): boolean =>
  Math.hypot(a[0] - b[0], a[1] - b[1]) <= positionToleranceMetres;

/** Keeps the pairs whose file and node are in no other pair. */
function keepUnique(pairs: readonly (readonly [number, MatchedNode])[]): readonly (readonly [number, MatchedNode])[] {
  const pairCounts = new Map<number | string, number>();
  for (const [index, { uid }] of pairs) {
    pairCounts.set(index, (pairCounts.get(index) ?? 0) + 1);
    pairCounts.set(uid, (pairCounts.get(uid) ?? 0) + 1);
  }
  return pairs.filter(([index, { uid }]) => pairCounts.get(index) === 1 && pairCounts.get(uid) === 1);
}
