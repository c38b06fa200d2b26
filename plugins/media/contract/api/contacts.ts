import { Type, type Static } from 'typebox';
import { endpoint } from '#core';
import { BaseVersion, Changed, LocationUid, nullable, Page, pageQuery } from '#core/api';
import { contactRules } from '../rules.ts';
import { contactCategories } from '../values.ts';

/** A person or office whom people can ask for help. */
export type Contact = Static<typeof Contact>;
export const Contact = Type.Object({
  uid: Type.String(),
  name: Type.String(),
  jobTitle: nullable(Type.String()),
  category: Type.Enum([...contactCategories]),
  email: nullable(Type.String()),
  /** E.164. */
  phone: nullable(Type.String()),
  /** Uid of the location whose people see it. Null: everybody who is logged in. */
  location: nullable(Type.String()),
  languages: Type.Array(Type.String()),
  /** Position in the list; ties are sorted by name. */
  sequence: Type.Integer(),
  onLogin: Type.Boolean(),
  version: Type.Integer(),
});

export const listContacts = endpoint('GET', '/api/media/contacts', {
  summary: 'Lists the contacts for everybody and for the locations that the caller can access, in their order.',
  access: 'signedIn',
  query: Type.Object(pageQuery(200), { additionalProperties: false }),
  reply: Page(Contact),
});

const contactParams = Type.Object({ contact: Type.String({ pattern: '^[0-9a-f-]{36}$' }) });

export const saveContact = endpoint('PUT', '/api/media/contacts/:contact', {
  summary:
    'Creates a contact (version 0) or changes it. Answers 409 with the current contact if it was changed since it was ' +
    'read.',
  access: 'import',
  params: contactParams,
  body: Type.Object(
    {
      name: Type.String({ maxLength: 500 }),
      jobTitle: nullable(Type.String({ maxLength: 500 })),
      category: Type.Enum([...contactCategories]),
      email: nullable(Type.String({ maxLength: 500 })),
      phone: nullable(Type.String({ maxLength: 500 })),
      location: nullable(LocationUid),
      languages: Type.Array(Type.String({ minLength: 1, maxLength: 50 }), { maxItems: 20 }),
      sequence: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
      onLogin: Type.Boolean(),
      version: BaseVersion,
    },
    { additionalProperties: false },
  ),
  rules: contactRules,
  reply: Changed,
});

export const deleteContact = endpoint('DELETE', '/api/media/contacts/:contact', {
  summary: 'Deletes a contact. Answers 409 with the current contact if it was changed since it was read.',
  access: 'import',
  params: contactParams,
  query: Type.Object({ version: BaseVersion }, { additionalProperties: false }),
  reply: Changed,
});
