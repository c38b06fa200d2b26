import { allowedParentTypes, locationTypes, type LocationNode, type LocationType } from '#core';

/** The types that a location below `parent` may have; a location without a parent is a site. */
export function listChildTypes(parent: LocationType | undefined): readonly LocationType[] {
  return locationTypes.filter((type) =>
    parent === undefined ? allowedParentTypes[type].length === 0 : allowedParentTypes[type].includes(parent),
  );
}

/**
 * Lists the types to which a location may change: types that its parent accepts as a child and its children as a
 * parent.
 */
export function listPossibleTypes(
  { children }: Pick<LocationNode, 'children'>,
  parent: LocationType | undefined,
): readonly LocationType[] {
  return listChildTypes(parent).filter((type) =>
    children.every((child) => allowedParentTypes[child.locationType].includes(type)),
  );
}

/** The new place of a moved location: below `parent`, before the sibling `before`, or last if `before` is null. */
export interface Placement {
  readonly parent: string | null;
  readonly before: string | null;
}

/** Whether a location may be moved below `parent`, which must be in its site and not below the location itself. */
export function canBeParent(location: LocationNode, parent: LocationNode): boolean {
  return (
    location.root === parent.root &&
    allowedParentTypes[location.locationType].includes(parent.locationType) &&
    !isAtOrBelow(location, parent.uid)
  );
}

function isAtOrBelow(location: LocationNode, uid: string): boolean {
  return location.uid === uid || location.children.some((child) => isAtOrBelow(child, uid));
}

/** Finds the uid of the next sibling. Null if the location is the last one. */
export function findNextSibling(siblings: readonly LocationNode[], uid: string): string | null {
  return siblings[siblings.findIndex((sibling) => sibling.uid === uid) + 1]?.uid ?? null;
}

/**
 * Finds the sibling before which a location is placed when it moves up or down by one. Null: it becomes the last one.
 * Undefined: it cannot move in this direction.
 */
export function findStepTarget(
  siblings: readonly LocationNode[],
  uid: string,
  direction: 'up' | 'down',
): string | null | undefined {
  const index = siblings.findIndex((sibling) => sibling.uid === uid);
  if (index < 0) return undefined;
  if (direction === 'up') return siblings[index - 1]?.uid;
  return index === siblings.length - 1 ? undefined : (siblings[index + 2]?.uid ?? null);
}
