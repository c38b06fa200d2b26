import { useState } from 'react';
import type { LocationNode } from '#core';
import { Access, Locations, useService } from '#core/web';
import { canBeParent, findNextSibling, type Placement } from '../../../common/location-placement.ts';
import type { LocationMutations } from './location-mutations.ts';
import type { TreeDrag } from './tree-rows.ts';
import { useCanChangeLocation } from './use-can-change-location.ts';

/** A failed move. Its message disappears with the next change. */
interface FailedMove {
  readonly cause: unknown;
  /** The last change when the move began. */
  readonly lastChange: LocationMutations['lastChange']['last'];
}

export interface LocationMoves {
  /** The error of the last failed move, until the next change. */
  readonly failure: unknown;
  readonly drag: TreeDrag;
  readonly canMove: (node: LocationNode) => boolean;
  readonly listSiblings: (node: LocationNode) => readonly LocationNode[];
  move(location: LocationNode, placement: Placement): Promise<void>;
}

/**
 * Moves locations by dragging, or up and down by one place. Must be called in an observer.
 *
 * @param hasOrder false if locations are sorted by name
 */
export function useLocationMoves(mutations: LocationMutations, hasOrder: boolean): LocationMoves {
  const locations = useService(Locations);
  const canAccessAll = useService(Access).info.locations === 'ALL';
  const canChange = useCanChangeLocation();
  const [failedMove, setFailedMove] = useState<FailedMove>();
  const listSiblings = ({ parent }: LocationNode): readonly LocationNode[] =>
    (parent === null ? undefined : locations.find(parent)?.children) ?? locations.roots;
  // Whoever cannot change the parent could not undo the move either.
  const canMove = (node: LocationNode): boolean =>
    node.parent === null ? canAccessAll && hasOrder : canChange(node.parent);

  const move = async (location: LocationNode, placement: Placement): Promise<void> => {
    setFailedMove(undefined);
    try {
      await mutations.move(location, placement);
    } catch (cause) {
      setFailedMove({ cause, lastChange: mutations.lastChange.last });
    }
  };
  const findPlacement: TreeDrag['findPlacement'] = (draggedNode, target, zone) => {
    if (zone === 'into')
      return canBeParent(draggedNode, target) && canChange(target.uid) && draggedNode.parent !== target.uid
        ? { parent: target.uid, before: null }
        : undefined;
    if (!hasOrder || draggedNode.uid === target.uid) return undefined;
    const parent = target.parent === null ? undefined : locations.find(target.parent);
    const isAllowed = parent
      ? canChange(parent.uid) && (draggedNode.parent === parent.uid || canBeParent(draggedNode, parent))
      : draggedNode.parent === null;
    if (!isAllowed) return undefined;
    const before = zone === 'before' ? target.uid : findNextSibling(listSiblings(target), target.uid);
    const isUnchanged =
      draggedNode.parent === target.parent &&
      (before === draggedNode.uid || before === findNextSibling(listSiblings(draggedNode), draggedNode.uid));
    return isUnchanged ? undefined : { parent: target.parent, before };
  };
  return {
    failure: failedMove?.lastChange === mutations.lastChange.last ? failedMove?.cause : undefined,
    drag: { canDrag: canMove, findPlacement, onDrop: (draggedNode, placement) => void move(draggedNode, placement) },
    canMove,
    listSiblings,
    move,
  };
}
