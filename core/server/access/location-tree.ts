import { isDeepStrictEqual } from 'node:util';
import type { LocationRow, SiteRecord } from '#core';

/** A stored location with everything that a change of it restores. */
export interface StoredLocation extends Omit<LocationRow, 'site' | 'version'> {
  /** Orders siblings. */
  readonly position: number;
  readonly version: number;
  readonly site: SiteRecord | null;
  /** Uids of the roles that grant access to it. */
  readonly roles: readonly string[];
}

type Field = Exclude<keyof StoredLocation, 'uid' | 'version'>;
const fields: readonly Field[] = ['label', 'name', 'parent', 'root', 'locationType', 'position', 'site', 'roles'];

/** All stored locations, read in one transaction. */
export class StoredTree {
  readonly #rows: ReadonlyMap<string, StoredLocation>;
  readonly #children = new Map<string | null, StoredLocation[]>();
  readonly #lowerCaseCodes: ReadonlySet<string>;
  /** 0 for an empty tree. */
  readonly lastPosition: number;

  /** `rows` are ordered by position. */
  constructor(rows: readonly StoredLocation[]) {
    this.lastPosition = rows.at(-1)?.position ?? 0;
    this.#rows = new Map(rows.map((row) => [row.uid, row]));
    this.#lowerCaseCodes = new Set(rows.map(({ uid }) => uid.toLowerCase()));
    for (const row of rows) {
      const siblings = this.#children.get(row.parent);
      if (siblings) siblings.push(row);
      else this.#children.set(row.parent, [row]);
    }
  }

  find(uid: string): StoredLocation | undefined {
    return this.#rows.get(uid);
  }

  /** Whether a location has this code in any case of its letters. */
  hasCode(code: string): boolean {
    return this.#lowerCaseCodes.has(code.toLowerCase());
  }

  /** The children of a location, or the roots, in their order. */
  children(uid: string | null): readonly StoredLocation[] {
    return this.#children.get(uid) ?? [];
  }

  /** The location and everything below it, parents before children. */
  subtree(location: StoredLocation): readonly StoredLocation[] {
    const subtree = [location];
    for (const row of subtree) subtree.push(...this.children(row.uid));
    return subtree;
  }
}

/** The fields in which two versions of a location differ. */
export const listChangedFields = (before: StoredLocation, after: StoredLocation): readonly Field[] =>
  fields.filter((field) => !isDeepStrictEqual(before[field], after[field]));
