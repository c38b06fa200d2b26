import { sql, type ExpressionBuilder, type Kysely, type Selectable } from 'kysely';
import type { Page, SignInNotice } from '#core/api';
import { atLocation, type Caller, type LocationStore } from '#core/server';
import { maxShownNotices, type Notice, type ShownNotices } from '#plugins/media';
import type { MediaTables } from '../tables.ts';

const defaultLimit = 50;
/** The login screen has little room. */
const maxOnLogin = 5;
const bySeverity = sql`array_position(array['CRITICAL', 'WARNING', 'INFO'], notice.severity)`;

export interface NoticeSource {
  readonly tables: Kysely<MediaTables>;
  readonly locations: LocationStore;
}

export const toNotice = (row: Selectable<MediaTables['notice']>): Notice => ({
  uid: row.uid,
  text: row.text,
  frenchText: row.french_text,
  severity: row.severity,
  area: row.area,
  location: row.location,
  onLogin: row.on_login,
  startsAt: row.starts_at.toISOString(),
  endsAt: row.ends_at?.toISOString() ?? null,
  version: row.row_version,
});

async function selectVisible({ tables, locations }: NoticeSource, caller: Caller) {
  const accessibleLocations = await locations.accessible(caller);
  return tables.selectFrom('notice').where(isVisibleAt(accessibleLocations));
}

const isVisibleAt = (accessibleLocations: readonly string[]) => (builder: ExpressionBuilder<MediaTables, 'notice'>) =>
  builder.or([builder('notice.location', 'is', null), atLocation('notice.location', accessibleLocations)]);

/** Selects notices that have not ended and that the person has not dismissed, at any location. */
const selectCurrent = ({ tables }: Pick<NoticeSource, 'tables'>, caller: Caller, now: Date) =>
  tables
    .selectFrom('notice')
    .where((builder) => builder.or([builder('ends_at', 'is', null), builder('ends_at', '>', now)]))
    .where((builder) =>
      builder.or([
        builder('severity', '=', 'CRITICAL'),
        builder.not(
          builder.exists(
            builder
              .selectFrom('notice_dismissal as dismissal')
              .select('dismissal.account')
              .where('dismissal.account', '=', caller.uid)
              .whereRef('dismissal.notice', '=', 'notice.uid')
              .whereRef('dismissal.row_version', '>=', 'notice.row_version'),
          ),
        ),
      ]),
    );

async function selectShown(source: NoticeSource, caller: Caller, now: Date) {
  const accessibleLocations = await source.locations.accessible(caller);
  return selectCurrent(source, caller, now).where(isVisibleAt(accessibleLocations));
}

/** Loads the notices that an admin can access, the latest start first. */
export async function loadNotices(
  source: NoticeSource,
  caller: Caller,
  { offset = 0, limit = defaultLimit }: { readonly offset?: number; readonly limit?: number },
): Promise<Page<Notice>> {
  const visible = await selectVisible(source, caller);
  const { total } = await visible.select(sql<number>`count(*)::integer`.as('total')).executeTakeFirstOrThrow();
  const rows = await visible
    .selectAll('notice')
    .orderBy('starts_at', 'desc')
    .orderBy('uid')
    .offset(offset)
    .limit(limit)
    .execute();
  return { total, offset, rows: rows.map(toNotice) };
}

/** Loads at most `maxShownNotices` notices: the most severe first, then those that start closest to now. */
export async function loadShownNotices(source: NoticeSource, caller: Caller): Promise<ShownNotices> {
  const now = new Date();
  const rows = await (
    await selectShown(source, caller, now)
  )
    .selectAll('notice')
    .orderBy(bySeverity)
    .orderBy(sql`abs(extract(epoch from starts_at - ${now}::timestamptz))`)
    .orderBy('uid')
    .limit(maxShownNotices)
    .execute();
  return { now: now.toISOString(), notices: rows.map(toNotice) };
}

export async function hasNotices(source: NoticeSource, caller: Caller): Promise<boolean> {
  const now = new Date();
  // Most notices are for everybody, so the locations are loaded only if there is no such notice.
  const firstNotice = await selectCurrent(source, caller, now)
    .select('notice.location')
    .orderBy(sql`notice.location nulls first`)
    .limit(1)
    .executeTakeFirst();
  if (!firstNotice || firstNotice.location === null) return firstNotice !== undefined;
  const shownNotices = await selectShown(source, caller, now);
  return (await shownNotices.select('notice.uid').limit(1).executeTakeFirst()) !== undefined;
}

/** Loads the notices that admins chose for the login screen and that are shown now, the most severe first. */
export async function loadLoginNotices(tables: Kysely<MediaTables>): Promise<SignInNotice[]> {
  const now = new Date();
  const rows = await tables
    .selectFrom('notice')
    .selectAll()
    .where('on_login', '=', true)
    .where('starts_at', '<=', now)
    .where((builder) => builder.or([builder('ends_at', 'is', null), builder('ends_at', '>', now)]))
    .orderBy(bySeverity)
    .orderBy('starts_at', 'desc')
    .limit(maxOnLogin)
    .execute();
  return rows.map(({ text, french_text: frenchText, severity, ends_at: endsAt }) => ({
    text,
    frenchText,
    severity,
    endsInMs: endsAt === null ? null : endsAt.getTime() - now.getTime(),
  }));
}
