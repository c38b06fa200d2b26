import type { Transaction } from 'kysely';
import type { BodyOf, QueryOf } from '#core';
import {
  versionConflict,
  conflict,
  invalidRequest,
  isUniqueViolation,
  noAccess,
  notFound,
  type CallAuthor,
  type ServerContext,
} from '#core/server';
import { normalisePhone, type Contact } from '#plugins/media';
import type { deleteContact, saveContact } from '../../contract/api/contacts.ts';
import { mediaRefusal } from '../../contract/errors.ts';
import { findUnreachable } from '../../contract/rules.ts';
import { toContact } from '../queries/contacts.ts';
import { assertLocationAccess, createAccessCheck, type AccessCheck } from './location-access.ts';
import type { MediaTables } from '../tables.ts';

export type ContactContext = Pick<ServerContext<MediaTables>, 'tables' | 'locations' | 'changes'>;

type ChangeResult = Promise<{ readonly change: string | null }>;

/**
 * Creates a contact or changes it.
 *
 * @throws `invalidRequest` (400) without an email address and a phone number; `noAccess` (403) if the caller cannot
 *   access the location (all locations for a contact for everybody); `notFound` (404) if the contact was deleted;
 *   `changedMeanwhile` (409) with the current contact; `conflict` (409) if the name is taken
 */
export async function putContact(
  context: ContactContext,
  author: CallAuthor,
  uid: string,
  { version, ...contact }: BodyOf<typeof saveContact>,
): ChangeResult {
  const { location } = contact;
  const unreachable = findUnreachable(contact);
  if (unreachable)
    throw invalidRequest(mediaRefusal('media.refused.contactUnreachable'), [{ pointer: '/phone', ...unreachable }]);
  await assertLocationAccess(context, author.caller, location);
  const canAccess = await createAccessCheck(context, author.caller);
  const name = contact.name.trim();
  const row = {
    name,
    job_title: trimToNull(contact.jobTitle),
    category: contact.category,
    email: trimToNull(contact.email),
    phone: trimToNull(contact.phone === null ? null : normalisePhone(contact.phone)),
    location,
    languages: JSON.stringify(contact.languages),
    sequence: contact.sequence,
    on_login: contact.onLogin,
  };
  try {
    return await context.changes.apply(
      author,
      { action: 'media.contactSaved', subject: uid, name, location: location ?? '' },
      async ({ tables, lockAndRecord }) => {
        await lockAndRecord('contact', 'uid', [uid]);
        const currentContact = await findContact(tables, uid, canAccess);
        assertVersion(currentContact, version);
        await tables
          .insertInto('contact')
          .values({ uid, ...row })
          .onConflict((builder) => builder.column('uid').doUpdateSet(row))
          .execute();
      },
    );
  } catch (cause) {
    if (isUniqueViolation(cause)) throw conflict(mediaRefusal('media.refused.contactExists', { name }));
    throw cause;
  }
}

/** @throws `notFound` (404); `noAccess` (403) like `putContact`; `changedMeanwhile` (409) with the current contact */
export async function removeContact(
  context: ContactContext,
  author: CallAuthor,
  uid: string,
  { version }: QueryOf<typeof deleteContact>,
): ChangeResult {
  const canAccess = await createAccessCheck(context, author.caller);
  const contact = await findContact(context.tables, uid, canAccess);
  if (!contact) throw notFound('This contact');
  return context.changes.apply(
    author,
    { action: 'media.contactDeleted', subject: uid, name: contact.name, location: contact.location ?? '' },
    async ({ tables, lockAndRecord }) => {
      await lockAndRecord('contact', 'uid', [uid]);
      assertVersion(await findContact(tables, uid, canAccess), version);
      await tables.deleteFrom('contact').where('uid', '=', uid).execute();
    },
  );
}

async function findContact(
  tables: Pick<Transaction<MediaTables>, 'selectFrom'>,
  uid: string,
  canAccess: AccessCheck,
): Promise<Contact | undefined> {
  const row = await tables.selectFrom('contact').selectAll().where('uid', '=', uid).executeTakeFirst();
  if (row && !canAccess(row.location)) throw noAccess();
  return row && toContact(row);
}

function assertVersion(currentContact: Contact | undefined, version: number): void {
  if (!currentContact && version > 0) throw notFound('This contact');
  if (currentContact && currentContact.version !== version)
    throw versionConflict(mediaRefusal('media.refused.contactChanged', { name: currentContact.name }), currentContact);
}

const trimToNull = (text: string | null): string | null => text?.trim() || null;
