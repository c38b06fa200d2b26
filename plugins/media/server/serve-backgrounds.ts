import { sql, type SqlBool } from 'kysely';
import { SignInContents, type Api, type ServerContext } from '#core/server';
import {
  addBackground,
  addLoginBackground,
  arrangeBackgrounds,
  arrangeLoginBackgrounds,
  getBackgrounds,
  getLoginBackgrounds,
} from '../contract/api.ts';
import { arrangeImages, saveBackground } from './commands/save-background.ts';
import { pictureOrVideoUpload, pictureUpload } from './commands/store-media-file.ts';
import { loadBackgrounds, loadLocationBackgrounds } from './queries/backgrounds.ts';
import type { MediaTables } from './tables.ts';
import { assertWholeProduct } from './commands/assert-whole-product.ts';

const login = { kind: 'LOGIN' } as const;

/** Serves backgrounds of locations, tours and the login screen. */
export function serveBackgrounds(api: Api, context: ServerContext<MediaTables>): void {
  // Rows stay without images, so that their versions go on.
  context.registerContents('media.contents.backgrounds', 'background', sql<SqlBool>`jsonb_array_length(images) > 0`);
  api.serve(getBackgrounds, ({ params }) => loadLocationBackgrounds(context, params.location));
  api.serveUpload(addBackground, pictureUpload, ({ params, query, caller, requestId }, { files: [file] }) =>
    saveBackground(context, { caller, requestId }, params, query, file!),
  );
  api.serve(arrangeBackgrounds, ({ params, body, caller, requestId }) =>
    arrangeImages(context, { caller, requestId }, params, body),
  );
  api.serve(getLoginBackgrounds, () => loadBackgrounds(context, login));
  api.serveUpload(addLoginBackground, pictureOrVideoUpload, ({ query, caller, requestId }, { files: [file] }) => {
    assertWholeProduct(caller);
    return saveBackground(context, { caller, requestId }, login, query, file!);
  });
  api.serve(arrangeLoginBackgrounds, ({ body, caller, requestId }) => {
    assertWholeProduct(caller);
    return arrangeImages(context, { caller, requestId }, login, body);
  });
  context.service(SignInContents).register(async () => ({
    backgrounds: (await loadBackgrounds(context, login)).images.map(({ address, video }) => ({
      address,
      isVideo: video,
    })),
  }));
}
