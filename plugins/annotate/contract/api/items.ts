import { Type, type TSchema } from 'typebox';
import { endpoint } from '#core';
import { Empty, Instant, CursorPage, LocationUid, nullable, NewUid } from '#core/api';
import { Cursor } from './shapes.ts';

/** The input that all item types share, and the place of their creation. */
export const inputFields = {
  name: Type.String({ minLength: 1, maxLength: 120, pattern: '\\S' }),
  /** Uid of the tour. */
  tour: Type.String({ minLength: 1, maxLength: 64 }),
  /** Uid of the node at which it was created. */
  node: nullable(Type.String({ maxLength: 64 })),
  /** The view at creation, in the format of the address. */
  view: nullable(Type.String({ maxLength: 2000 })),
  /** Whether it is visible to others who can access the location. */
  shared: Type.Boolean(),
};

/** The fields that the server adds. */
export const itemFields = {
  uid: Type.String(),
  location: Type.String(),
  /** Increases by one with each saved change. */
  version: Type.Integer(),
  /** Name of the author; the username only if that account has no name. */
  author: Type.String(),
  /** Whether the caller is the author. */
  own: Type.Boolean(),
  /** Whether the caller may change and delete it: the author, and people with the flag `configure`. */
  editable: Type.Boolean(),
  createdAt: Instant,
  updatedAt: Instant,
};

/** Limited by the length of an address. */
const maxListedUids = 50;

/**
 * The three endpoints of an item type; items are private or shared with everyone who can access the location. `one`
 * (with its article) and `plural` are inserted into the summaries.
 */
export function itemEndpoints<const Path extends string, Written extends TSchema, Kept extends TSchema>(
  path: Path,
  { one, plural }: { readonly one: string; readonly plural: string },
  written: Written,
  kept: Kept,
) {
  const params = Type.Object({ location: LocationUid, uid: NewUid });
  return {
    list: endpoint('GET', `/api/annotate/:location/${path}`, {
      summary:
        `The caller's own ${plural} and those that others share, at the location and below it, as far as the ` +
        'caller reaches; the latest first, 200 in a reply. `after`: `next` of the reply before. With `uids` only these: ' +
        'those that are missing in the reply are deleted or no longer shared.',
      access: 'signedIn',
      location: 'params.location',
      params: Type.Object({ location: LocationUid }),
      query: Type.Object(
        { after: Type.Optional(Cursor), uids: Type.Optional(Type.Array(NewUid, { maxItems: maxListedUids })) },
        { additionalProperties: false },
      ),
      reply: CursorPage(kept),
    }),
    put: endpoint('PUT', `/api/annotate/:location/${path}/:uid`, {
      summary:
        `Keep ${one} under a uid that the caller chose. 409 where another has changed it since ` +
        `\`version\`; the ` +
        `answer then holds theirs in \`current\`. Sent twice it is kept once. 403 for another's that is shared, but for ` +
        'people with the flag `configure`.',
      access: 'signedIn',
      location: 'params.location',
      params,
      body: written,
      reply: kept,
    }),
    remove: endpoint('DELETE', `/api/annotate/:location/${path}/:uid`, {
      summary: `Delete ${one} of one's own, or with the flag \`configure\` a shared one, with all that belongs to it. What is gone already stays gone.`,
      access: 'signedIn',
      location: 'params.location',
      params,
      reply: Empty,
    }),
  };
}
