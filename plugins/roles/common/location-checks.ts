import type { LocationNode } from '#core';

/** `checked`: the location and all its descendants. `mixed`: some descendants. `unchecked`: none of them. */
export type CheckState = 'checked' | 'mixed' | 'unchecked';

type ReadonlyTree = readonly LocationNode[];

/**
 * Computes the states of all locations, by uid.
 *
 * @param chosenUids uids of chosen locations. A chosen location includes its descendants.
 */
export function computeChecks(roots: ReadonlyTree, chosenUids: ReadonlySet<string>): ReadonlyMap<string, CheckState> {
  const checks = new Map<string, CheckState>();
  const add = (node: LocationNode, isIncluded: boolean): boolean => {
    const isChecked = isIncluded || chosenUids.has(node.uid);
    const isChosenBelow = node.children.map((child) => add(child, isChecked)).includes(true);
    checks.set(node.uid, isChecked ? 'checked' : isChosenBelow ? 'mixed' : 'unchecked');
    return isChecked || isChosenBelow;
  };
  for (const root of roots) add(root, false);
  return checks;
}

/**
 * Checks an unchecked location, or unchecks a checked one. To uncheck a location below a chosen ancestor, replaces the
 * ancestor by the siblings along the path. Chosen locations that are not in the tree stay chosen.
 */
export function toggleLocation(roots: ReadonlyTree, chosenUids: ReadonlySet<string>, uid: string): ReadonlySet<string> {
  const path = findPath(roots, uid);
  const node = path.at(-1);
  if (!node) return chosenUids;
  const newChosenUids = new Set(chosenUids);
  for (const includedUid of listUids([node])) newChosenUids.delete(includedUid);
  const topIndex = path.findIndex((location) => chosenUids.has(location.uid));
  if (topIndex < 0) return newChosenUids.add(uid);
  for (const [index, ancestor] of path.entries()) {
    if (index < topIndex) continue;
    newChosenUids.delete(ancestor.uid);
    const nextInPath = path[index + 1]?.uid;
    for (const child of nextInPath === undefined ? [] : ancestor.children)
      if (child.uid !== nextInPath) newChosenUids.add(child.uid);
  }
  return newChosenUids;
}

/** Removes chosen locations that have a chosen ancestor. */
export function removeIncluded(roots: ReadonlyTree, chosenUids: ReadonlySet<string>): readonly string[] {
  const includedUids = new Set<string>();
  const visit = (node: LocationNode, isIncluded: boolean): void => {
    if (isIncluded) includedUids.add(node.uid);
    for (const child of node.children) visit(child, isIncluded || chosenUids.has(node.uid));
  };
  for (const root of roots) visit(root, false);
  return [...chosenUids].filter((uid) => !includedUids.has(uid));
}

function findPath(nodes: ReadonlyTree, uid: string): readonly LocationNode[] {
  for (const node of nodes) {
    if (node.uid === uid) return [node];
    const pathBelow = findPath(node.children, uid);
    if (pathBelow.length > 0) return [node, ...pathBelow];
  }
  return [];
}

const listUids = (nodes: ReadonlyTree): readonly string[] =>
  nodes.flatMap((node) => [node.uid, ...listUids(node.children)]);
