import type { Selectable } from 'kysely';
import type { CursorPage } from '#core/api';
import { isUniqueViolation, notFound, type Caller } from '#core/server';
import type { Annotation, AnnotationChange, AnnotationComment, AnnotationInput } from '#plugins/annotate';
import { annotationChanged } from '../../contract/events.ts';
import type { AnnotateTables } from '../tables.ts';
import { announceChange } from '../commands/announce-change.ts';
import type { AnnotateContext } from '../queries/annotate-context.ts';
import { loadAuthorNames, loadCallerName } from '../queries/authors.ts';
import { deleteRow, upsertWithVersion } from '../commands/upsert-with-version.ts';
import { canChange, listVisible, assertDeletable, type ListQuery } from '../queries/visible-rows.ts';

type Row = Selectable<AnnotateTables['annotation']>;
type CommentRow = Selectable<AnnotateTables['annotation_comment']>;

/** Lists a page of the annotations that the caller can see at a location and below it. */
export async function annotationsAt(
  context: AnnotateContext,
  caller: Caller,
  location: string,
  query: ListQuery,
): Promise<CursorPage<Annotation>> {
  const page = await listVisible(context, 'annotation', { caller, location, ...query });
  return { ...page, rows: await toAnnotations(context, caller, page.rows) };
}

/**
 * Saves an annotation.
 *
 * @throws as `upsertWithVersion`
 */
export async function saveAnnotation(
  context: AnnotateContext,
  caller: Caller,
  location: string,
  uid: string,
  input: AnnotationInput,
): Promise<Annotation> {
  const { tables } = context;
  const { version, points, ...fields } = input;
  const values = { ...fields, points: JSON.stringify(points) };
  return upsertWithVersion(
    context,
    caller,
    { itemType: 'annotation', location, uid, version, shared: input.shared },
    {
      find: () => tables.selectFrom('annotation').selectAll().where('uid', '=', uid).executeTakeFirst(),
      insert: (columns) =>
        tables
          .insertInto('annotation')
          .values({ ...values, ...columns, uid, location })
          .returningAll()
          .executeTakeFirstOrThrow(),
      update: (versionColumns, transaction) =>
        transaction
          .updateTable('annotation')
          .set({ ...values, ...versionColumns })
          .where('uid', '=', uid)
          .where('version', '=', version)
          .returningAll()
          .executeTakeFirst(),
      toReply: async (row) => (await toAnnotations(context, caller, [row]))[0]!,
      isSame: (current) => serializeContent(current) === serializeContent(input),
      announce: (row, { comments }, shared) =>
        announceAnnotation(context, row, { visible: shared, comments: comments.length }),
    },
  );
}

/**
 * Deletes an annotation that the caller may change.
 *
 * @throws as `assertDeletable`
 */
export async function removeAnnotation(
  context: AnnotateContext,
  caller: Caller,
  location: string,
  uid: string,
): Promise<void> {
  const { tables } = context;
  const existingRow = await tables
    .selectFrom('annotation')
    .select(['author', 'location', 'shared'])
    .where('uid', '=', uid)
    .executeTakeFirst();
  if (existingRow?.location !== location) return;
  assertDeletable(existingRow, caller, 'an annotation');
  const deletedRow = await deleteRow(
    context,
    caller,
    { itemType: 'annotation', uid, author: existingRow.author, location: existingRow.location },
    (transaction) => transaction.deleteFrom('annotation').where('uid', '=', uid).returningAll().executeTakeFirst(),
  );
  if (deletedRow)
    await announceAnnotation(context, deletedRow, { visible: deletedRow.shared, comments: 0, deleted: true });
}

const announceAnnotation = (
  context: AnnotateContext,
  { uid, location, version, author }: Pick<Row, 'uid' | 'location' | 'version' | 'author'>,
  {
    visible,
    comments,
    deleted = false,
  }: Pick<AnnotationChange, 'comments'> & {
    readonly visible: boolean;
    readonly deleted?: boolean;
  },
): Promise<void> =>
  announceChange(
    context,
    annotationChanged,
    { location, author, visible },
    { uid, location, version, deleted, comments },
  );

/**
 * Saves a comment once.
 *
 * @throws 404 if the caller cannot see the annotation or the uid belongs to another comment
 */
export async function saveComment(
  context: AnnotateContext,
  caller: Caller,
  target: { readonly location: string; readonly uid: string; readonly comment: string },
  text: string,
): Promise<AnnotationComment> {
  const { tables } = context;
  const annotation = await tables
    .selectFrom('annotation')
    .select(['uid', 'author', 'location', 'shared', 'version'])
    .where('uid', '=', target.uid)
    .executeTakeFirst();
  if (
    !annotation ||
    annotation.location !== target.location ||
    (annotation.author !== caller.uid && !annotation.shared)
  )
    throw notFound('This annotation');
  const values = {
    uid: target.comment,
    annotation: target.uid,
    text,
    author: caller.uid,
    author_name: await loadCallerName(context, caller),
    created_at: new Date(),
  };
  const toReply = async (row: CommentRow): Promise<AnnotationComment> =>
    toComment(row, await loadAuthorNames(context, [row]));
  try {
    const row = await tables.insertInto('annotation_comment').values(values).returningAll().executeTakeFirstOrThrow();
    const { comments } = await tables
      .selectFrom('annotation_comment')
      .select((select) => select.fn.countAll<number>().as('comments'))
      .where('annotation', '=', target.uid)
      .executeTakeFirstOrThrow();
    await announceAnnotation(context, annotation, { visible: annotation.shared, comments: Number(comments) });
    return await toReply(row);
  } catch (cause) {
    if (!isUniqueViolation(cause)) throw cause;
    const existingComment = await tables
      .selectFrom('annotation_comment')
      .selectAll()
      .where('uid', '=', target.comment)
      .where('annotation', '=', target.uid)
      .where('author', '=', caller.uid)
      .executeTakeFirst();
    if (!existingComment) throw notFound('This comment');
    return toReply(existingComment);
  }
}

async function toAnnotations(context: AnnotateContext, caller: Caller, rows: readonly Row[]): Promise<Annotation[]> {
  const comments = await loadComments(
    context,
    rows.map(({ uid }) => uid),
  );
  const findAuthor = await loadAuthorNames(context, [...rows, ...comments]);
  const commentsByAnnotation = new Map<string, AnnotationComment[]>(rows.map(({ uid }) => [uid, []]));
  for (const comment of comments) commentsByAnnotation.get(comment.annotation)?.push(toComment(comment, findAuthor));
  return rows.map(({ author_name, created_at, updated_at, author, ...row }) => ({
    ...row,
    author: findAuthor({ author, author_name }),
    own: author === caller.uid,
    editable: canChange({ author, shared: row.shared }, caller),
    createdAt: created_at.toISOString(),
    updatedAt: updated_at.toISOString(),
    comments: commentsByAnnotation.get(row.uid) ?? [],
  }));
}

async function loadComments(context: AnnotateContext, annotations: readonly string[]): Promise<readonly CommentRow[]> {
  if (annotations.length === 0) return [];
  return context.tables
    .selectFrom('annotation_comment')
    .selectAll()
    .where('annotation', 'in', annotations)
    .orderBy('created_at')
    .orderBy('uid')
    .execute();
}

function toComment(
  { uid, text, author, author_name, created_at }: CommentRow,
  findAuthor: Awaited<ReturnType<typeof loadAuthorNames>>,
): AnnotationComment {
  return { uid, text, author: findAuthor({ author, author_name }), createdAt: created_at.toISOString() };
}

function serializeContent({
  kind,
  name,
  text,
  temperature,
  status,
  points,
  tour,
  node,
  view,
  shared,
}: Annotation | AnnotationInput): string {
  return JSON.stringify([
    kind,
    name,
    text,
    temperature,
    status,
    tour,
    node,
    view,
    shared,
    points.map(({ point, sigma, source, edge }) => [point, sigma, source, edge]),
  ]);
}
