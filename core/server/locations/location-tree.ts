import { sql, type QueryExecutorProvider } from 'kysely';
import { allowedParentTypes, type LocalizedRefusal, type LocationRow, type LocationType } from '#core';
import { coreRefusal, type LocationReply } from '#core/api';

/** A stored location. Its site record and the roles that grant access to it are rows of their own. */
export interface StoredLocation extends Omit<LocationRow, 'site' | 'version'> {
  /** Orders siblings. */
  readonly position: number;
  readonly version: number;
}

/** All locations, as they are stored or as a change would leave them. */
export class StoredTree {
  readonly #rows: ReadonlyMap<string, StoredLocation>;
  readonly #children = new Map<string | null, StoredLocation[]>();
  readonly #lowerCaseCodes: ReadonlySet<string>;
  /** 0 for an empty tree. */
  readonly lastPosition: number;

  constructor(rows: Iterable<StoredLocation>) {
    const orderedRows = [...rows].toSorted(
      (a, b) => a.position - b.position || (a.uid < b.uid ? -1 : a.uid === b.uid ? 0 : 1),
    );
    this.lastPosition = orderedRows.at(-1)?.position ?? 0;
    this.#rows = new Map(orderedRows.map((row) => [row.uid, row]));
    this.#lowerCaseCodes = new Set(orderedRows.map(({ uid }) => uid.toLowerCase()));
    for (const row of orderedRows) {
      const siblings = this.#children.get(row.parent);
      if (siblings) siblings.push(row);
      else this.#children.set(row.parent, [row]);
    }
  }

  get rows(): ReadonlyMap<string, StoredLocation> {
    return this.#rows;
  }

  find(uid: string): StoredLocation | undefined {
    return this.#rows.get(uid);
  }

  /** Whether a location has this code, ignoring case. */
  hasCode(code: string): boolean {
    return this.#lowerCaseCodes.has(code.toLowerCase());
  }

  /** The children of a location, or the roots, in their order. */
  children(uid: string | null): readonly StoredLocation[] {
    return this.#children.get(uid) ?? [];
  }

  /** The location and everything below it, parents before children. */
  subtree(location: StoredLocation): readonly StoredLocation[] {
    const subtree = new Set([location]);
    for (const row of subtree) for (const child of this.children(row.uid)) subtree.add(child);
    return [...subtree];
  }

  /** Returns a tree in which these locations are added or replaced. */
  with(changedLocations: readonly StoredLocation[]): StoredTree {
    return new StoredTree(new Map([...this.#rows, ...changedLocations.map((row) => [row.uid, row] as const)]).values());
  }

  isBelowItself({ uid, parent }: StoredLocation): boolean {
    const visitedUids = new Set<string>();
    let ancestor = parent;
    while (ancestor !== null && ancestor !== uid && !visitedUids.has(ancestor)) {
      visitedUids.add(ancestor);
      ancestor = this.#rows.get(ancestor)?.parent ?? null;
    }
    return ancestor === uid;
  }

  /**
   * Returns the reason why the location may not be where it is: below itself, below a wrong type, or above a wrong
   * type.
   */
  findMisplacement(location: StoredLocation): LocalizedRefusal | undefined {
    const { uid, name, parent, locationType } = location;
    if (this.isBelowItself(location)) return coreRefusal('core.refused.locationCycle');
    if (!isAllowedParent(locationType, parent === null ? undefined : this.#rows.get(parent)))
      return coreRefusal('core.refused.locationParent');
    return this.children(uid).some((child) => !allowedParentTypes[child.locationType].includes(locationType))
      ? coreRefusal('core.refused.locationChildren', { name })
      : undefined;
  }
}

export const isAllowedParent = (locationType: LocationType, parent: StoredLocation | undefined): boolean =>
  parent ? allowedParentTypes[locationType].includes(parent.locationType) : locationType === 'PRIMARY_LOCATION';

export async function loadTree(transaction: QueryExecutorProvider): Promise<StoredTree> {
  const { rows } = await sql<StoredLocation>`
    select uid, label, name, parent, root, location_type as "locationType", position, version from core.location`.execute(
    transaction,
  );
  return new StoredTree(rows);
}

export const toLocationReply = ({
  uid,
  name,
  label,
  locationType,
  parent,
  root,
  version,
}: StoredLocation): LocationReply => ({ uid, name, label, locationType, parent, root, version });
