import type { LocationNode } from '#core';

/** How much of a location is chosen: it with everything below it, something below it, or nothing. */
export type CheckState = 'checked' | 'mixed' | 'unchecked';

type ReadonlyTree = readonly LocationNode[];

/**
 * The states of all locations, by uid.
 *
 * @param chosen uids of chosen locations, each of which includes everything below it
 */
export function computeChecks(roots: ReadonlyTree, chosen: ReadonlySet<string>): ReadonlyMap<string, CheckState> {
  const checks = new Map<string, CheckState>();
  const add = (node: LocationNode, isIncluded: boolean): boolean => {
    const isChecked = isIncluded || chosen.has(node.uid);
    const isChosenBelow = node.children.map((child) => add(child, isChecked)).includes(true);
    checks.set(node.uid, isChecked ? 'checked' : isChosenBelow ? 'mixed' : 'unchecked');
    return isChecked || isChosenBelow;
  };
  for (const root of roots) add(root, false);
  return checks;
}

/**
 * Checks a location, or unchecks a checked one. To uncheck a location below a chosen one, its siblings and those of its
 * ancestors are chosen instead. Chosen locations that are not in the tree stay.
 */
export function toggleLocation(roots: ReadonlyTree, chosen: ReadonlySet<string>, uid: string): ReadonlySet<string> {
  const path = findPath(roots, uid);
  const node = path.at(-1);
  if (!node) return chosen;
  const next = new Set(chosen);
  for (const below of listUids([node])) next.delete(below);
  const topIndex = path.findIndex((each) => chosen.has(each.uid));
  if (topIndex < 0) return next.add(uid);
  for (const [index, above] of path.entries()) {
    if (index < topIndex) continue;
    next.delete(above.uid);
    const inPath = path[index + 1]?.uid;
    for (const child of inPath === undefined ? [] : above.children) if (child.uid !== inPath) next.add(child.uid);
  }
  return next;
}

/** Leaves out locations below others that are chosen, too. */
export function removeIncluded(roots: ReadonlyTree, chosen: ReadonlySet<string>): readonly string[] {
  const included = new Set<string>();
  const visit = (node: LocationNode, isIncluded: boolean): void => {
    if (isIncluded) included.add(node.uid);
    for (const child of node.children) visit(child, isIncluded || chosen.has(node.uid));
  };
  for (const root of roots) visit(root, false);
  return [...chosen].filter((uid) => !included.has(uid));
}

function findPath(nodes: ReadonlyTree, uid: string): readonly LocationNode[] {
  for (const node of nodes) {
    if (node.uid === uid) return [node];
    const below = findPath(node.children, uid);
    if (below.length > 0) return [node, ...below];
  }
  return [];
}

const listUids = (nodes: ReadonlyTree): readonly string[] =>
  nodes.flatMap((node) => [node.uid, ...listUids(node.children)]);
