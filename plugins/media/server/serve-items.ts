import type { Api, ServerContext } from '#core/server';
import { createItem, deleteItem, listItems, saveCaptions, saveItem } from '../contract/api.ts';
import { assertAccessToAllLocations } from './commands/assert-access-to-all-locations.ts';
import { addItem, captionsUpload, changeCaptions, changeItem, removeItem } from './commands/item-changes.ts';
import { pictureOrVideoUpload } from './commands/store-media-file.ts';
import { loadItems } from './queries/items.ts';
import type { MediaTables } from './tables.ts';

/** Serves the images and videos that everybody can watch. Changes require access to all locations. */
export function serveItems(api: Api, context: ServerContext<MediaTables>): void {
  api.serve(listItems, ({ query }) => loadItems(context, query));
  api.serveUpload(createItem, pictureOrVideoUpload, ({ params, caller, requestId }, { files: [file] }) => {
    assertAccessToAllLocations(caller);
    return addItem(context, { caller, requestId }, params.item, file!);
  });
  api.serve(saveItem, ({ params, body, caller, requestId }) => {
    assertAccessToAllLocations(caller);
    return changeItem(context, { caller, requestId }, params.item, body);
  });
  api.serveUpload(saveCaptions, captionsUpload, ({ params, query, caller, requestId }, { files: [file] }) => {
    assertAccessToAllLocations(caller);
    return changeCaptions(context, { caller, requestId }, { uid: params.item, ...query }, file!);
  });
  api.serve(deleteItem, ({ params, query, caller, requestId }) => {
    assertAccessToAllLocations(caller);
    return removeItem(context, { caller, requestId }, { uid: params.item, ...query });
  });
}
