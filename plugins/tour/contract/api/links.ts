import { Type } from 'typebox';
import { endpoint } from '#core';
import { LocationUid } from '#core/api';

/** Letters and digits that are not confused with each other: without 0, 1, I, L, O and U. */
export const linkCodeAlphabet = '23456789abcdefghjkmnpqrstvwxyz';
export const linkCodeLength = 8;

export const saveViewLink = endpoint('POST', '/api/tour/:location/links', {
  summary:
    'Saves a view of a tour and returns the code of its short link. The same view of a location always has the same ' +
    'code. Unknown parts of the view are removed.',
  access: 'signedIn',
  location: 'params.location',
  limitPerMinute: 60,
  params: Type.Object({ location: LocationUid }),
  body: Type.Object(
    {
      /** The view as the query of a tour URL, without the question mark. */
      view: Type.String({ minLength: 1, maxLength: 4000 }),
    },
    { additionalProperties: false },
  ),
  reply: Type.Object({ code: Type.String() }),
});

export const openViewLink = endpoint('GET', '/api/tour-links/:code', {
  summary: 'Returns the view of a short link. Replies 404 if the location of the view is not accessible.',
  access: 'signedIn',
  params: Type.Object({ code: Type.String({ minLength: 1, maxLength: 40 }) }),
  reply: Type.Object({
    location: Type.String(),
    /** The view as the query of a tour URL, without the question mark. */
    view: Type.String(),
  }),
});
