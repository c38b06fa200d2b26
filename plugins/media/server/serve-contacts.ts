import { SignInContents, type Api, type ServerContext } from '#core/server';
import { deleteContact, listContacts, saveContact } from '../contract/api.ts';
import { putContact, removeContact } from './commands/contact-changes.ts';
import { loadContacts, loadLoginContacts } from './queries/contacts.ts';
import type { MediaTables } from './tables.ts';

/** Serves the contacts that people can ask. */
export function serveContacts(api: Api, context: ServerContext<MediaTables>): void {
  api.serve(listContacts, ({ query, caller }) => loadContacts(context, caller, query));
  api.serve(saveContact, ({ params, body, caller, requestId }) =>
    putContact(context, { caller, requestId }, params.contact, body),
  );
  api.serve(deleteContact, ({ params, query, caller, requestId }) =>
    removeContact(context, { caller, requestId }, params.contact, query),
  );
  context.registerLocationContents('media.contents.contacts', 'contact');
  context.service(SignInContents).register(async () => ({ contacts: await loadLoginContacts(context.tables) }));
}
