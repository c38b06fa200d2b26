import path from 'node:path';
import { webPluginConforms } from '#core/testing/web';
import { backgroundKinds, contactCategories } from '../contract/index.ts';
import manifest from '../plugin.ts';

webPluginConforms({
  folder: path.resolve('plugins/media'),
  manifest,
  settings: {},
  messages: [
    ...['LOGIN', ...backgroundKinds].flatMap((kind) => [
      `media.backgrounds.done.${kind}`,
      `media.backgrounds.undone.${kind}`,
    ]),
    ...contactCategories.map((category) => `media.contact.category.${category}`),
    ...['name', 'jobTitle', 'email', 'phone', 'languages', 'edit', 'editOf', 'delete', 'deleteOf'].map(
      (text) => `media.contact.${text}`,
    ),
    ...['saved', 'deleted'].flatMap((kind) => [`media.contact.done.${kind}`, `media.contact.undone.${kind}`]),
    ...['added', 'saved', 'deleted'].flatMap((kind) => [`media.item.done.${kind}`, `media.item.undone.${kind}`]),
    ...['itemSaved', 'itemDeleted', 'contactSaved', 'contactDeleted', 'contactsImported'].map(
      (action) => `media.audit.${action}`,
    ),
    ...['loginBackgroundsSaved', 'locationBackgroundsSaved', 'tourBackgroundsSaved', 'changeUndone'].map(
      (action) => `media.audit.${action}`,
    ),
  ],
});
