import { Type, type Static } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { locationTypes } from '../location.ts';
import { nullable } from './shapes.ts';
import { SiteRecord } from './sites.ts';

export type LocationReply = Static<typeof LocationReply>;
/** One row of the flat list, in the order of import. */
export const LocationReply = Type.Object({
  uid: Type.String(),
  label: Type.String(),
  name: Type.String(),
  parent: nullable(Type.String()),
  root: Type.String(),
  locationType: Type.Enum([...locationTypes]),
  /** Version of the location: increased by each change. */
  version: Type.Optional(Type.Integer()),
  /** Only for a root with a site record. */
  site: Type.Optional(SiteRecord),
});

export const listLocations = endpoint('GET', '/api/locations', {
  summary:
    'The locations that the caller can access, with their ancestors. The answer has an ETag and stays the same, byte ' +
    'for byte, until a location changes.',
  access: 'signedIn',
  reply: Type.Array(LocationReply),
});
