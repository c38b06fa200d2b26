/**
 * One step forward. `up` runs in a transaction of its own with `search_path` set to the owner's schema; several
 * statements are allowed.
 */
export interface Migration {
  /** `<owner>-<four digits>-<what it does>`; the order is the array's. */
  readonly id: `${string}-${string}`;
  readonly up: string;
}
