import { randomUUID } from 'node:crypto';
import { sql, type Kysely, type QueryExecutorProvider, type Transaction } from 'kysely';
import type { AccessFlag } from '#core';
import { coreRefusal } from '#core/api';
import type { Caller } from '../access/caller.ts';
import { computeAccess } from '../access/compute-access.ts';
import type { LocationStore } from '../access/location-store.ts';
import type { Roles } from '../access/roles.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { Database } from '../database/database.ts';
import { toPluginSchema } from '../database/migrate.ts';
import { expectManyRows, planEachStatement } from '../database/pool-driver.ts';
import type { Clock } from '../kernel/clock.ts';
import { collectGarbage } from '../kernel/garbage-collection.ts';
import {
  DatabaseUnavailableError,
  isForeignKeyViolation,
  isStatementTimeout,
  isUniqueViolation,
} from '../kernel/database-error.ts';
import { conflict, noAccess, notFound } from '../kernel/server-error.ts';
import { ChangeRecorder, type RecordedTables } from './change-recorder.ts';
import type { ChangeTables, JsonRow } from './change-tables.ts';
import type {
  CallAuthor,
  ChangeAuthor,
  ChangeDescription,
  ChangedRows,
  ContentChanges,
  GuardedChange,
  RecordedContents,
  RecordedTable,
  UndoneRow,
} from './content-changes.ts';
import { lockAndRecordRows, restoreChange, type RestoredContents } from './restore-change.ts';
import { restoreRowByRow } from './restore-row-by-row.ts';
import { incrementVersions } from './restore-rows.ts';
import { findCreation, insertChange, listEffectiveChanges, loadChange, type StoredChange } from './stored-changes.ts';
import { assertUndoLocations, assertRowAccess } from './undo-access.ts';
import type { ChangeAnnouncer } from './change-announcer.ts';
import type { ChangeJournal } from './change-journal.ts';

interface JournalOptions {
  readonly database: Database;
  readonly locations: LocationStore;
  readonly roles: Pick<Roles, 'listOf'>;
  readonly audit: AuditLog;
  readonly announcer: Pick<ChangeAnnouncer, 'announce'>;
  readonly clock: Clock;
}

/** The registration of an owner for one schema. Its hooks get transactions that are bound to this schema. */
type Registration = RecordedContents<Record<string, JsonRow>> & { readonly schema: string };

/** An owner with its registrations for all of its schemas. */
interface Owner {
  readonly id: string;
  readonly schemas: readonly string[];
  readonly tables: RecordedTables;
  readonly disposable: readonly string[];
  readonly registrations: readonly Registration[];
}

/** The change of one transaction. */
interface RecordedChange {
  /** Null if no row differs. */
  readonly uid: string | null;
  readonly changed: ChangedRows<Record<string, JsonRow>>;
  /** The changed rows before the change. Created rows are missing. */
  readonly former: ChangedRows<Record<string, JsonRow>>;
}

/** Thrown to roll back the transaction of a dry run. */
class NothingWrittenError extends Error {
  override readonly name = 'NothingWrittenError';
}

/** The author of a change, with the access that guards check. `access` is undefined if no registration has a guard. */
interface AuthorWithAccess {
  readonly uid: string;
  readonly requestId: string;
  readonly access?: Pick<GuardedChange<unknown>, 'caller' | 'accessible'>;
}

type AnyTransaction = Transaction<Record<string, JsonRow>>;

/** For a change with more rows, the audit log contains only their number. */
const maxAuditedRows = 50;
const largeChangeRows = 10_000;

export class DatabaseChangeJournal implements ChangeJournal {
  readonly #options: JournalOptions;
  readonly #owners = new Map<string, Owner>();

  constructor(options: JournalOptions) {
    this.#options = options;
  }

  of<Tables>(owner: string, schema = toPluginSchema(owner)): ContentChanges<Tables> {
    return {
      blocksOthers: this.#options.database.kind === 'embedded',
      register: (contents) => {
        const { schemas, tables, disposable, registrations } = this.#owners.get(owner) ?? emptyOwner;
        if (schemas.includes(schema)) throw new Error(`'${owner}' has registered its contents already.`);
        const ownTables = (Object.entries(contents.tables) as [string, RecordedTable][]).map(
          ([table, options]) => [table, { ...options, schema }] as const,
        );
        // Journal rows contain the name of their table without its schema.
        const duplicateTable = ownTables.find(([table]) => tables.has(table));
        if (duplicateTable)
          throw new Error(`'${owner}' has registered a table '${duplicateTable[0]}' of another schema already.`);
        this.#owners.set(owner, {
          id: owner,
          schemas: [...schemas, schema],
          tables: new Map([...tables, ...ownTables]),
          disposable: [...disposable, ...(contents.disposable ?? [])],
          registrations: [...registrations, { ...(contents as unknown as Registration), schema }],
        });
      },
      apply: async (author, change, write) => {
        const contents = this.#find(owner);
        const authorWithAccess = await this.#loadAuthorAccess(contents, author);
        const uid = await this.#runAndFreeMemory(contents, (transaction) =>
          this.#record(contents, transaction, authorWithAccess, change, (recorder) =>
            write({
              tables: transaction.withSchema(schema) as unknown as Transaction<Tables>,
              lockAndRecord: (table, column, values) => recorder.lockAndRecord(table, column, values),
            }),
          ),
        );
        return { change: uid };
      },
      lock: (transaction) => lockChanges(transaction, owner),
      undoRows: (change, author, options) => this.#undoRows(change, author, options),
      listEffectiveChanges: (changes) => listEffectiveChanges(this.#tables(), changes),
      findCreation: (table, rows) => {
        const { id, tables } = this.#find(owner);
        return findCreation(this.#tables(), id, { table, key: tables.get(table)?.key ?? [] }, rows);
      },
    };
  }

  async undo(uid: string, caller: Caller, requestId: string): Promise<{ readonly change: string | null }> {
    const change = await loadChange(this.#tables(), uid);
    const contents = this.#find(change.owner);
    if (!caller.access.flags.includes(this.undoAccessOf(change.owner, change.rows[0]?.table))) throw noAccess();
    try {
      return { change: await this.#undo(change, contents, { caller, requestId }, restoreChange) };
    } catch (cause) {
      if (isForeignKeyViolation(cause)) throw conflict(coreRefusal('core.refused.undoNeeds', { name: change.name }));
      if (isUniqueViolation(cause)) throw conflict(coreRefusal('core.refused.undoTaken', { name: change.name }));
      throw cause;
    }
  }

  undoAccessOf(owner: string, table: string | undefined): AccessFlag {
    const { tables, registrations } = this.#owners.get(owner) ?? emptyOwner;
    const tableAccess = tables.get(table ?? '')?.undoAccess;
    return tableAccess ?? registrations.find(({ undoAccess }) => undoAccess)?.undoAccess ?? 'configure';
  }

  async #undoRows(uid: string, author: CallAuthor, { dryRun }: { readonly dryRun: boolean }) {
    const change = await loadChange(this.#tables(), uid);
    let rows: readonly UndoneRow[] = [];
    try {
      const undone = await this.#undo(change, this.#find(change.owner), author, async (...restoreArgs) => {
        rows = await restoreRowByRow(...restoreArgs);
        if (dryRun || rows.every(({ outcome }) => outcome !== 'REVERSED')) throw new NothingWrittenError();
      });
      return { change: undone, rows };
    } catch (error) {
      if (!(error instanceof NothingWrittenError)) throw error;
      return { change: null, rows };
    }
  }

  /** Undoes a change by a new change that `restore` writes. */
  async #undo(
    change: StoredChange,
    contents: Owner,
    { caller, requestId }: CallAuthor,
    restore: (
      transaction: AnyTransaction,
      recorder: ChangeRecorder,
      contents: RestoredContents,
      change: StoredChange,
    ) => Promise<void>,
  ): Promise<string | null> {
    await assertUndoLocations(this.#options.locations, contents, change, caller);
    const authorWithAccess = await this.#loadAuthorAccess(contents, { caller, requestId });
    const accessibleUids = new Set(await this.#options.locations.accessible(caller));
    const { subject, name, location } = change;
    const description = { action: `${change.owner}.changeUndone`, subject, name, location };
    return this.#runAndFreeMemory(contents, async (transaction) => {
      await expectManyRows(transaction, change.rows.length);
      const journal = (transaction as unknown as Transaction<ChangeTables>).withSchema('core');
      const { undone_by } = await journal
        .selectFrom('change')
        .select('undone_by')
        .where('uid', '=', change.uid)
        .forUpdate()
        .executeTakeFirstOrThrow();
      if (undone_by !== null) throw conflict(coreRefusal('core.refused.undoDone'));
      const undoChange = await this.#record(
        contents,
        transaction,
        authorWithAccess,
        description,
        async (recorder) => {
          await lockAndRecordRows(recorder, contents.tables, change.rows);
          // The author of the change may also undo its side effects on rows at inaccessible locations, such as on the
          // first node of a tour of a higher location.
          if (change.author !== caller.uid) assertRowAccess(contents, recorder, change.rows, accessibleUids);
          await restore(transaction, recorder, toRestoredContents(contents, transaction), change);
        },
        change.uid,
      );
      await journal
        .updateTable('change')
        .set({ undone_by: undoChange.uid ?? change.uid })
        .where('uid', '=', change.uid)
        .execute();
      return undoChange;
    });
  }

  /**
   * Loads the access before the transaction, so that nobody can widen their own access and use it in the same change.
   */
  async #loadAuthorAccess({ registrations }: Owner, { caller, requestId }: ChangeAuthor): Promise<AuthorWithAccess> {
    const { uid } = caller;
    if (!registrations.some(({ guard }) => guard)) return { uid, requestId };
    const { locations, roles } = this.#options;
    const access = caller.access ?? computeAccess(await roles.listOf(uid));
    return {
      uid,
      requestId,
      access: { caller: { uid, access }, accessible: new Set(await locations.accessible({ access })) },
    };
  }

  #tables(): Kysely<ChangeTables> {
    return this.#options.database.of<ChangeTables>('core');
  }

  #find(owner: string): Owner {
    const contents = this.#owners.get(owner);
    if (!contents) throw notFound('This change');
    return contents;
  }

  /** Runs a change, and then frees the memory of a large one, because V8 would retain several hundred megabytes. */
  async #runAndFreeMemory(
    owner: Owner,
    run: (transaction: AnyTransaction) => Promise<RecordedChange>,
  ): Promise<string | null> {
    const { uid, rowCount } = await this.#runAndAnnounce(owner, run);
    if (rowCount >= largeChangeRows) await collectGarbage();
    return uid;
  }

  /**
   * Runs one change of an owner at a time, and announces it after its commit. `settle` computes columns from rows that
   * the change does not lock, so two concurrent changes would compute them from each other's former rows.
   */
  async #runAndAnnounce(
    { id, schemas: [schema = ''], registrations }: Owner,
    run: (transaction: AnyTransaction) => Promise<RecordedChange>,
  ): Promise<{ readonly uid: string | null; readonly rowCount: number }> {
    const { uid, changed } = await this.#options.database
      .of<Record<string, JsonRow>>(schema)
      .transaction()
      .execute(async (transaction) => {
        await lockChanges(transaction, id);
        return run(transaction);
      });
    if (uid !== null)
      for (const { announce } of registrations)
        if (announce) await this.#options.announcer.announce(uid, announce, changed);
    return { uid, rowCount: Object.values(changed).reduce((sum, rows) => sum + (rows?.length ?? 0), 0) };
  }

  /** Runs `write`, and then writes the journal and the audit log. */
  async #record(
    { id, tables, registrations }: Owner,
    transaction: AnyTransaction,
    authorWithAccess: AuthorWithAccess,
    { uid = randomUUID(), action, subject, name, location }: ChangeDescription,
    write: (recorder: ChangeRecorder) => Promise<void>,
    undoes: string | null = null,
  ): Promise<RecordedChange> {
    const { audit, clock } = this.#options;
    const recorder = new ChangeRecorder(transaction, tables);
    await write(recorder);
    const changes = await recorder.findChanges();
    if (changes.length === 0) return { uid: null, changed: {}, former: {} };
    const toRow = recorder.toRowChange.bind(recorder);
    for (const [table, { schema, version, key }] of tables) {
      if (version === undefined) continue;
      const updatedRows = changes.flatMap((change) => {
        const { table: changedTable, before, after } = change;
        // A statement that changes many rows may have incremented the version itself.
        return changedTable === table && before && after && before[version] === after[version] ? toRow(change) : [];
      });
      if (updatedRows.length > 0) await incrementVersions(transaction, { schema, table, version, key }, updatedRows);
    }
    const changedRows: Record<string, JsonRow[]> = {};
    const formerRows: Record<string, JsonRow[]> = {};
    for (const { table, before, after } of changes) {
      (changedRows[table] ??= []).push(after ?? before ?? {});
      if (before) (formerRows[table] ??= []).push(before);
    }
    const bind = ({ schema }: Registration): AnyTransaction => transaction.withSchema(schema);
    if (authorWithAccess.access)
      for (const part of registrations)
        await part.guard?.({
          transaction: bind(part),
          changed: changedRows,
          former: formerRows,
          ...authorWithAccess.access,
        });
    const writtenChange = { uid, at: new Date(clock.now()), author: authorWithAccess.uid, undoes };
    for (const part of registrations) await part.settle?.(bind(part), changedRows, formerRows, writtenChange);
    await insertChange(
      transaction,
      { ...writtenChange, owner: id, action, subject, name, location, undone_by: null },
      changes,
      toRow,
    );
    await audit.record(
      {
        actor: authorWithAccess.uid,
        action,
        subject,
        name,
        // Changes of a whole product, such as of masters, have no location.
        ...(location === '' ? {} : { location }),
        details: {
          change: uid,
          rows: changes.length > maxAuditedRows ? changes.length : changes.map(toRow),
          ...(undoes === null ? {} : { undoes }),
        },
        request: authorWithAccess.requestId,
      },
      transaction,
    );
    return { uid, changed: changedRows, former: formerRows };
  }
}

const emptyOwner: Omit<Owner, 'id'> = { schemas: [], tables: new Map(), disposable: [], registrations: [] };

const toRestoredContents = (
  { tables, disposable, registrations }: Owner,
  transaction: AnyTransaction,
): RestoredContents => ({
  tables,
  disposable,
  findBlocked: async (rows) => {
    const blockedRows = [];
    for (const { schema, findBlocked } of registrations)
      blockedRows.push(...((await findBlocked?.(transaction.withSchema(schema), rows)) ?? []));
    return blockedRows;
  },
});

/** @throws `DatabaseUnavailableError` if another change takes longer than the time limit of a statement */
async function lockChanges(transaction: QueryExecutorProvider, owner: string): Promise<void> {
  try {
    await planEachStatement(transaction);
    // Rows are compared as JSON, in which times have the session's time zone offset.
    await sql`
      select pg_advisory_xact_lock(hashtext(${`core.change.${owner}`})), set_config('TimeZone', 'UTC', true)`.execute(
      transaction,
    );
  } catch (error) {
    if (!isStatementTimeout(error)) throw error;
    throw new DatabaseUnavailableError(`A large change of '${owner}' is being written.`, { cause: error });
  }
}
