import type { Api, ServerContext } from '#core/server';
import { createItem, deleteItem, listItems, saveCaptions, saveItem } from '../contract/api.ts';
import { assertWholeProduct } from './commands/assert-whole-product.ts';
import { addItem, captionsUpload, changeCaptions, changeItem, removeItem } from './commands/item-changes.ts';
import { pictureOrVideoUpload } from './commands/store-media-file.ts';
import { loadItems } from './queries/items.ts';
import type { MediaTables } from './tables.ts';

/** Serves the images and videos that everybody can watch. Who changes them needs access to all locations. */
export function serveItems(api: Api, context: ServerContext<MediaTables>): void {
  api.serve(listItems, ({ query }) => loadItems(context, query));
  api.serveUpload(createItem, pictureOrVideoUpload, ({ params, caller, requestId }, { files: [file] }) => {
    assertWholeProduct(caller);
    return addItem(context, { caller, requestId }, params.item, file!);
  });
  api.serve(saveItem, ({ params, body, caller, requestId }) => {
    assertWholeProduct(caller);
    return changeItem(context, { caller, requestId }, params.item, body);
  });
  api.serveUpload(saveCaptions, captionsUpload, ({ params, query, caller, requestId }, { files: [file] }) => {
    assertWholeProduct(caller);
    return changeCaptions(context, { caller, requestId }, { uid: params.item, ...query }, file!);
  });
  api.serve(deleteItem, ({ params, query, caller, requestId }) => {
    assertWholeProduct(caller);
    return removeItem(context, { caller, requestId }, { uid: params.item, ...query });
  });
}
