import type { Kysely } from 'kysely';
import { AuditLog, changedMeanwhile, isUniqueViolation, noAccess, notFound, type Caller } from '#core/server';
import type { AnnotateTables } from '../tables.ts';
import type { AnnotateContext } from '../queries/annotate-context.ts';
import { findCallerName } from '../queries/authors.ts';
import { canChange } from '../queries/visible-rows.ts';

/** The columns that all private or shared rows have. */
interface SharedRow {
  readonly location: string;
  readonly author: string;
  readonly shared: boolean;
  readonly version: number;
}

export interface VersionedChange {
  /** Its name in a refusal, such as `measurement`. */
  readonly thing: string;
  readonly location: string;
  readonly uid: string;
  /** The version that the change is based on. */
  readonly version: number;
  readonly shared: boolean;
}

export interface UpsertSteps<Row extends SharedRow, Reply> {
  find(): Promise<Row | undefined>;
  insert(made: {
    readonly author: string;
    readonly author_name: string;
    readonly created_at: Date;
    readonly updated_at: Date;
    readonly version: number;
  }): Promise<Row>;
  /** Runs in a transaction. Undefined if the row no longer has that version. */
  update(
    changed: { readonly updated_at: Date; readonly version: number },
    transaction: Kysely<AnnotateTables>,
  ): Promise<Row | undefined>;
  toReply(row: Row): Promise<Reply>;
  /** Whether the row already equals the input. */
  isSame(current: Reply): boolean;
  /** Notifies browsers after the commit. `shared`: others can see the row, or could before. */
  announce(row: Row, reply: Reply, shared: boolean): Promise<void>;
}

/**
 * Creates or changes a row with optimistic locking; changes of another person's row are audited.
 *
 * @throws 404 if the caller cannot see it, 403 if the caller may not change or unshare it, 409 with the current row if
 *   the version is outdated
 */
export async function upsertWithVersion<Row extends SharedRow, Reply>(
  context: AnnotateContext,
  caller: Caller,
  change: VersionedChange,
  steps: UpsertSteps<Row, Reply>,
): Promise<Reply> {
  const { thing, location, uid, version, shared } = change;
  const now = new Date();
  const known = await steps.find();
  if (!known) {
    // A change of a deleted row restores it, so that an edit in progress is not lost.
    try {
      const row = await steps.insert({
        author: caller.uid,
        author_name: await findCallerName(context, caller),
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
  if (known.location !== location || (known.author !== caller.uid && !known.shared)) throw notFound(`This ${thing}`);
  if (!canChange(known, caller))
    throw noAccess(`Only the author of this ${thing} and people with the configure right can edit it.`);
  if (known.author !== caller.uid && !shared) throw noAccess(`Only who made this ${thing} can stop sharing it.`);
  const update = async (transaction: Kysely<AnnotateTables>): Promise<Row | undefined> => {
    const row = await steps.update({ updated_at: now, version: version + 1 }, transaction);
    if (row && row.author !== caller.uid)
      await recordChange(context, caller, { action: 'annotate.changed', thing, uid, author: row.author }, transaction);
    return row;
  };
  // Only for a row that was changed from the version read is it known whether it was shared.
  const changed = known.version === version ? await context.tables.transaction().execute(update) : undefined;
  if (changed) {
    const reply = await steps.toReply(changed);
    await steps.announce(changed, reply, known.shared || changed.shared);
    return reply;
  }
  const latest = (await steps.find()) ?? known;
  const current = await steps.toReply(latest);
  // The reply to the same request may have been lost. The retry then matches the saved row.
  if (latest.version === version + 1 && steps.isSame(current)) return current;
  throw changedMeanwhile(`Somebody has changed this ${thing} meanwhile.`, current);
}

export interface DeletedRow {
  /** Its name in the audit log, such as `measurement`. */
  readonly thing: string;
  readonly uid: string;
  /** Uid of the author. */
  readonly author: string;
}

/**
 * Deletes a row; deletions of another person's row are audited.
 *
 * @param remove runs in a transaction; undefined if the row was already deleted
 */
export async function deleteRow<Row extends object>(
  context: AnnotateContext,
  caller: Caller,
  { thing, uid, author }: DeletedRow,
  remove: (transaction: Kysely<AnnotateTables>) => Promise<Row | undefined>,
): Promise<Row | undefined> {
  return context.tables.transaction().execute(async (transaction) => {
    const removed = await remove(transaction);
    if (removed && author !== caller.uid)
      await recordChange(context, caller, { action: 'annotate.deleted', thing, uid, author }, transaction);
    return removed;
  });
}

async function recordChange(
  context: AnnotateContext,
  caller: Caller,
  { action, thing, uid, author }: DeletedRow & { readonly action: string },
  transaction: Kysely<AnnotateTables>,
): Promise<void> {
  await context
    .service(AuditLog)
    .record({ action, actor: caller.uid, subject: uid, details: { thing, author } }, transaction);
}
