import type { LocationNode } from '#core';
import type { Placement } from '../../../common/location-placement.ts';
import { createTextMatcher } from './normalize-text.ts';

/** A visible row of the tree. */
export interface TreeRow {
  readonly node: LocationNode;
  /** From 1. */
  readonly level: number;
  /** Position among the visible siblings, from 1. */
  readonly position: number;
  /** Number of visible siblings, including this one. */
  readonly setSize: number;
  /** Undefined for a row without children. */
  readonly open: boolean | undefined;
}

/** Where a location is dropped on a row: before it, into it as a child, or after it. */
export type DropZone = 'before' | 'into' | 'after';

/** Handlers for dragging rows with the mouse. */
export interface TreeDrag {
  readonly canDrag: (node: LocationNode) => boolean;
  /** Undefined if the location cannot be dropped there. */
  readonly findPlacement: (dragged: LocationNode, target: LocationNode, zone: DropZone) => Placement | undefined;
  readonly onDrop: (dragged: LocationNode, placement: Placement) => void;
}

/** Uids of the locations that the search has found, and those of their ancestors. */
export interface TreeMatches {
  readonly matching: ReadonlySet<string>;
  readonly visible: ReadonlySet<string>;
}

/** Lists the rows of the open locations. Without `matches` all locations are visible. */
export function listTreeRows(
  roots: readonly LocationNode[],
  isOpen: (uid: string) => boolean,
  matches: TreeMatches | undefined,
): readonly TreeRow[] {
  const rows: TreeRow[] = [];
  const add = (siblings: readonly LocationNode[], level: number): void => {
    const visible = matches ? siblings.filter(({ uid }) => matches.visible.has(uid)) : siblings;
    for (const [index, node] of visible.entries()) {
      const hasChildren = matches
        ? node.children.some(({ uid }) => matches.visible.has(uid))
        : node.children.length > 0;
      const open = hasChildren ? isOpen(node.uid) : undefined;
      rows.push({ node, level, position: index + 1, setSize: visible.length, open });
      if (open) add(node.children, level + 1);
    }
  };
  add(roots, 1);
  return rows;
}

/**
 * Finds locations whose name, label and code contain all words of a text, in any order. Ignores case and accents.
 * Undefined for an empty text.
 */
export function findTreeMatches(roots: readonly LocationNode[], text: string): TreeMatches | undefined {
  if (text.trim() === '') return undefined;
  const matchesText = createTextMatcher(text);
  const matching = new Set<string>();
  const visible = new Set<string>();
  const search = (node: LocationNode): boolean => {
    const isMatch = matchesText(`${node.name}\n${node.label}\n${node.uid}`);
    if (isMatch) matching.add(node.uid);
    const hasMatchBelow = node.children.map(search).includes(true);
    if (isMatch || hasMatchBelow) visible.add(node.uid);
    return isMatch || hasMatchBelow;
  };
  roots.forEach(search);
  return { matching, visible };
}
