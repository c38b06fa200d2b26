import type { Kysely } from 'kysely';
import { AuditLog, changedMeanwhile, isUniqueViolation, noAccess, notFound, type Caller } from '#core/server';
import type { AnnotateTables } from '../tables.ts';
import { tablesOf, type AnnotateContext } from './annotate-context.ts';
import { callerName } from './authors.ts';
import { canChange } from './seen-at.ts';

/** What a row that is one's own or shared holds, whatever it is about. */
interface SharedRow {
  readonly location: string;
  readonly author: string;
  readonly shared: boolean;
  readonly version: number;
}

export interface SharedAsked {
  /** Its name in a refusal, such as `measurement`. */
  readonly thing: string;
  readonly location: string;
  readonly uid: string;
  /** The version that was changed. */
  readonly version: number;
  readonly shared: boolean;
}

export interface SharedSteps<Row extends SharedRow, Shown> {
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
  shown(row: Row): Promise<Shown>;
  /** Whether it says what was sent. */
  same(current: Shown): boolean;
  /** Tells browsers after the commit. `shared`: others can see the row, or could before. */
  announce(row: Row, shown: Shown, shared: boolean): Promise<void>;
}

/**
 * Makes or changes a row under optimistic locking; that of somebody else is noted in the audit log. Throws 404 for one
 * that is not the caller's to see, 403 for one that the caller may not change, or may not stop sharing, 409 with the
 * other's where the version has moved on.
 */
export async function keepShared<Row extends SharedRow, Shown>(
  context: AnnotateContext,
  caller: Caller,
  asked: SharedAsked,
  steps: SharedSteps<Row, Shown>,
): Promise<Shown> {
  const { thing, location, uid, version, shared } = asked;
  const now = new Date();
  const known = await steps.find();
  if (!known) {
    // A change to one that was deleted meanwhile brings it back: what somebody is still writing must not be lost.
    try {
      const row = await steps.insert({
        author: caller.uid,
        author_name: await callerName(context, caller),
        created_at: now,
        updated_at: now,
        version: version + 1,
      });
      const shown = await steps.shown(row);
      await steps.announce(row, shown, row.shared);
      return shown;
    } catch (cause) {
      if (!isUniqueViolation(cause)) throw cause;
      return keepShared(context, caller, asked, steps);
    }
  }
  if (known.location !== location || (known.author !== caller.uid && !known.shared)) throw notFound(`This ${thing}`);
  if (!canChange(known, caller))
    throw noAccess(`Only the author of this ${thing} and people with the right to configure can change it.`);
  if (known.author !== caller.uid && !shared) throw noAccess(`Only who made this ${thing} can stop sharing it.`);
  const update = async (transaction: Kysely<AnnotateTables>): Promise<Row | undefined> => {
    const row = await steps.update({ updated_at: now, version: version + 1 }, transaction);
    if (row && row.author !== caller.uid)
      await recordChange(context, caller, { action: 'annotate.changed', thing, uid, author: row.author }, transaction);
    return row;
  };
  // Only a row that is changed from the version that was read is known to have been shared or not.
  const changed = known.version === version ? await tablesOf(context).transaction().execute(update) : undefined;
  if (changed) {
    const shown = await steps.shown(changed);
    await steps.announce(changed, shown, known.shared || changed.shared);
    return shown;
  }
  const latest = (await steps.find()) ?? known;
  const current = await steps.shown(latest);
  // The answer to the same call may have got lost: it is sent again with what it has already kept.
  if (latest.version === version + 1 && steps.same(current)) return current;
  throw changedMeanwhile(`Somebody has changed this ${thing} meanwhile.`, current);
}

export interface DeletedShared {
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
export async function deleteShared<Row extends object>(
  context: AnnotateContext,
  caller: Caller,
  { thing, uid, author }: DeletedShared,
  remove: (transaction: Kysely<AnnotateTables>) => Promise<Row | undefined>,
): Promise<Row | undefined> {
  return tablesOf(context)
    .transaction()
    .execute(async (transaction) => {
      const removed = await remove(transaction);
      if (removed && author !== caller.uid)
        await recordChange(context, caller, { action: 'annotate.deleted', thing, uid, author }, transaction);
      return removed;
    });
}

async function recordChange(
  context: AnnotateContext,
  caller: Caller,
  { action, thing, uid, author }: DeletedShared & { readonly action: string },
  transaction: Kysely<AnnotateTables>,
): Promise<void> {
  await context
    .service(AuditLog)
    .record({ action, actor: caller.uid, subject: uid, details: { thing, author } }, transaction);
}
