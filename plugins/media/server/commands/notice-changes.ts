import type { Transaction } from 'kysely';
import type { BodyOf } from '#core';
import {
  versionConflict,
  invalidRequest,
  noAccess,
  notFound,
  type CallAuthor,
  type Caller,
  type ServerContext,
} from '#core/server';
import type { Notice } from '#plugins/media';
import type { saveNotice } from '../../contract/api/notices.ts';
import { mediaRefusal } from '../../contract/errors.ts';
import { findNoticeErrors } from '../../contract/rules.ts';
import { toNotice } from '../queries/notices.ts';
import type { MediaTables } from '../tables.ts';
import { assertLocationAccess, createAccessCheck, type AccessCheck } from './location-access.ts';

export type NoticeContext = Pick<ServerContext<MediaTables>, 'tables' | 'locations' | 'changes'>;

type ChangeResult = Promise<{ readonly change: string | null }>;

const maxNameLength = 80;

/**
 * Creates a notice or changes it.
 *
 * @throws `invalidRequest` (400) if it ends before it starts, or if it has a location and is for the login screen;
 *   `noAccess` (403) if the caller cannot access the location (all locations for a notice for everybody); `notFound`
 *   (404) if the notice was deleted; `changedMeanwhile` (409) with the current notice
 */
export async function putNotice(
  context: NoticeContext,
  author: CallAuthor,
  uid: string,
  { version, ...notice }: BodyOf<typeof saveNotice>,
): ChangeResult {
  const errors = Object.entries(findNoticeErrors(notice));
  if (errors.length > 0)
    throw invalidRequest(
      mediaRefusal('media.refused.noticeContradiction'),
      errors.map(([field, error]) => ({ pointer: `/${field}`, ...error })),
    );
  const { location } = notice;
  await assertLocationAccess(context, author.caller, location);
  const canAccess = await createAccessCheck(context, author.caller);
  const text = notice.text.trim();
  const row = {
    text,
    french_text: notice.frenchText?.trim() || null,
    severity: notice.severity,
    area: notice.area,
    location,
    on_login: notice.onLogin,
    starts_at: new Date(notice.startsAt),
    ends_at: notice.endsAt === null ? null : new Date(notice.endsAt),
  };
  return context.changes.apply(
    author,
    { action: 'media.noticeSaved', subject: uid, name: toAuditName(text), location: location ?? '' },
    async ({ tables, lockAndRecord }) => {
      await lockAndRecord('notice', 'uid', [uid]);
      assertVersion(await findNotice(tables, uid, canAccess), version);
      await tables
        .insertInto('notice')
        .values({ uid, ...row })
        .onConflict((builder) => builder.column('uid').doUpdateSet(row))
        .execute();
    },
  );
}

/** @throws `notFound` (404); `noAccess` (403) like `putNotice`; `changedMeanwhile` (409) with the current notice */
export async function removeNotice(
  context: NoticeContext,
  author: CallAuthor,
  uid: string,
  { version }: { readonly version: number },
): ChangeResult {
  const canAccess = await createAccessCheck(context, author.caller);
  const notice = await findNotice(context.tables, uid, canAccess);
  if (!notice) throw notFound('This notice');
  return context.changes.apply(
    author,
    { action: 'media.noticeTakenBack', subject: uid, name: toAuditName(notice.text), location: notice.location ?? '' },
    async ({ tables, lockAndRecord }) => {
      await lockAndRecord('notice', 'uid', [uid]);
      assertVersion(await findNotice(tables, uid, canAccess), version);
      await tables.deleteFrom('notice').where('uid', '=', uid).execute();
    },
  );
}

/**
 * Hides a notice from a person until an admin changes it.
 *
 * @throws `notFound` (404), also without access to its location; `invalidRequest` (400) if it is critical
 */
export async function saveDismissal(
  { tables, locations }: Pick<NoticeContext, 'tables' | 'locations'>,
  caller: Caller,
  uid: string,
): Promise<void> {
  const row = await tables
    .selectFrom('notice')
    .select(['severity', 'location', 'row_version'])
    .where('uid', '=', uid)
    .executeTakeFirst();
  if (!row || (row.location !== null && !(await locations.canAccess(caller, row.location))))
    throw notFound('This notice');
  if (row.severity === 'CRITICAL') throw invalidRequest(mediaRefusal('media.refused.noticeCritical'));
  // The notice may have been deleted since it was read.
  await tables
    .insertInto('notice_dismissal')
    .columns(['notice', 'account', 'row_version'])
    .expression((query) =>
      query
        .selectFrom('notice')
        .select(({ val }) => ['uid', val(caller.uid).as('account'), 'row_version'])
        .where('uid', '=', uid),
    )
    .onConflict((builder) =>
      builder.columns(['notice', 'account']).doUpdateSet(({ ref }) => ({ row_version: ref('excluded.row_version') })),
    )
    .execute();
}

/** Shortens a text to the name by which the audit log shows the notice. */
function toAuditName(text: string): string {
  const letters = [...text.replace(/\s+/g, ' ')];
  return letters.length > maxNameLength ? `${letters.slice(0, maxNameLength - 1).join('')}…` : letters.join('');
}

async function findNotice(
  tables: Pick<Transaction<MediaTables>, 'selectFrom'>,
  uid: string,
  canAccess: AccessCheck,
): Promise<Notice | undefined> {
  const row = await tables.selectFrom('notice').selectAll().where('uid', '=', uid).executeTakeFirst();
  if (row && !canAccess(row.location)) throw noAccess();
  return row && toNotice(row);
}

function assertVersion(currentNotice: Notice | undefined, version: number): void {
  if (!currentNotice && version > 0) throw notFound('This notice');
  if (currentNotice && currentNotice.version !== version)
    throw versionConflict(mediaRefusal('media.refused.noticeChanged'), currentNotice);
}
