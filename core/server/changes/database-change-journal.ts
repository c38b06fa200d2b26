import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { sql, type QueryExecutorProvider, type Selectable, type Transaction } from 'kysely';
import type { AccessFlag } from '#core';
import { coreRefusal } from '#core/api';
import type { Caller } from '../access/caller.ts';
import type { LocationStore } from '../access/location-store.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { Database } from '../database/database.ts';
import { toPluginSchema } from '../database/migrate.ts';
import type { Clock } from '../kernel/clock.ts';
import {
  DatabaseUnavailableError,
  isForeignKeyViolation,
  isStatementTimeout,
  isUniqueViolation,
} from '../kernel/database-error.ts';
import { conflict, noAccess, notFound } from '../kernel/server-error.ts';
import { ChangeRecorder, type RecordedTables, type RowChange } from './change-recorder.ts';
import type { ChangeTables, JsonRow } from './change-tables.ts';
import type {
  ChangeAuthor,
  ChangeDescription,
  ChangedRows,
  ContentChanges,
  RecordedContents,
  RecordedTable,
  UndoneRow,
} from './content-changes.ts';
import { toKeyText } from './keyed-rows.ts';
import { recordRows, restoreChange, type RestoredContents } from './restore-change.ts';
import { restoreRowByRow } from './restore-row-by-row.ts';
import { incrementVersions } from './restore-rows.ts';
import type { ChangeJournal } from './change-journal.ts';

interface JournalOptions {
  readonly database: Database;
  readonly locations: LocationStore;
  readonly audit: AuditLog;
  readonly clock: Clock;
}

type AnyContents = RecordedContents<Record<string, JsonRow>>;

/** The contents that an owner registered, of each of its schemas. */
interface Owner {
  readonly id: string;
  readonly schemas: readonly string[];
  readonly tables: RecordedTables;
  readonly disposable: readonly string[];
  readonly parts: readonly AnyContents[];
}

/** The change of one transaction. */
interface WrittenChange {
  /** Null if no row differs. */
  readonly uid: string | null;
  readonly changed: ChangedRows<Record<string, JsonRow>>;
  /** The changed rows as they were, if they existed. */
  readonly former: ChangedRows<Record<string, JsonRow>>;
}

interface StoredChange extends Selectable<ChangeTables['change']> {
  readonly rows: readonly RowChange[];
}

/** Rolls the transaction of a dry run back. */
class DryRunEndedError extends Error {
  override readonly name = 'DryRunEndedError';
}

interface UndoAuthor {
  readonly caller: Caller;
  readonly requestId: string;
}

type AnyTransaction = Transaction<Record<string, JsonRow>>;

/** Rows per insert into the journal. */
const rowsPerInsert = 10_000;
/** The audit log of a change with more rows has their number only. */
const maxAuditedRows = 50;

export class DatabaseChangeJournal implements ChangeJournal {
  readonly #options: JournalOptions;
  readonly #owners = new Map<string, Owner>();

  constructor(options: JournalOptions) {
    this.#options = options;
  }

  of<Tables>(owner: string, schema = toPluginSchema(owner)): ContentChanges<Tables> {
    return {
      register: (contents) => {
        const { schemas, tables, disposable, parts } = this.#owners.get(owner) ?? noContents;
        if (schemas.includes(schema)) throw new Error(`'${owner}' has registered its contents already.`);
        const own = (Object.entries(contents.tables) as [string, RecordedTable][]).map(
          ([table, options]) => [table, { ...options, schema }] as const,
        );
        // Rows of the journal have the name of their table alone.
        const twin = own.find(([table]) => tables.has(table));
        if (twin) throw new Error(`'${owner}' has registered a table '${twin[0]}' of another schema already.`);
        this.#owners.set(owner, {
          id: owner,
          schemas: [...schemas, schema],
          tables: new Map([...tables, ...own]),
          disposable: [...disposable, ...(contents.disposable ?? [])],
          parts: [...parts, contents as unknown as AnyContents],
        });
      },
      apply: async (author, change, write) => {
        const contents = this.#find(owner);
        const uid = await this.#begin(contents, (transaction) =>
          this.#record(contents, transaction, author, change, (recorder) =>
            write({
              tables: transaction.withSchema(schema) as unknown as Transaction<Tables>,
              record: (table, column, values) => recorder.record(table, column, values),
            }),
          ),
        );
        return { change: uid };
      },
      lock: (transaction) => lockChanges(transaction, owner),
      undoRows: (change, author, options) => this.#undoRows(change, author, options),
      listStanding: (changes) => this.#listStanding(changes),
      findCreation: (table, rows) => this.#findCreation(this.#find(owner), table, rows),
    };
  }

  async undo(uid: string, caller: Caller, requestId: string): Promise<{ readonly change: string | null }> {
    const change = await this.#load(uid);
    const contents = this.#find(change.owner);
    if (!caller.access.flags.includes(this.undoAccessOf(change.owner))) throw noAccess();
    try {
      return { change: await this.#undo(change, contents, { caller, requestId }, restoreChange) };
    } catch (cause) {
      if (isForeignKeyViolation(cause)) throw conflict(coreRefusal('core.refused.undoNeeds', { name: change.name }));
      if (isUniqueViolation(cause)) throw conflict(coreRefusal('core.refused.undoTaken', { name: change.name }));
      throw cause;
    }
  }

  undoAccessOf(owner: string): AccessFlag {
    return this.#owners.get(owner)?.parts.find(({ undoAccess }) => undoAccess)?.undoAccess ?? 'configure';
  }

  async #undoRows(uid: string, author: UndoAuthor, { dryRun }: { readonly dryRun: boolean }) {
    const change = await this.#load(uid);
    let rows: readonly UndoneRow[] = [];
    try {
      const undone = await this.#undo(change, this.#find(change.owner), author, async (...restored) => {
        rows = await restoreRowByRow(...restored);
        if (dryRun) throw new DryRunEndedError();
      });
      return { change: undone, rows };
    } catch (error) {
      if (!(error instanceof DryRunEndedError)) throw error;
      return { change: null, rows };
    }
  }

  /** Runs the reverse of a change as a change of its own. */
  async #undo(
    change: StoredChange,
    contents: Owner,
    { caller, requestId }: UndoAuthor,
    restore: (
      transaction: AnyTransaction,
      recorder: ChangeRecorder,
      contents: RestoredContents,
      change: StoredChange,
    ) => Promise<void>,
  ): Promise<string | null> {
    await this.#assertAccess(contents, change, caller);
    const accessible = new Set(await this.#options.locations.accessible(caller));
    const { subject, name, location } = change;
    const description = { action: `${change.owner}.changeUndone`, subject, name, location };
    return this.#begin(contents, async (transaction) => {
      const journal = (transaction as unknown as Transaction<ChangeTables>).withSchema('core');
      const { undone_by } = await journal
        .selectFrom('change')
        .select('undone_by')
        .where('uid', '=', change.uid)
        .forUpdate()
        .executeTakeFirstOrThrow();
      if (undone_by !== null) throw conflict(coreRefusal('core.refused.undoDone'));
      const undoing = await this.#record(
        contents,
        transaction,
        { caller, requestId },
        description,
        async (recorder) => {
          await recordRows(recorder, contents.tables, change.rows);
          // The author may have changed others by the way, such as the first node of a tour above.
          if (change.author !== caller.uid) assertRowAccess(contents, recorder, change.rows, accessible);
          await restore(transaction, recorder, toRestored(contents, transaction), change);
        },
        change.uid,
      );
      for (const { assertUndo } of contents.parts) await assertUndo?.({ transaction, ...undoing, caller, accessible });
      await journal
        .updateTable('change')
        .set({ undone_by: undoing.uid ?? change.uid })
        .where('uid', '=', change.uid)
        .execute();
      return undoing;
    });
  }

  #find(owner: string): Owner {
    const contents = this.#owners.get(owner);
    if (!contents) throw notFound('This change');
    return contents;
  }

  /**
   * Runs one change of a plugin at a time. `settle` computes columns from rows that the change does not lock, so two
   * changes at once would compute them from each other's former rows.
   */
  async #begin(
    { id, schemas: [schema = ''], parts }: Owner,
    run: (transaction: AnyTransaction) => Promise<WrittenChange>,
  ): Promise<string | null> {
    const { uid, changed } = await this.#options.database
      .of<Record<string, JsonRow>>(schema)
      .transaction()
      .execute(async (transaction) => {
        await lockChanges(transaction, id);
        return run(transaction);
      });
    if (uid !== null) for (const { announce } of parts) await announce?.(changed);
    return uid;
  }

  /** Runs `write`, and writes the journal and the audit log. */
  async #record(
    { id, tables, parts }: Owner,
    transaction: AnyTransaction,
    { caller, requestId }: ChangeAuthor,
    { uid = randomUUID(), action, subject, name, location }: ChangeDescription,
    write: (recorder: ChangeRecorder) => Promise<void>,
    undoes: string | null = null,
  ): Promise<WrittenChange> {
    const { audit, clock } = this.#options;
    const recorder = new ChangeRecorder(transaction, tables);
    await write(recorder);
    const changes = await recorder.findChanges();
    if (changes.length === 0) return { uid: null, changed: {}, former: {} };
    const rows = changes.map((change) => recorder.toRowChange(change));
    for (const [table, { schema, version, key }] of tables) {
      const updated = rows.filter((row) => row.table === table && row.before && row.after);
      if (version !== undefined && updated.length > 0)
        await incrementVersions(transaction, { schema, table, version, key }, updated);
    }
    const changed: Record<string, JsonRow[]> = {};
    const former: Record<string, JsonRow[]> = {};
    for (const { table, before, after } of changes) {
      (changed[table] ??= []).push(after ?? before ?? {});
      if (before) (former[table] ??= []).push(before);
    }
    for (const { guard } of parts) await guard?.(transaction, changed, former, caller);
    for (const { settle } of parts) await settle?.(transaction, changed, former);
    const journal = (transaction as unknown as Transaction<ChangeTables>).withSchema('core');
    await journal
      .insertInto('change')
      .values({
        uid,
        at: new Date(clock.now()),
        author: caller.uid,
        owner: id,
        action,
        subject,
        name,
        location,
        undoes,
        undone_by: null,
      })
      .execute();
    for (let start = 0; start < rows.length; start += rowsPerInsert) {
      const part = rows.slice(start, start + rowsPerInsert).map((row, index) => ({ number: start + index, ...row }));
      // A JSON null is the absence of a row.
      await sql`
        insert into core.change_row (change, number, table_name, key, before, after)
        select ${uid}, number, "table", key, nullif(before, 'null'), nullif(after, 'null')
        from jsonb_to_recordset(${JSON.stringify(part)}::jsonb)
          as row (number integer, "table" text, key jsonb, before jsonb, after jsonb)`.execute(transaction);
    }
    await audit.record(
      {
        actor: caller.uid,
        action,
        subject,
        name,
        // Changes of a whole product, such as of masters, have no location.
        ...(location === '' ? {} : { location }),
        details: {
          change: uid,
          ...(rows.length > maxAuditedRows ? { rows: rows.length } : { rows }),
          ...(undoes === null ? {} : { undoes }),
        },
        request: requestId,
      },
      transaction,
    );
    return { uid, changed, former };
  }

  async #load(uid: string): Promise<StoredChange> {
    const tables = this.#options.database.of<ChangeTables>('core');
    const change = await tables.selectFrom('change').selectAll().where('uid', '=', uid).executeTakeFirst();
    if (!change) throw notFound('This change');
    const rows = await tables
      .selectFrom('change_row')
      .select(['table_name as table', 'key', 'before', 'after'])
      .where('change', '=', uid)
      .orderBy('number')
      .execute();
    return { ...change, rows };
  }

  /** @throws `noAccess` (403); `conflict` (409) if one of the locations is gone */
  async #assertAccess({ tables, parts }: Owner, change: StoredChange, caller: Caller): Promise<void> {
    const { locations } = this.#options;
    const listPlaces = parts.find((part) => part.listPlaces)?.listPlaces;
    const places = new Set(listPlaces ? await listPlaces(change) : listRowPlaces(tables, change));
    for (const place of places) {
      if (place === null) {
        if (caller.access.locations !== 'ALL') throw noAccess();
        continue;
      }
      if (!(await locations.find(place))) throw conflict(coreRefusal('core.refused.undoNeeds', { name: change.name }));
      if (!(await locations.canAccess(caller, place))) throw noAccess();
    }
  }

  async #listStanding(changes: readonly string[]): Promise<ReadonlyMap<string, string>> {
    // A change whose rows are all kept is undone by itself.
    const { rows } = await sql<{ change: string; standing: string; undoings: number }>`
      with recursive link as (
        select uid as change, uid as standing, 0 as undoings, undone_by from core.change
        where uid = any(${[...changes]}::text[])
        union all
        select link.change, following.uid, undoings + 1, nullif(following.undone_by, following.uid)
        from link join core.change as following on following.uid = link.undone_by
      )
      select distinct on (change) change, standing, undoings from link
      order by change, undoings desc`.execute(this.#options.database.of<ChangeTables>('core'));
    return new Map(rows.flatMap((row) => (row.undoings % 2 === 0 ? [[row.change, row.standing] as const] : [])));
  }

  async #findCreation(
    { id, tables: recorded }: Owner,
    table: string,
    rows: readonly JsonRow[],
  ): Promise<{ readonly change: string; readonly author: string } | undefined> {
    const tables = this.#options.database.of<ChangeTables>('core');
    const { key = [] } = recorded.get(table) ?? {};
    // As the database describes them: -0 is 0.
    const wanted = JSON.parse(JSON.stringify(rows)) as readonly JsonRow[];
    const firstKey = JSON.stringify(Object.fromEntries(key.map((column) => [column, wanted[0]?.[column]])));
    const change = await tables
      .selectFrom('change_row')
      .innerJoin('change', 'change.uid', 'change_row.change')
      .select(['change.uid', 'change.author'])
      .where('change.owner', '=', id)
      .where('change.undone_by', 'is', null)
      .where('table_name', '=', table)
      .where(sql<boolean>`key = ${firstKey}::jsonb`)
      .where('before', 'is', null)
      .orderBy('change.at', 'desc')
      .executeTakeFirst();
    if (!change) return undefined;
    const created = await tables
      .selectFrom('change_row')
      .select('after')
      .where('change', '=', change.uid)
      .where('table_name', '=', table)
      .where('before', 'is', null)
      .execute();
    const byKey = new Map(created.map(({ after }) => [toKeyText({ key }, after ?? {}), after]));
    const isSame = wanted.every((row) => {
      const after = byKey.get(toKeyText({ key }, row));
      return after && Object.entries(row).every(([column, value]) => isDeepStrictEqual(after[column], value));
    });
    return isSame ? { change: change.uid, author: change.author } : undefined;
  }
}

const noContents: Omit<Owner, 'id'> = { schemas: [], tables: new Map(), disposable: [], parts: [] };

const toRestored = ({ tables, disposable, parts }: Owner, transaction: AnyTransaction): RestoredContents => ({
  tables,
  disposable,
  findBlocked: async (rows) => {
    const blocked = [];
    for (const { findBlocked } of parts) blocked.push(...((await findBlocked?.(transaction, rows)) ?? []));
    return blocked;
  },
});

/** The location of a change and those of its rows, before and after. */
function listRowPlaces(tables: RecordedTables, { location, rows }: StoredChange): readonly string[] {
  const places = location === '' ? [] : [location];
  for (const { table, before, after } of rows) {
    const column = tables.get(table)?.location;
    if (column === undefined) continue;
    for (const place of [before?.[column], after?.[column]]) if (typeof place === 'string') places.push(place);
  }
  return places;
}

/** @throws `DatabaseUnavailableError` if a large change takes longer than a statement may wait */
async function lockChanges(transaction: QueryExecutorProvider, owner: string): Promise<void> {
  try {
    // Rows are compared as JSON, in which a time has the offset of the session. A plan is for the rows of this change:
    // one that suits the usual few takes minutes for many.
    await sql`
      select pg_advisory_xact_lock(hashtext(${`core.change.${owner}`})), set_config('TimeZone', 'UTC', true),
        set_config('plan_cache_mode', 'force_custom_plan', true)`.execute(transaction);
  } catch (error) {
    if (!isStatementTimeout(error)) throw error;
    throw new DatabaseUnavailableError(`A large change of '${owner}' is being written.`, { cause: error });
  }
}

/** Changed rows are recorded without the columns that stayed the same, so their location is that of the present row. */
function assertRowAccess(
  { tables }: Owner,
  recorder: ChangeRecorder,
  rows: readonly RowChange[],
  accessible: ReadonlySet<string>,
): void {
  for (const { table, key } of rows) {
    const place = recorder.findBefore(table, key)?.[tables.get(table)?.location ?? ''];
    if (typeof place === 'string' && !accessible.has(place)) throw noAccess();
  }
}
