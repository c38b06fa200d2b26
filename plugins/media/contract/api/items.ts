import { Type, type Static } from 'typebox';
import { endpoint } from '#core';
import { BaseVersion, Changed, nullable, Page, pageQuery } from '#core/api';
import { itemRules } from '../rules.ts';

/** An image or a video that everybody who is logged in can watch. */
export type MediaItem = Static<typeof MediaItem>;
export const MediaItem = Type.Object({
  uid: Type.String(),
  title: Type.String(),
  /** Null if `title` is used in French as well. */
  frenchTitle: nullable(Type.String()),
  address: Type.String(),
  video: Type.Boolean(),
  /** URL of a WebVTT file. */
  captions: nullable(Type.String()),
  /** Position in the list; ties are sorted by title. */
  sequence: Type.Integer(),
  version: Type.Integer(),
});

export const ItemUid = Type.String({ pattern: '^[0-9a-f-]{36}$' });
const itemParams = Type.Object({ item: ItemUid });
const versionQuery = Type.Object({ version: BaseVersion }, { additionalProperties: false });

export const listItems = endpoint('GET', '/api/media/items', {
  summary: 'Lists the images and videos in their order.',
  access: 'signedIn',
  query: Type.Object(pageQuery(200), { additionalProperties: false }),
  reply: Page(MediaItem),
});

export const createItem = endpoint('POST', '/api/media/items/:item/file', {
  summary:
    'Adds an image or a video. The form has one JPEG, PNG or SVG of at most 20 MB, or one MP4 of at most 50 MB. The ' +
    'title is the file name. A repeated request adds nothing.',
  access: 'import',
  params: itemParams,
  reply: Changed,
});

export const saveItem = endpoint('PUT', '/api/media/items/:item', {
  summary: 'Changes title and position. Answers 409 with the current item if it was changed since it was read.',
  access: 'import',
  params: itemParams,
  body: Type.Object(
    {
      title: Type.String({ maxLength: 500 }),
      frenchTitle: nullable(Type.String({ maxLength: 500 })),
      sequence: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
      /** False removes the captions. */
      captions: Type.Boolean(),
      version: BaseVersion,
    },
    { additionalProperties: false },
  ),
  rules: itemRules,
  reply: Changed,
});

export const saveCaptions = endpoint('POST', '/api/media/items/:item/captions', {
  summary:
    'Uploads or replaces the captions of a video. The form has one WebVTT file of at most 2 MB. Answers 409 with the ' +
    'current item if it was changed since it was read.',
  access: 'import',
  params: itemParams,
  query: versionQuery,
  reply: Changed,
});

export const deleteItem = endpoint('DELETE', '/api/media/items/:item', {
  summary: 'Deletes an image or a video. Answers 409 with the current item if it was changed since it was read.',
  access: 'import',
  params: itemParams,
  query: versionQuery,
  reply: Changed,
});
