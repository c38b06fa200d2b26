import { Type, type Static } from 'typebox';
import { accessFlags } from '../access.ts';
import { auditAreas, maxAuditPage } from '../audit.ts';
import { endpoint } from '../endpoint.ts';
import { InstantInput, Instant, nullable, Page, pageQuery } from './shapes.ts';

/** An entry of the audit log. */
export type AuditLogEntry = Static<typeof AuditLogEntry>;
export const AuditLogEntry = Type.Object({
  /** Ascending with the time of the entry. */
  id: Type.String(),
  at: Instant,
  /** Null for the system itself and for people who were not signed in. */
  actor: nullable(Type.Object({ uid: Type.String(), name: Type.String() })),
  /** The plugin or core part and the action, such as `tour.deckChanged`. */
  action: Type.String(),
  subject: Type.String(),
  /** Name of the subject, where the entry has one. */
  name: nullable(Type.String()),
  /** Uid of the location to which the subject belonged. */
  location: nullable(Type.String()),
  details: Type.Record(Type.String(), Type.Unknown()),
  /** The change that `undoChange` undoes. Null for entries of other kinds. */
  change: nullable(
    Type.Object({
      uid: Type.String(),
      undone: Type.Boolean(),
      /** The flag that undoing it needs. */
      access: Type.Enum([...accessFlags]),
    }),
  ),
});

export const listAuditEntries = endpoint('GET', '/api/audit', {
  summary:
    'Lists the entries of the audit log, latest first. Entries about locations that the caller cannot access are left ' +
    'out.',
  access: 'userManagement',
  query: Type.Object(
    {
      area: Type.Optional(Type.Enum([...auditAreas])),
      text: Type.Optional(
        Type.String({ maxLength: 200, description: 'A part of the name of a person or subject, a uid or an action.' }),
      ),
      subject: Type.Optional(Type.String({ maxLength: 64, description: 'Uid of the subject, such as of a person.' })),
      from: Type.Optional(InstantInput),
      to: Type.Optional(Type.Unsafe<string>({ ...InstantInput, description: 'Entries at this time are left out.' })),
      ...pageQuery(maxAuditPage),
    },
    { additionalProperties: false },
  ),
  reply: Page(AuditLogEntry),
});
