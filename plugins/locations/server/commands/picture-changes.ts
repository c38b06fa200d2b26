import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Selectable, Transaction } from 'kysely';
import { coreRefusal } from '#core/api';
import {
  AuditLog,
  changedMeanwhile,
  conflict,
  noAccess,
  notFound,
  type Caller,
  type ServerContext,
} from '#core/server';
import type { PictureChanged, PicturesSaved } from '../../contract/index.ts';
import { toLocationPictures } from '../queries/to-location-pictures.ts';
import type { LocationsTables, PictureFields } from '../tables.ts';

export type PictureContext = Pick<ServerContext<LocationsTables>, 'tables' | 'files' | 'locations' | 'service'>;

/** Who changes something, in which request. */
export interface PictureAuthor {
  readonly caller: Caller;
  readonly requestId: string;
}

type PictureRow = Selectable<LocationsTables['location_picture']>;

interface Change {
  readonly action: string;
  readonly fields: PictureFields;
  /** uid of the change that it takes back. */
  readonly undoes?: string;
}

type Plan = (row: PictureRow, transaction: Transaction<LocationsTables>) => Promise<Change> | Change;

/**
 * Changes the pictures or areas of a location that are still at `version`. Writes nothing if nothing is different.
 *
 * @throws `notFound` (404) for an unknown location; `changedMeanwhile` (409) with the present pictures
 */
export async function changePictures(
  context: PictureContext,
  author: PictureAuthor,
  { location, version }: { readonly location: string; readonly version: number },
  plan: Plan,
): Promise<PicturesSaved> {
  const [name, accessible] = await Promise.all([getName(context, location), listAccessible(context, author.caller)]);
  return apply(context, author, { location, accessible }, (row, transaction) => {
    if (row.version !== version)
      throw changedMeanwhile(
        coreRefusal('core.refused.locationChanged', { name }),
        toLocationPictures(row, context.files, accessible),
      );
    return plan(row, transaction);
  });
}

/**
 * Takes back a change, unless the same fields were changed since.
 *
 * @throws `notFound` (404); `noAccess` (403); `conflict` (409)
 */
export async function undoChange(context: PictureContext, author: PictureAuthor, uid: string): Promise<PictureChanged> {
  const { tables, locations } = context;
  const change = await tables.selectFrom('picture_change').selectAll().where('uid', '=', uid).executeTakeFirst();
  if (!change) throw notFound('This change');
  const { location, before, after } = change;
  const name = await getName(context, location);
  if (!(await locations.canAccess(author.caller, location))) throw noAccess();
  const accessible = await listAccessible(context, author.caller);
  const { change: undo, pictures } = await apply(
    context,
    author,
    { location, accessible },
    async (row, transaction) => {
      const { undone_by } = await transaction
        .selectFrom('picture_change')
        .select('undone_by')
        .where('uid', '=', uid)
        .executeTakeFirstOrThrow();
      if (undone_by !== null) throw conflict(coreRefusal('core.refused.undoDone'));
      if (!isDeepStrictEqual(pickFields(row, after), after))
        throw conflict(coreRefusal('core.refused.undoChanged', { name }));
      return { action: 'locations.pictureChangeUndone', fields: before, undoes: uid };
    },
  );
  // The values of a recorded change are different.
  return { change: undo!, pictures };
}

/**
 * Writes what `plan` returns if it is different, with its entries in the journal and the audit log. The row is locked
 * meanwhile.
 */
async function apply(
  context: PictureContext,
  { caller, requestId }: PictureAuthor,
  { location, accessible }: { readonly location: string; readonly accessible: ReadonlySet<string> },
  plan: Plan,
): Promise<PicturesSaved> {
  return context.tables.transaction().execute(async (transaction) => {
    await transaction
      .insertInto('location_picture')
      .values({ location, version: 0 })
      .onConflict((existing) => existing.column('location').doNothing())
      .execute();
    const row = await transaction
      .selectFrom('location_picture')
      .selectAll()
      .where('location', '=', location)
      .forUpdate()
      .executeTakeFirstOrThrow();
    const { action, fields, undoes } = await plan(row, transaction);
    const before = pickFields(row, fields);
    if (isDeepStrictEqual(before, fields)) {
      // The row of a location that never had a picture was only inserted to be locked.
      await transaction
        .deleteFrom('location_picture')
        .where('location', '=', location)
        .where('version', '=', 0)
        .execute();
      return { change: null, pictures: toLocationPictures(row, context.files, accessible) };
    }
    const uid = randomUUID();
    const { areas, ...files } = fields;
    const changed = await transaction
      .updateTable('location_picture')
      .set({ ...files, ...(areas ? { areas: JSON.stringify(areas) } : {}), version: row.version + 1 })
      .where('location', '=', location)
      .returningAll()
      .executeTakeFirstOrThrow();
    await transaction
      .insertInto('picture_change')
      .values({
        uid,
        at: new Date(),
        action,
        location,
        before: JSON.stringify(before),
        after: JSON.stringify(fields),
        undone_by: null,
      })
      .execute();
    if (undoes !== undefined)
      await transaction.updateTable('picture_change').set({ undone_by: uid }).where('uid', '=', undoes).execute();
    await context.service(AuditLog).record(
      {
        actor: caller.uid,
        action,
        subject: location,
        details: { change: uid, before, after: fields, ...(undoes === undefined ? {} : { undoes }) },
        request: requestId,
      },
      transaction,
    );
    return { change: uid, pictures: toLocationPictures(changed, context.files, accessible) };
  });
}

/** The fields of a row that a change has. */
const pickFields = (row: PictureRow, fields: PictureFields): PictureFields =>
  Object.fromEntries((Object.keys(fields) as (keyof PictureFields)[]).map((field) => [field, row[field]]));

async function getName({ locations }: PictureContext, location: string): Promise<string> {
  const row = await locations.find(location);
  if (!row) throw notFound('This location');
  return row.name;
}

const listAccessible = async ({ locations }: PictureContext, caller: Caller): Promise<ReadonlySet<string>> =>
  new Set(await locations.accessible(caller));
