/**
 * One forward migration. `up` may contain several statements. It runs in its own transaction, with `search_path` set to
 * the owner's schema.
 */
export interface Migration {
  /** `<owner>-<four digits>-<description>`. The array, not the number, determines the order. */
  readonly id: `${string}-${string}`;
  readonly up: string;
}
