import { Type, type TSchema } from 'typebox';
import { endpoint } from '#core';
import { Empty, Instant, CursorPage, LocationUid, nullable, NewUid } from '#core/api';
import { Cursor } from './shapes.ts';

/** The input fields that all item types share. */
export const inputFields = {
  name: Type.String({ minLength: 1, maxLength: 120, pattern: '\\S' }),
  /** Uid of the tour. */
  tour: Type.String({ minLength: 1, maxLength: 64 }),
  /** Uid of the node at which it was created. */
  node: nullable(Type.String({ maxLength: 64 })),
  /** The view at creation, encoded as in the URL. */
  view: nullable(Type.String({ maxLength: 2000 })),
  /** Whether other people with access to the location can see the item. */
  shared: Type.Boolean(),
};

/** The fields that the server adds. */
export const itemFields = {
  uid: Type.String(),
  location: Type.String(),
  /** Increases by one with each saved change. */
  version: Type.Integer(),
  /** Name of the author, or the username if the account has no name. */
  author: Type.String(),
  /** Whether the caller is the author. */
  own: Type.Boolean(),
  /** Whether the caller may change and delete the item, as the author and people with the flag `configure` may. */
  editable: Type.Boolean(),
  createdAt: Instant,
  updatedAt: Instant,
};

/** The length of a URL limits the list of uids. */
const maxListedUids = 50;

/**
 * Describes the three endpoints of an item type. Items are private or shared with everyone who can access the location.
 * `singular` (with its article) and `plural` are inserted into the summaries.
 */
export function itemEndpoints<const Path extends string, Input extends TSchema, Item extends TSchema>(
  path: Path,
  { singular, plural }: { readonly singular: string; readonly plural: string },
  input: Input,
  item: Item,
) {
  const params = Type.Object({ location: LocationUid, uid: NewUid });
  return {
    list: endpoint('GET', `/api/annotate/:location/${path}`, {
      summary:
        `Lists the caller's own ${plural} and those that others share, at the location and at accessible locations ` +
        'below it. A reply has at most 200, latest first; `after` takes `next` of the previous reply. With `uids` only ' +
        `these ${plural} are listed; those that the reply omits are deleted or not shared.`,
      access: 'signedIn',
      location: 'params.location',
      params: Type.Object({ location: LocationUid }),
      query: Type.Object(
        { after: Type.Optional(Cursor), uids: Type.Optional(Type.Array(NewUid, { maxItems: maxListedUids })) },
        { additionalProperties: false },
      ),
      reply: CursorPage(item),
    }),
    put: endpoint('PUT', `/api/annotate/:location/${path}/:uid`, {
      summary:
        `Saves ${singular} under a uid that the caller chose. A repeated request has no effect. Replies 409 with the ` +
        'current value in `current` if another person has changed it since `version`. Replies 403 if another person ' +
        'shares it and the caller does not have the flag `configure`.',
      access: 'signedIn',
      location: 'params.location',
      params,
      body: input,
      reply: item,
    }),
    remove: endpoint('DELETE', `/api/annotate/:location/${path}/:uid`, {
      summary: `Deletes ${singular} of the caller, or with the flag \`configure\` a shared one. A repeated request has no effect.`,
      access: 'signedIn',
      location: 'params.location',
      params,
      reply: Empty,
    }),
  };
}
