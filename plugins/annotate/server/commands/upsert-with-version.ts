import type { Kysely } from 'kysely';
import { AuditLog, versionConflict, isUniqueViolation, noAccess, notFound, type Caller } from '#core/server';
import type { AnnotateTables } from '../tables.ts';
import type { AnnotateContext } from '../queries/annotate-context.ts';
import { loadCallerName } from '../queries/authors.ts';
import { canChange } from '../queries/visible-rows.ts';

/** The columns of all items that can be private or shared. */
interface SharedRow {
  readonly location: string;
  readonly author: string;
  readonly shared: boolean;
  readonly version: number;
}

export interface VersionedChange {
  /** Type of the item in a refusal, such as `measurement`. */
  readonly itemType: string;
  readonly location: string;
  readonly uid: string;
  /** The version that the change is based on. */
  readonly version: number;
  readonly shared: boolean;
}

export interface UpsertSteps<Row extends SharedRow, Reply> {
  find(): Promise<Row | undefined>;
  insert(columns: {
    readonly author: string;
    readonly author_name: string;
    readonly created_at: Date;
    readonly updated_at: Date;
    readonly version: number;
  }): Promise<Row>;
  /** Runs in a transaction. Returns undefined if the row has another version. */
  update(
    versionColumns: { readonly updated_at: Date; readonly version: number },
    transaction: Kysely<AnnotateTables>,
  ): Promise<Row | undefined>;
  toReply(row: Row): Promise<Reply>;
  /** Whether the row already equals the input. */
  isSame(current: Reply): boolean;
  /** Notifies browsers after the commit. `shared` is true if others can see the row or could see it before. */
  announce(row: Row, reply: Reply, shared: boolean): Promise<void>;
}

/**
 * Creates or changes a row with optimistic locking. Changes of another person's row are audited.
 *
 * @throws 404 if the caller cannot see the row, 403 if the caller may not change or unshare it, or 409 with the current
 *   row if the version is outdated
 */
export async function upsertWithVersion<Row extends SharedRow, Reply>(
  context: AnnotateContext,
  caller: Caller,
  change: VersionedChange,
  steps: UpsertSteps<Row, Reply>,
): Promise<Reply> {
  const { itemType, location, uid, version, shared } = change;
  const now = new Date();
  const existingRow = await steps.find();
  if (!existingRow) {
    // A change of a deleted row restores it, so that an edit in progress is not lost.
    try {
      const row = await steps.insert({
        author: caller.uid,
        author_name: await loadCallerName(context, caller),
        created_at: now,
        updated_at: now,
        version: version + 1,
      });
      const reply = await steps.toReply(row);
      await steps.announce(row, reply, row.shared);
      return reply;
    } catch (cause) {
      if (!isUniqueViolation(cause)) throw cause;
      return upsertWithVersion(context, caller, change, steps);
    }
  }
  if (existingRow.location !== location || (existingRow.author !== caller.uid && !existingRow.shared))
    throw notFound(`This ${itemType}`);
  if (!canChange(existingRow, caller))
    throw noAccess(`Only the author of this ${itemType} and people with the configure right can edit it.`);
  if (existingRow.author !== caller.uid && !shared)
    throw noAccess(`Only the author of this ${itemType} can stop sharing it.`);
  const update = async (transaction: Kysely<AnnotateTables>): Promise<Row | undefined> => {
    const row = await steps.update({ updated_at: now, version: version + 1 }, transaction);
    if (row && row.author !== caller.uid)
      await recordChange(
        context,
        caller,
        { action: 'annotate.changed', itemType, uid, author: row.author, location },
        transaction,
      );
    return row;
  };
  // The previous value of `shared` is only known if the row still has the version that was read.
  const changedRow = existingRow.version === version ? await context.tables.transaction().execute(update) : undefined;
  if (changedRow) {
    const reply = await steps.toReply(changedRow);
    await steps.announce(changedRow, reply, existingRow.shared || changedRow.shared);
    return reply;
  }
  const latest = (await steps.find()) ?? existingRow;
  const currentReply = await steps.toReply(latest);
  // The reply to the same request may have been lost. The retry then matches the saved row.
  if (latest.version === version + 1 && steps.isSame(currentReply)) return currentReply;
  throw versionConflict(`Another request has changed this ${itemType} meanwhile.`, currentReply);
}

export interface DeletedRow {
  /** Type of the item in the audit log, such as `measurement`. */
  readonly itemType: string;
  readonly uid: string;
  /** Uid of the author. */
  readonly author: string;
  readonly location: string;
}

/**
 * Deletes a row. Deletions of another person's row are audited.
 *
 * @param remove runs in a transaction and returns undefined if the row was already deleted
 */
export async function deleteRow<Row extends object>(
  context: AnnotateContext,
  caller: Caller,
  deletion: DeletedRow,
  remove: (transaction: Kysely<AnnotateTables>) => Promise<Row | undefined>,
): Promise<Row | undefined> {
  return context.tables.transaction().execute(async (transaction) => {
    const deletedRow = await remove(transaction);
    if (deletedRow && deletion.author !== caller.uid)
      await recordChange(context, caller, { action: 'annotate.deleted', ...deletion }, transaction);
    return deletedRow;
  });
}

async function recordChange(
  context: AnnotateContext,
  caller: Caller,
  { action, itemType, uid, author, location }: DeletedRow & { readonly action: string },
  transaction: Kysely<AnnotateTables>,
): Promise<void> {
  await context
    .service(AuditLog)
    .record({ action, actor: caller.uid, subject: uid, location, details: { thing: itemType, author } }, transaction);
}
