import type { LocationNode, LocationOrder, LocationRow } from './location.ts';

/** A problem of a flat list. No row is dropped because of it: see `buildLocationTree`. */
export type LocationProblem =
  /** `parent` is not in the list, so the row becomes a root. */
  | { readonly kind: 'ORPHAN'; readonly uid: string; readonly parent: string }
  /** These rows form a cycle, each the child of the next. The first row becomes a root. */
  | { readonly kind: 'CYCLE'; readonly uids: readonly string[] }
  /** An earlier row has the same uid, so `row` is not in the tree. */
  | { readonly kind: 'DUPLICATE'; readonly uid: string; readonly row: LocationRow };

export interface LocationTree {
  readonly roots: readonly LocationNode[];
  /** In the order of their rows. */
  readonly problems: readonly LocationProblem[];
}

interface MutableNode extends LocationRow {
  readonly children: MutableNode[];
}

/**
 * Builds the tree from rows in any order. Every row becomes one node, or the `row` of a DUPLICATE. Linear time, except
 * for sorting.
 */
export function buildLocationTree(rows: readonly LocationRow[], order: LocationOrder = 'imported'): LocationTree {
  const problems: LocationProblem[] = [];
  const nodes = new Map<string, MutableNode>();
  for (const row of rows) {
    if (nodes.has(row.uid)) problems.push({ kind: 'DUPLICATE', uid: row.uid, row });
    else nodes.set(row.uid, { ...row, children: [] });
  }

  const cycles = findCyclesByFirstUid(nodes);
  const roots: MutableNode[] = [];
  for (const node of nodes.values()) {
    const parent = node.parent === null ? undefined : nodes.get(node.parent);
    const cycle = cycles.get(node.uid);
    if (cycle !== undefined) problems.push({ kind: 'CYCLE', uids: cycle });
    else if (node.parent !== null && parent === undefined)
      problems.push({ kind: 'ORPHAN', uid: node.uid, parent: node.parent });
    if (parent === undefined || cycle !== undefined) roots.push(node);
    else parent.children.push(node);
  }

  if (order === 'alphabetical') {
    const { compare } = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });
    const byName = (a: MutableNode, b: MutableNode): number => compare(a.name, b.name);
    roots.sort(byName);
    for (const node of nodes.values()) node.children.sort(byName);
  }
  return { roots, problems };
}

/** Lists each cycle once. It starts at its first row in the list; each uid is followed by its parent's. */
function findCyclesByFirstUid(nodes: ReadonlyMap<string, MutableNode>): Map<string, readonly string[]> {
  const cycles = new Map<string, readonly string[]>();
  const positions = new Map([...nodes.keys()].map((uid, index) => [uid, index]));
  const position = (uid: string): number => positions.get(uid) ?? 0;
  const walkByNode = new Map<string, number>();
  let walk = 0;
  for (const start of nodes.values()) {
    walk += 1;
    const path: string[] = [];
    let node: MutableNode | undefined = start;
    while (node !== undefined && !walkByNode.has(node.uid)) {
      walkByNode.set(node.uid, walk);
      path.push(node.uid);
      node = node.parent === null ? undefined : nodes.get(node.parent);
    }
    // A walk may enter a cycle at any row; the result starts at the first row in the list.
    if (node !== undefined && walkByNode.get(node.uid) === walk) {
      const uids = path.slice(path.indexOf(node.uid));
      const first = uids.reduce((a, b) => (position(b) < position(a) ? b : a));
      const firstIndex = uids.indexOf(first);
      cycles.set(first, [...uids.slice(firstIndex), ...uids.slice(0, firstIndex)]);
    }
  }
  return cycles;
}

/** Yields the nodes and all their descendants, parents before children. */
export function* walkLocations(roots: readonly LocationNode[]): Generator<LocationNode> {
  const stack = [...roots].reverse();
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    yield node;
    for (let index = node.children.length - 1; index >= 0; index -= 1) {
      const child = node.children[index];
      if (child !== undefined) stack.push(child);
    }
  }
}
