import type { LocationNode } from '#core';

export interface TreeSearch {
  /** Uids of the found locations and their ancestors. */
  readonly visible: ReadonlySet<string>;
  /** Uids of the ancestors of found locations. */
  readonly expanded: ReadonlySet<string>;
  readonly isTruncated: boolean;
}

/** Limits the results so that the tree stays short. */
const maxResults = 200;

const normalise = (text: string): string => text.trim().normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();

/** Finds locations whose name, label or code contain each word of the text. Undefined for an empty text. */
export function findInTree(roots: readonly LocationNode[], text: string): TreeSearch | undefined {
  const words = normalise(text).split(/\s+/).filter(Boolean);
  if (words.length === 0) return undefined;
  const visible = new Set<string>();
  const expanded = new Set<string>();
  let results = 0;
  const search = (node: LocationNode): boolean => {
    const searchText = normalise(`${node.name}\n${node.label}\n${node.uid}`);
    let isFound = words.every((word) => searchText.includes(word));
    if (isFound) results += 1;
    if (results > maxResults) isFound = false;
    const isFoundBelow = node.children.map(search).includes(true);
    if (isFoundBelow) expanded.add(node.uid);
    if (isFound || isFoundBelow) visible.add(node.uid);
    return isFound || isFoundBelow;
  };
  roots.forEach(search);
  return { visible, expanded, isTruncated: results > maxResults };
}
