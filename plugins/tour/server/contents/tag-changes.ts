import type { Insertable, Transaction } from 'kysely';
import { validationMessages, type BodyOf } from '#core';
import { conflict, invalidRequest, matchesAny, noAccess, type CallAuthor } from '#core/server';
import type { updateTag, createTag, LineData, placeTag } from '../../contract/api/tag-content.ts';
import { lineKind } from '../../contract/values/tag-values.ts';
import { tourRefusal } from '../../contract/errors.ts';
import { deleteCodes, renameCode, reserveCodes } from '../queries/codes.ts';
import { toSearchKey } from '../queries/search-key.ts';
import type { TourTables } from '../tables.ts';
import { assertLocation, assertVersion, createOnce, findTagOrDocument, getSite } from './content-context.ts';
import type { ContentContext } from './content-context.ts';
import { readTag } from './read-tags.ts';

type Changed = Promise<{ readonly change: string | null }>;
type TagInput = Omit<BodyOf<typeof createTag>, 'uid'>;

export interface TagTarget {
  readonly location: string;
  readonly tag: string;
}

/** @throws `invalidRequest` (400) if values contradict each other; `conflict` (409) if the number is taken */
export async function addTag(
  context: ContentContext,
  author: CallAuthor,
  location: string,
  { uid, ...input }: BodyOf<typeof createTag>,
): Changed {
  const site = await getSite(context, location);
  const row = { uid, ...toTagRow(input) };
  await assertLocation(context, author, site, input.location);
  const accessibleLocations = await context.locations.accessible(author.caller);
  const reply = await createOnce(context, author, { table: 'tag', rows: [row] }, () =>
    context.changes.apply(
      author,
      { action: 'tour.tagCreated', subject: uid, name: input.number, location: input.location },
      async ({ tables, lockAndRecord }) => {
        await lockAndRecord('code', 'entity', [uid]);
        await lockAndRecord('tag', 'uid', [uid]);
        await lockAndRecord('pipe', 'line', [uid]);
        await assertLine(tables, site, accessibleLocations, input.line, undefined);
        await reserveCodes(tables, site, 'TAG', [{ code: row.code, entity: uid }]);
        await tables
          .insertInto('tag')
          .values({ ...row, site })
          .execute();
        await savePipe(tables, uid, input.pipe);
      },
    ),
  );
  await context.jobs.notifyRunners();
  return reply;
}

/**
 * @throws `notFound` (404); `changedMeanwhile` (409) with the current tag; `conflict` (409) if the number is taken or
 *   a line with tags becomes a tag
 */
export async function saveTag(
  context: ContentContext,
  author: CallAuthor,
  { location, tag: uid }: TagTarget,
  { version, ...input }: BodyOf<typeof updateTag>,
): Changed {
  const tag = await findTagOrDocument(context, 'tag', location, uid);
  const row = toTagRow(input);
  if (input.location !== tag.location) await assertLocation(context, author, tag.site, input.location);
  const accessibleLocations = await context.locations.accessible(author.caller);
  const reply = await context.changes.apply(
    author,
    { action: 'tour.tagChanged', subject: uid, name: input.number, location: input.location },
    async ({ tables, lockAndRecord }) => {
      await lockAndRecord('code', 'entity', [uid]);
      await lockAndRecord('tag', 'uid', [uid]);
      await lockAndRecord('pipe', 'line', [uid]);
      const currentTag = await readTag(tables, uid);
      assertVersion(currentTag, version);
      await assertLine(tables, tag.site, accessibleLocations, input.line, currentTag.line?.uid);
      if (input.type === 'TAG' && currentTag.type === 'LINE') await assertNoTagsOnLine(tables, uid, currentTag.number);
      if (currentTag.number !== row.code)
        await renameCode(tables, { site: tag.site, kind: 'TAG', code: row.code, entity: uid });
      await tables.updateTable('tag').set(row).where('uid', '=', uid).execute();
      await savePipe(tables, uid, input.pipe);
    },
  );
  await context.jobs.notifyRunners();
  return reply;
}

/** @throws `notFound` (404); `changedMeanwhile` (409) with the current tag */
export async function moveTag(
  context: ContentContext,
  author: CallAuthor,
  { location, tag: uid }: TagTarget,
  { version, position }: BodyOf<typeof placeTag>,
): Changed {
  const tag = await findTagOrDocument(context, 'tag', location, uid);
  const reply = await context.changes.apply(
    author,
    {
      action: position ? 'tour.tagPlaced' : 'tour.tagUnplaced',
      subject: uid,
      name: tag.code,
      location: tag.location,
    },
    async ({ tables, lockAndRecord }) => {
      await lockAndRecord('tag', 'uid', [uid]);
      assertVersion(await readTag(tables, uid), version);
      const [x, y, z] = position ?? [null, null, null];
      await tables.updateTable('tag').set({ x, y, z }).where('uid', '=', uid).execute();
    },
  );
  await context.jobs.notifyRunners();
  return reply;
}

/**
 * Deletes a tag or a line, but neither its documents nor the tags of the line.
 *
 * @throws `notFound` (404); `noAccess` (403) without access to a tag on the line; `changedMeanwhile` (409) with the
 *   current tag
 */
export async function removeTag(
  context: ContentContext,
  author: CallAuthor,
  { location, tag: uid }: TagTarget,
  version: number,
): Changed {
  const tag = await findTagOrDocument(context, 'tag', location, uid);
  const accessibleLocations = new Set(await context.locations.accessible(author.caller));
  return context.changes.apply(
    author,
    { action: 'tour.tagDeleted', subject: uid, name: tag.code, location: tag.location },
    async ({ tables, lockAndRecord }) => {
      await lockAndRecord('code', 'entity', [uid]);
      await lockAndRecord('tag', 'uid', [uid]);
      await lockAndRecord('tag', 'line', [uid]);
      await lockAndRecord('pipe', 'line', [uid]);
      await lockAndRecord('tag_view', 'tag', [uid]);
      await lockAndRecord('document_link', 'tag', [uid]);
      assertVersion(await readTag(tables, uid), version);
      const tagLocations = await tables
        .selectFrom('tag')
        .select('location')
        .distinct()
        .where('line', '=', uid)
        .execute();
      if (tagLocations.some((row) => !accessibleLocations.has(row.location))) throw noAccess();
      await tables.deleteFrom('tag').where('uid', '=', uid).execute();
      await deleteCodes(tables, 'TAG', [uid]);
    },
  );
}

/** @throws `invalidRequest` (400) for values that contradict each other */
function toTagRow({ number, type, kind, description, location, line, position, pipe }: TagInput) {
  if (toSearchKey(number) === '')
    throw invalidRequest(tourRefusal('tour.refused.codeWithoutLetters'), [
      { pointer: '/number', message: validationMessages.format },
    ]);
  const isLine = type === 'LINE';
  if (isLine !== (kind === lineKind))
    throw invalidRequest(tourRefusal('tour.refused.kindOfLine'), [
      { pointer: '/kind', message: validationMessages.choice },
    ]);
  if (isLine ? line !== null : pipe !== null)
    throw invalidRequest(tourRefusal('tour.refused.lineOnLine'), [
      { pointer: isLine ? '/line' : '/type', message: validationMessages.choice },
    ]);
  const [x, y, z] = position ?? [null, null, null];
  return { code: number, type, kind, description, location, line, x, y, z, search_key: toSearchKey(number) };
}

/** @throws `invalidRequest` (400) unless `line` is null, the current line, or an accessible line of the site */
async function assertLine(
  tables: Transaction<TourTables>,
  site: string,
  accessibleLocations: readonly string[],
  line: string | null,
  currentLine: string | undefined,
): Promise<void> {
  if (line === null || line === currentLine) return;
  const row = await tables
    .selectFrom('tag')
    .select('location')
    .where('uid', '=', line)
    .where('site', '=', site)
    .where('type', '=', 'LINE')
    .executeTakeFirst();
  if (!row || !accessibleLocations.includes(row.location))
    throw invalidRequest(tourRefusal('tour.refused.noLine'), [
      { pointer: '/line', message: validationMessages.choice },
    ]);
}

/** @throws `conflict` (409) */
async function assertNoTagsOnLine(tables: Transaction<TourTables>, uid: string, name: string): Promise<void> {
  const tag = await tables
    .selectFrom('tag')
    .select('uid')
    .where(matchesAny('line', [uid]))
    .limit(1)
    .executeTakeFirst();
  if (tag) throw conflict(tourRefusal('tour.refused.lineHasTags', { name }));
}

/** Saves the data of a line and keeps its course. Without data, deletes the row including the course. */
async function savePipe(tables: Transaction<TourTables>, line: string, pipe: LineData | null): Promise<void> {
  if (pipe === null) {
    await tables.deleteFrom('pipe').where('line', '=', line).execute();
    return;
  }
  const columns: Omit<Insertable<TourTables['pipe']>, 'line' | 'points'> = {
    service: pipe.service,
    nps: pipe.nps,
    dn: pipe.dn,
    outside_diameter: pipe.outsideDiameter,
    from_tag: pipe.from,
    to_tag: pipe.to,
  };
  await tables
    .insertInto('pipe')
    .values({ line, ...columns, points: '[]' })
    .onConflict((conflicting) => conflicting.column('line').doUpdateSet(columns))
    .execute();
}
