import type { QueryExecutorProvider, Transaction } from 'kysely';
import type { AccessFlag, LocalizedError, LocalizedRefusal } from '#core';
import type { Caller } from '../access/caller.ts';
import type { RowChange } from './change-recorder.ts';

type ColumnOf<Table> = keyof Table & string;

/** How changes of a table are recorded and undone. */
export interface RecordedTable<Table = Record<string, unknown>> {
  /** Columns of the primary key. All are text. */
  readonly key: readonly ColumnOf<Table>[];
  /** Column with the location of a row. Undoing a change requires access to it. */
  readonly location?: ColumnOf<Table>;
  /** Column with the name that error messages show. */
  readonly name?: ColumnOf<Table>;
  /** Column with the version of a row, which each change increments. */
  readonly version?: ColumnOf<Table>;
  /**
   * Computed columns, such as those that `settle` writes. A difference in them is no change, and undoing an update does
   * not restore them.
   */
  readonly derived?: readonly ColumnOf<Table>[];
  /**
   * The access flag that `undoChange` requires if the first row of a change is of this table. Default: the flag of the
   * contents.
   */
  readonly undoAccess?: AccessFlag;
  /**
   * For rows that are parts of an entity, such as its codes: the column with the uid of the entity, and the tables that
   * may contain the entity. If `undoRows` keeps an entity, it also keeps its parts.
   */
  readonly belongsTo?: { readonly column: ColumnOf<Table>; readonly tables: readonly string[] };
  /** Whether an undo skips a deleted row if a row that it refers to is gone, such as a grant of a deleted role. */
  readonly skippedIfReferenceGone?: boolean;
}

/** A row that cannot be restored, and the reason. */
export interface BlockedRow {
  readonly row: RowChange;
  readonly reason: LocalizedRefusal;
}

/**
 * The changed rows of each table with all columns: as they are after the change, or before it if they were deleted.
 */
export type ChangedRows<Tables> = {
  readonly [Name in keyof Tables]?: readonly Readonly<Record<ColumnOf<Tables[Name]>, unknown>>[];
};

export interface GuardedChange<Tables> {
  readonly transaction: Transaction<Tables>;
  readonly changed: ChangedRows<Tables>;
  /** The changed rows before the change. Created rows are missing. */
  readonly former: ChangedRows<Tables>;
  /** The author of the change or undo, also of a job, with the access from before the change. */
  readonly caller: Pick<Caller, 'uid' | 'access'>;
  /** Uids of all locations that the caller can access. */
  readonly accessible: ReadonlySet<string>;
}

export interface RecordedContents<Tables> {
  /** Parents before children. */
  readonly tables: { readonly [Name in keyof Tables]?: RecordedTable<Tables[Name]> };
  /**
   * Tables whose rows may be deleted together with a row that they refer to, such as visits of a node. They do not
   * prevent an undo.
   */
  readonly disposable?: readonly (keyof Tables & string)[];
  /**
   * The access flag that `undoChange` requires. It should be the flag of the changes themselves. Default: `configure`.
   */
  readonly undoAccess?: AccessFlag;
  /**
   * Throws if the author may not make this change. Called in the transaction of a change or of its undo, after the rows
   * are written and before `settle`.
   */
  readonly guard?: (change: GuardedChange<Tables>) => Promise<void>;
  /**
   * Updates data that depends on changed rows, in the transaction of the change or of its undo. `former` contains the
   * changed rows before the change; created rows are missing.
   */
  readonly settle?: (
    transaction: Transaction<Tables>,
    changed: ChangedRows<Tables>,
    former: ChangedRows<Tables>,
    change: WrittenChange,
  ) => Promise<void>;
  /**
   * Called after the commit of a change or of its undo, for example to notify other processes. Retried for some minutes
   * if it rejects. Not called for dry runs.
   */
  readonly announce?: (changed: ChangedRows<Tables>) => Promise<void>;
  /**
   * The locations to which an undo requires access, instead of the locations of the rows. Null means access to all
   * locations. Called outside of transactions.
   */
  readonly listLocationsRequiredForUndo?: (change: {
    readonly location: string;
    readonly rows: readonly RowChange[];
  }) => Promise<readonly (string | null)[]>;
  /**
   * Finds rows that cannot be restored because of a rule that no database constraint enforces. Receives all rows that
   * the undo would restore, before it restores any of them.
   */
  readonly findBlocked?: (
    transaction: Transaction<Tables>,
    rows: readonly RowChange[],
  ) => Promise<readonly BlockedRow[]>;
}

export interface ChangeAuthor {
  /** If `access` is missing, as in a job, the access of the person's roles applies. */
  readonly caller: Pick<Caller, 'uid'> & Partial<Pick<Caller, 'access'>>;
  readonly requestId: string;
}

/** The author of a change in a request to an endpoint. */
export interface CallAuthor extends ChangeAuthor {
  readonly caller: Caller;
}

export interface ChangeDescription {
  /** The uid of the change, for callers that store it in the same transaction. Default: a new one. */
  readonly uid?: string;
  /** The plugin and the action, such as `tour.deckSaved`. */
  readonly action: string;
  /** Uid of the changed entity. */
  readonly subject: string;
  /** The name of the entity, or the id of a plugin's message that contains the name. */
  readonly name: string;
  /** The location to which the entity belongs. Empty if it belongs to none. */
  readonly location: string;
}

/** The change that is being written, for plugins that keep their own history. */
export interface WrittenChange {
  readonly uid: string;
  readonly at: Date;
  /** Uid of the person. */
  readonly author: string;
  /** The uid of the change that this one undoes, or null. */
  readonly undoes: string | null;
}

/** The outcome for one row when a change is undone row by row. */
export interface UndoneRow {
  readonly table: string;
  readonly name: string;
  /** The code of its entity, if that has one. */
  readonly code: string | null;
  /**
   * Identifies the entity of the row. The row of an entity and those of its parts, such as its codes, have the same
   * text.
   */
  readonly entity: string;
  /** Whether the row is a part of an entity whose own row is in the change too. */
  readonly part: boolean;
  /**
   * KEPT: the row was changed since. BLOCKED: the former state cannot be restored. Parts share the outcome of a kept
   * entity.
   */
  readonly outcome: 'REVERSED' | 'KEPT' | 'BLOCKED';
  /** Null for REVERSED. */
  readonly reason: LocalizedError | null;
}

export interface UndoneChange {
  /** The change that restored the rows. Null if no row was restored, or after a dry run. */
  readonly change: string | null;
  readonly rows: readonly UndoneRow[];
}

export interface RecordedTransaction<Tables> {
  /** The query builder of the transaction, for the tables of the owner. */
  readonly tables: Transaction<Tables>;
  /**
   * Locks the rows with one of these values in a text column, and records how they, and new rows with these values,
   * change from now on. Must be called before a row is created, changed or deleted.
   */
  lockAndRecord<Name extends keyof Tables & string>(
    table: Name,
    column: ColumnOf<Tables[Name]>,
    values: readonly string[],
  ): Promise<void>;
}

/**
 * Changes of a plugin's contents that can be undone. A journal in core stores the rows before and after each change. It
 * is written in the transaction of the change, together with the audit entry.
 */
export interface ContentChanges<Tables> {
  /** Whether all other changes wait while one is written, because the embedded database has only one session. */
  readonly blocksOthers: boolean;
  /** Call it while the plugin is mounted, once for each schema of the owner. */
  register(contents: RecordedContents<Tables>): void;
  /** Runs `write` in a transaction. The returned change is null if no row differs afterwards. */
  apply(
    author: ChangeAuthor,
    change: ChangeDescription,
    write: (recordedTransaction: RecordedTransaction<Tables>) => Promise<void>,
  ): Promise<{ readonly change: string | null }>;
  /**
   * Waits until no other change of the owner is being written, and locks out further changes until the transaction
   * ends. For jobs.
   */
  lock(transaction: QueryExecutorProvider): Promise<void>;
  /**
   * Undoes a change of any owner row by row, and reports the outcome of each row. Rows that were changed since are
   * kept.
   *
   * @throws `notFound` (404); `noAccess` (403); `conflict` (409) if the change was already undone, or if a location is
   *   gone
   */
  undoRows(change: string, author: CallAuthor, options: { readonly dryRun: boolean }): Promise<UndoneChange>;
  /**
   * Maps each of these changes that is in effect to the change that put it into effect last: the change itself, or the
   * undo of its undo. Omits undone changes.
   */
  listEffectiveChanges(changes: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /**
   * Finds the change that created all these rows with these values and was not undone. The rows must contain their
   * keys.
   */
  findCreation<Name extends keyof Tables & string>(
    table: Name,
    rows: readonly Partial<Record<ColumnOf<Tables[Name]>, unknown>>[],
  ): Promise<{ readonly change: string; readonly author: string } | undefined>;
}
