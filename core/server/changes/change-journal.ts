import { token, type AccessFlag } from '#core';
import type { Caller } from '../access/caller.ts';
import type { ContentChanges } from './content-changes.ts';

/** Writes and undoes the changes of all plugins. */
export interface ChangeJournal {
  /** The changes of one owner: a plugin, or a part of core. Its tables may be in several schemas; default: its own. */
  of<Tables>(owner: string, schema?: string): ContentChanges<Tables>;
  /**
   * Undoes a change. The reply is the change by which this undo can be undone.
   *
   * @throws `notFound` (404); `noAccess` (403) without the flag of `undoAccessOf` or access to one of the places;
   *   `conflict` (409) if it was undone already, if the same columns were changed since, or if what the rows need is
   *   gone or taken
   */
  undo(uid: string, caller: Caller, requestId: string): Promise<{ readonly change: string | null }>;
  /** The flag that undoing a change of this owner needs, by the table of its first row. */
  undoAccessOf(owner: string, table: string | undefined): AccessFlag;
}
export const ChangeJournal = token<ChangeJournal>('core.ChangeJournal');
