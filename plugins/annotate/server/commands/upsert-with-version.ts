import type { Kysely } from 'kysely';
import { AuditLog, changedMeanwhile, isUniqueViolation, noAccess, notFound, type Caller } from '#core/server';
import type { AnnotateTables } from '../tables.ts';
import type { AnnotateContext } from '../queries/annotate-context.ts';
import { findCallerName } from '../queries/authors.ts';
import { canChange } from '../queries/visible-rows.ts';

/** What a row that is one's own or shared holds, whatever it is about. */
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
  /** The version that was changed. */
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
  /** In a transaction, where the row still has the version that was changed; else undefined. */
  update(
    changed: { readonly updated_at: Date; readonly version: number },
    transaction: Kysely<AnnotateTables>,
  ): Promise<Row | undefined>;
  toReply(row: Row): Promise<Reply>;
  /** Whether it holds what was sent. */
  isSame(current: Reply): boolean;
  /** Tells browsers after the commit. `shared`: others can see the row, or could before. */
  announce(row: Row, reply: Reply, shared: boolean): Promise<void>;
}

/**
 * Makes or changes a row under optimistic locking; that of somebody else is noted in the audit log. Throws 404 for one
 * that is not the caller's to see, 403 for one that the caller may not change, or may not stop sharing, 409 with the
 * other's where the version has moved on.
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
    // A change to one that was deleted meanwhile brings it back: what somebody is still writing must not be lost.
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
  // Only a row that is changed from the version that was read is known to have been shared or not.
  const changed = known.version === version ? await context.tables.transaction().execute(update) : undefined;
  if (changed) {
    const reply = await steps.toReply(changed);
    await steps.announce(changed, reply, known.shared || changed.shared);
    return reply;
  }
  const latest = (await steps.find()) ?? known;
  const current = await steps.toReply(latest);
  // The answer to the same call may have got lost: it is sent again with what it has already kept.
  if (latest.version === version + 1 && steps.isSame(current)) return current;
  throw changedMeanwhile(`Somebody has changed this ${thing} meanwhile.`, current);
}

export interface DeletedRow {
  /** Its name in the audit log, such as `measurement`. */
  readonly thing: string;
  readonly uid: string;
  /** uid of who made it. */
  readonly author: string;
}

/**
 * Deletes a row; that of somebody else is noted in the audit log.
 *
 * @param remove in a transaction; undefined where it was gone already
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
