import { sql, type SqlBool } from 'kysely';
import { SignInContents, type Api, type ServerContext } from '#core/server';
import {
  addBackground,
  addLoginBackground,
  saveBackgroundList,
  saveLoginBackgroundList,
  getBackgrounds,
  getLoginBackgrounds,
} from '../contract/api.ts';
import { saveImageList, saveBackground } from './commands/save-background.ts';
import { pictureOrVideoUpload, pictureUpload } from './commands/store-media-file.ts';
import { loadBackgrounds, loadLocationBackgrounds } from './queries/backgrounds.ts';
import type { MediaTables } from './tables.ts';
import { assertAccessToAllLocations } from './commands/assert-access-to-all-locations.ts';

const loginSubject = { kind: 'LOGIN' } as const;

/** Serves backgrounds of locations, tours and the login screen. */
export function serveBackgrounds(api: Api, context: ServerContext<MediaTables>): void {
  // Rows without images are kept, so that their versions keep increasing. They do not count as contents.
  context.registerLocationContents(
    'media.contents.backgrounds',
    'background',
    sql<SqlBool>`jsonb_array_length(images) > 0`,
  );
  api.serve(getBackgrounds, ({ params }) => loadLocationBackgrounds(context, params.location));
  api.serveUpload(addBackground, pictureUpload, ({ params, query, caller, requestId }, { files: [file] }) =>
    saveBackground(context, { caller, requestId }, params, query, file!),
  );
  api.serve(saveBackgroundList, ({ params, body, caller, requestId }) =>
    saveImageList(context, { caller, requestId }, params, body),
  );
  api.serve(getLoginBackgrounds, () => loadBackgrounds(context, loginSubject));
  api.serveUpload(addLoginBackground, pictureOrVideoUpload, ({ query, caller, requestId }, { files: [file] }) => {
    assertAccessToAllLocations(caller);
    return saveBackground(context, { caller, requestId }, loginSubject, query, file!);
  });
  api.serve(saveLoginBackgroundList, ({ body, caller, requestId }) => {
    assertAccessToAllLocations(caller);
    return saveImageList(context, { caller, requestId }, loginSubject, body);
  });
  context.service(SignInContents).register(async () => ({
    backgrounds: (await loadBackgrounds(context, loginSubject)).images.map(({ address, video }) => ({
      address,
      isVideo: video,
    })),
  }));
}
