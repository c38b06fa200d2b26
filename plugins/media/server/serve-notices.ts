import { NoticeSources, SignInContents, type Api, type ServerContext } from '#core/server';
import { deleteNotice, dismissNotice, listNotices, listShownNotices, saveNotice } from '../contract/api.ts';
import { saveDismissal, putNotice, removeNotice } from './commands/notice-changes.ts';
import { hasNotices, loadLoginNotices, loadNotices, loadShownNotices } from './queries/notices.ts';
import type { MediaTables } from './tables.ts';

/** Serves the notices in the banner areas and on the login screen. */
export function serveNotices(api: Api, context: ServerContext<MediaTables>): void {
  api.serve(listNotices, ({ query, caller }) => loadNotices(context, caller, query));
  api.serve(listShownNotices, ({ caller }) => loadShownNotices(context, caller));
  api.serve(dismissNotice, async ({ params, caller }) => {
    await saveDismissal(context, caller, params.notice);
    return {};
  });
  api.serve(saveNotice, ({ params, body, caller, requestId }) =>
    putNotice(context, { caller, requestId }, params.notice, body),
  );
  api.serve(deleteNotice, ({ params, query, caller, requestId }) =>
    removeNotice(context, { caller, requestId }, params.notice, query),
  );
  context.registerLocationContents('media.contents.notices', 'notice');
  context.service(NoticeSources).register((caller) => hasNotices(context, caller));
  context.service(SignInContents).register(async () => ({ notices: await loadLoginNotices(context.tables) }));
}
