/**
 * One forward migration. `up` runs in its own transaction with `search_path` set to the owner's schema; may contain
 * several statements.
 */
export interface Migration {
  /** `<owner>-<four digits>-<what it does>`; the order is the array's. */
  readonly id: `${string}-${string}`;
  readonly up: string;
}
