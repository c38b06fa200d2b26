import { Type, type Static } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { locationRules, newLocationRules } from '../location-rules.ts';
import { locationTypes } from '../location.ts';
import { BaseVersion, LocationUid, nullable } from './shapes.ts';
import { SiteRecord, siteRecordRules } from './sites.ts';

/** The texts that show a location: its name, and a second line. */
const displayTexts = {
  name: Type.String({ maxLength: 1000 }),
  label: Type.String({ maxLength: 1000, description: 'A second line, such as an elevation. May be empty.' }),
};

/** `change` is the uid of the change, which `undoChange` undoes. */
export type LocationChanged = Static<typeof LocationChanged>;
export const LocationChanged = Type.Object({ change: Type.String() });

/** `change` is null if the location already has the values: nothing is written then. */
export type LocationSaved = Static<typeof LocationSaved>;
export const LocationSaved = Type.Object({ change: nullable(Type.String()) });

export type NewLocation = Static<typeof NewLocation>;
export const NewLocation = Type.Object(
  {
    uid: Type.String({ maxLength: 1000, description: "The location's code, which never changes." }),
    ...displayTexts,
    locationType: Type.Enum([...locationTypes]),
    parent: Type.Union([LocationUid, Type.Null()], { description: 'Null for a site.' }),
    site: Type.Optional(SiteRecord),
  },
  { additionalProperties: false },
);

const params = Type.Object({ location: LocationUid });

export const createLocation = endpoint('POST', '/api/locations', {
  summary:
    'Create a site, unit, level or group as the last one below its parent. A site needs access to all locations. ' +
    'Answers 409 if the code is taken, and 400 if the parent cannot have such a location. A repeated request of the ' +
    'same person gets the first reply as long as the location is unchanged.',
  access: 'configure',
  body: NewLocation,
  rules: newLocationRules,
  status: 201,
  reply: LocationChanged,
});

export const updateLocation = endpoint('PUT', '/api/locations/:location', {
  summary: 'Change name, label and type. Answers 409 with the current location if it was changed since it was read.',
  access: 'configure',
  location: 'params.location',
  params,
  body: Type.Object(
    { ...displayTexts, locationType: Type.Enum([...locationTypes]), version: BaseVersion },
    { additionalProperties: false },
  ),
  rules: locationRules,
  reply: LocationSaved,
});

export const moveLocation = endpoint('PUT', '/api/locations/:location/place', {
  summary:
    'Move a location with everything below it to another parent of its site, or to another place below its parent. ' +
    'Answers 409 with the current location if it was changed since it was read.',
  access: 'configure',
  location: 'params.location',
  params,
  body: Type.Object(
    {
      parent: Type.Union([LocationUid, Type.Null()], { description: 'Null for a site.' }),
      before: Type.Union([LocationUid, Type.Null()], { description: 'The next sibling. Null to be the last one.' }),
      version: BaseVersion,
    },
    { additionalProperties: false },
  ),
  reply: LocationSaved,
});

/** The content that a deletion would delete, and the reasons that prevent it. */
export type LocationUse = Static<typeof LocationUse>;
export const LocationUse = Type.Object({
  /** The number of locations below, which are also deleted. */
  descendants: Type.Integer(),
  /** Names of the roles that grant the location or one below it, which they lose. */
  roles: Type.Array(Type.String()),
  /** Rows that belong to the location or one below it. With any, it cannot be deleted. */
  contents: Type.Array(
    Type.Object({
      /** Id of a text with the placeholder `count`. */
      message: Type.String(),
      count: Type.Integer(),
    }),
  ),
});

export const findLocationUse = endpoint('GET', '/api/locations/:location/use', {
  summary: 'What would be deleted with a location, and what must be moved or deleted before.',
  access: 'configure',
  location: 'params.location',
  params,
  reply: LocationUse,
});

export const deleteLocation = endpoint('DELETE', '/api/locations/:location', {
  summary: 'Delete a location with all below it. Answers 409 if anything belongs to one of them (see its use).',
  access: 'configure',
  location: 'params.location',
  params,
  reply: LocationChanged,
});

export const saveSite = endpoint('PUT', '/api/sites/:site', {
  summary:
    'Replace the record of a site: time zone, frame and vertical datum. Answers 404 if the location is no site, and ' +
    '409 with the current site if its record is not `base` any more. Without `base`, any record is replaced.',
  access: 'configure',
  location: 'params.site',
  params: Type.Object({ site: LocationUid }),
  body: Type.Object({ ...SiteRecord.properties, base: Type.Optional(SiteRecord) }, { additionalProperties: false }),
  rules: siteRecordRules,
  reply: LocationSaved,
});
