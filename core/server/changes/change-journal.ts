import { token, type AccessFlag } from '#core';
import type { Caller } from '../access/caller.ts';
import type { ContentChanges } from './content-changes.ts';

/** Writes and undoes the changes of all plugins. */
export interface ChangeJournal {
  /**
   * The changes of one owner: a plugin, or a part of core. An owner may have tables in several schemas. By default,
   * `schema` is that of the plugin with this id.
   */
  of<Tables>(owner: string, schema?: string): ContentChanges<Tables>;
  /**
   * Undoes a change. The undo is itself a change that can be undone: returns its uid, or null if it changed no row.
   *
   * @throws `notFound` (404); `noAccess` (403) without the flag of `undoAccessOf` or without access to one of the
   *   locations; `conflict` (409) if the change was already undone, if the same columns were changed since, if a
   *   referenced row is gone, or if a unique value is taken
   */
  undo(uid: string, caller: Caller, requestId: string): Promise<{ readonly change: string | null }>;
  /** The access flag that undoing a change of this owner requires. `table` is the table of its first row. */
  undoAccessOf(owner: string, table: string | undefined): AccessFlag;
}
export const ChangeJournal = token<ChangeJournal>('core.ChangeJournal');
