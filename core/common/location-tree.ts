import type { LocationNode, LocationOrder, LocationRow } from './location.ts';

/** A problem of a flat list. No row is dropped because of it: see `buildLocationTree`. */
export type LocationProblem =
  /** `parent` is not in the list: the row becomes a root. */
  | { readonly kind: 'ORPHAN'; readonly uid: string; readonly parent: string }
  /** These rows form a cycle, each the child of the next: the first one becomes a root. */
  | { readonly kind: 'CYCLE'; readonly uids: readonly string[] }
  /** An earlier row has this uid: `row` is not in the tree. */
  | { readonly kind: 'DUPLICATE'; readonly uid: string; readonly row: LocationRow };

export interface LocationTree {
  readonly roots: readonly LocationNode[];
  /** In the order of their rows. */
  readonly problems: readonly LocationProblem[];
}

interface GrowingNode extends LocationRow {
  readonly children: GrowingNode[];
}

/**
 * Builds the tree from rows in any order. Every row becomes one node, or the `row` of a DUPLICATE. Linear time, except
 * for sorting.
 */
export function buildLocationTree(rows: readonly LocationRow[], order: LocationOrder = 'imported'): LocationTree {
  const problems: LocationProblem[] = [];
  const nodes = new Map<string, GrowingNode>();
  for (const row of rows) {
    if (nodes.has(row.uid)) problems.push({ kind: 'DUPLICATE', uid: row.uid, row });
    else nodes.set(row.uid, { ...row, children: [] });
  }

  const cycles = cyclesByFirstUid(nodes);
  const roots: GrowingNode[] = [];
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
    const byName = (a: GrowingNode, b: GrowingNode): number => compare(a.name, b.name);
    roots.sort(byName);
    for (const node of nodes.values()) node.children.sort(byName);
  }
  return { roots, problems };
}

/** Each cycle once, starting at its first row in the list, each uid followed by its parent's. */
function cyclesByFirstUid(nodes: ReadonlyMap<string, GrowingNode>): Map<string, readonly string[]> {
  const cycles = new Map<string, readonly string[]>();
  const positions = new Map([...nodes.keys()].map((uid, index) => [uid, index]));
  const position = (uid: string): number => positions.get(uid) ?? 0;
  const walkByNode = new Map<string, number>();
  let walk = 0;
  for (const start of nodes.values()) {
    walk += 1;
    const path: string[] = [];
    let node: GrowingNode | undefined = start;
    while (node !== undefined && !walkByNode.has(node.uid)) {
      walkByNode.set(node.uid, walk);
      path.push(node.uid);
      node = node.parent === null ? undefined : nodes.get(node.parent);
    }
    // A walk may enter a cycle at any row; the result starts at the first row in the list.
    if (node !== undefined && walkByNode.get(node.uid) === walk) {
      const uids = path.slice(path.indexOf(node.uid));
      const first = uids.reduce((a, b) => (position(b) < position(a) ? b : a));
      const at = uids.indexOf(first);
      cycles.set(first, [...uids.slice(at), ...uids.slice(0, at)]);
    }
  }
  return cycles;
}

/** These nodes and all descendants, parents before children. */
export function* walkLocations(roots: readonly LocationNode[]): Generator<LocationNode> {
  const open = [...roots].reverse();
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    yield node;
    for (let index = node.children.length - 1; index >= 0; index -= 1) {
      const child = node.children[index];
      if (child !== undefined) open.push(child);
    }
  }
}
