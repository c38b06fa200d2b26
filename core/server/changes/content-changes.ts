import type { QueryExecutorProvider, Transaction } from 'kysely';
import type { AccessFlag, LocalizedError, LocalizedRefusal } from '#core';
import type { Caller } from '../access/caller.ts';
import type { RowChange } from './change-recorder.ts';

type ColumnOf<Table> = keyof Table & string;

/** Options by which changes of a table are recorded. */
export interface RecordedTable<Table = Record<string, unknown>> {
  /** Columns of the primary key. All are text. */
  readonly key: readonly ColumnOf<Table>[];
  /** Column with the location to which a row belongs. Whoever undoes a change needs access to it. */
  readonly location?: ColumnOf<Table>;
  /** Column with the name that refusals show. */
  readonly name?: ColumnOf<Table>;
  /** Column that counts the changes of a row. */
  readonly version?: ColumnOf<Table>;
  /** Columns that `settle` computes from others. They are neither compared nor restored. */
  readonly derived?: readonly ColumnOf<Table>[];
  /** The flag that `undoChange` needs if this is the first table of a change. Default: that of the contents. */
  readonly undoAccess?: AccessFlag;
  /**
   * For rows that are a part of an entity without a foreign key, such as its codes: the column with the entity's uid,
   * and the tables of entities. Undoing row by row keeps what belongs to a kept entity.
   */
  readonly belongsTo?: { readonly column: ColumnOf<Table>; readonly tables: readonly string[] };
  /** Whether undoing leaves out deleted rows if what they refer to is gone, such as the access of a deleted role. */
  readonly optional?: boolean;
}

/** A row that cannot be reversed. */
export interface BlockedRow {
  readonly row: RowChange;
  readonly reason: LocalizedRefusal;
}

/** The changed rows of a table: their columns, those of the state after the change if there is one. */
export type ChangedRows<Tables> = {
  readonly [Name in keyof Tables]?: readonly Readonly<Record<ColumnOf<Tables[Name]>, unknown>>[];
};

export interface GuardedChange<Tables> {
  readonly transaction: Transaction<Tables>;
  readonly changed: ChangedRows<Tables>;
  /** The changed rows as they were, if they existed. */
  readonly former: ChangedRows<Tables>;
  /** Whoever changes or undoes, also by a job, with the access from before the change. */
  readonly caller: Pick<Caller, 'uid' | 'access'>;
  /** Uids of all locations that the caller can access. */
  readonly accessible: ReadonlySet<string>;
}

export interface RecordedContents<Tables> {
  /** Parents before children. */
  readonly tables: { readonly [Name in keyof Tables]?: RecordedTable<Tables[Name]> };
  /** Tables whose rows vanish with a row without a word, such as visits of a node. */
  readonly disposable?: readonly (keyof Tables & string)[];
  /** The flag that `undoChange` needs, which should be that of the changes themselves. Default: `configure`. */
  readonly undoAccess?: AccessFlag;
  /**
   * Throws if the author may not change these rows so. Called in the transaction of a change or of its undo, when
   * the rows are written and before `settle`.
   */
  readonly guard?: (change: GuardedChange<Tables>) => Promise<void>;
  /**
   * Brings what depends on changed rows up to date, in the transaction of the change or of its undo. `former` are
   * the changed rows as they were, if they existed.
   */
  readonly settle?: (
    transaction: Transaction<Tables>,
    changed: ChangedRows<Tables>,
    former: ChangedRows<Tables>,
    change: WrittenChange,
  ) => Promise<void>;
  /**
   * Called after the commit of a change or of its undo, such as to tell other processes. Called again later if it
   * rejects, for some minutes. Not called for dry runs.
   */
  readonly announce?: (changed: ChangedRows<Tables>) => Promise<void>;
  /**
   * The locations to which undoing a change needs access, in place of those of its rows. Null is access to all. Called
   * outside of transactions.
   */
  readonly listPlaces?: (change: {
    readonly location: string;
    readonly rows: readonly RowChange[];
  }) => Promise<readonly (string | null)[]>;
  /** Finds rows that a rule of no constraint forbids to reverse, with the others. Called before any is reversed. */
  readonly findBlocked?: (
    transaction: Transaction<Tables>,
    rows: readonly RowChange[],
  ) => Promise<readonly BlockedRow[]>;
}

export interface ChangeAuthor {
  /** Without access, such as by a job, it is that of the person's roles. */
  readonly caller: Pick<Caller, 'uid'> & Partial<Pick<Caller, 'access'>>;
  readonly requestId: string;
}

/** The author of a change in a call of an endpoint. */
export interface CallAuthor extends ChangeAuthor {
  readonly caller: Caller;
}

export interface ChangeDescription {
  /** Uid of the change, if the caller stores it in the same transaction. Default: a new one. */
  readonly uid?: string;
  /** The plugin and the action, such as `tour.deckSaved`. */
  readonly action: string;
  /** Uid of the changed entity. */
  readonly subject: string;
  /** The name of the entity, or the id of a plugin's message with the name. */
  readonly name: string;
  /** The location to which the entity belongs. Empty if it belongs to none. */
  readonly location: string;
}

/** The change that is being written, for plugins with their own history. */
export interface WrittenChange {
  readonly uid: string;
  readonly at: Date;
  /** Uid of the person. */
  readonly author: string;
  /** Uid of the change that it takes back, or null. */
  readonly undoes: string | null;
}

/** The outcome for one row when a change is undone row by row. */
export interface UndoneRow {
  readonly table: string;
  readonly name: string;
  /** The code of its entity, if that has one. */
  readonly code: string | null;
  /** The same text for an entity and its parts in the change, such as its codes. */
  readonly entity: string;
  /** Whether it is a part of another entity of the change. */
  readonly part: boolean;
  /** KEPT: changed since. BLOCKED: the former row is not possible any more. */
  readonly outcome: 'REVERSED' | 'KEPT' | 'BLOCKED';
  /** Null if it is reversed. */
  readonly reason: LocalizedError | null;
}

export interface UndoneChange {
  /** The change that reversed the rows. Null if there is none, or after a dry run. */
  readonly change: string | null;
  readonly rows: readonly UndoneRow[];
}

export interface RecordedTransaction<Tables> {
  readonly tables: Transaction<Tables>;
  /**
   * Locks the rows with one of these values in a text column, and records how they and new rows with them are changed
   * from now on. Must be called before a row is created, changed or deleted.
   */
  record<Name extends keyof Tables & string>(
    table: Name,
    column: ColumnOf<Tables[Name]>,
    values: readonly string[],
  ): Promise<void>;
}

/**
 * Changes of a plugin's contents that can be undone. A journal in core has the rows before and after, written in the
 * same transaction as the change and its audit entry.
 */
export interface ContentChanges<Tables> {
  /** Whether the changes of others wait while a change is written: the embedded database has one session. */
  readonly blocksOthers: boolean;
  /** Call it while the plugin is mounted, once for each schema of the owner. */
  register(contents: RecordedContents<Tables>): void;
  /** Runs `write` in a transaction. The change is null if no row differs afterwards. */
  apply(
    author: ChangeAuthor,
    change: ChangeDescription,
    write: (recorded: RecordedTransaction<Tables>) => Promise<void>,
  ): Promise<{ readonly change: string | null }>;
  /** Waits for the change that is being written, and holds others back until the transaction ends. For jobs. */
  lock(transaction: QueryExecutorProvider): Promise<void>;
  /**
   * Reverses the rows of a change, of any plugin, that were not changed since, and reports each row. The others are
   * kept as they are.
   *
   * @throws `notFound` (404); `noAccess` (403); `conflict` (409) if it was undone already, or if a place is gone
   */
  undoRows(change: string, author: CallAuthor, options: { readonly dryRun: boolean }): Promise<UndoneChange>;
  /**
   * The changes by which these ones stand today: each itself, or the undo of its undo. Changes that are undone
   * are left out.
   */
  listStanding(changes: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /**
   * Finds the change that created rows with these values, all of them, and that was not undone. The rows contain their
   * keys.
   */
  findCreation<Name extends keyof Tables & string>(
    table: Name,
    rows: readonly Partial<Record<ColumnOf<Tables[Name]>, unknown>>[],
  ): Promise<{ readonly change: string; readonly author: string } | undefined>;
}
