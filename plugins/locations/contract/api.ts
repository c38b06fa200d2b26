import { Type, type Static } from 'typebox';
import { endpoint } from '#core';
import { BaseVersion, LocationUid, nullable } from '#core/api';
import { maxAreas, pictureKinds } from './picture-kinds.ts';

export * from './api/set-up.ts';

/** A corner in fractions of an image: x from the left, y from the top. */
export type Corner = readonly [x: number, y: number];
const Corner = Type.Unsafe<Corner>(Type.Array(Type.Number({ minimum: 0, maximum: 1 }), { minItems: 2, maxItems: 2 }));

/** The area of a location on the navigation image of an ancestor. */
export type NavigationArea = Static<typeof NavigationArea>;
export const NavigationArea = Type.Object({
  location: Type.String(),
  /** A closed polygon. */
  polygon: Type.Array(Corner, { minItems: 3 }),
});

/** The images of one location: the URLs of their files, or null for an absent image. */
export type LocationPictures = Static<typeof LocationPictures>;
export const LocationPictures = Type.Object({
  location: Type.String(),
  /** 250 x 250 pixels. */
  icon: nullable(Type.String()),
  /** At most 1980 x 1080 pixels. */
  navigationImage: nullable(Type.String()),
  areas: Type.Array(NavigationArea),
  /** The version that a change must name. 0 for a location that never had a picture. */
  version: Type.Integer(),
});

export const listLocationPictures = endpoint('GET', '/api/location-pictures', {
  summary: 'Lists the icons and navigation images of the locations that the caller can access.',
  access: 'signedIn',
  reply: Type.Array(LocationPictures),
});

/** `change` is the uid of the change, for `undoChange`. Null if nothing was changed. */
export type PicturesSaved = Static<typeof PicturesSaved>;
export const PicturesSaved = Type.Object({ change: nullable(Type.String()), pictures: LocationPictures });

const imageParams = Type.Object({ location: LocationUid, kind: Type.Enum([...pictureKinds]) });
const versionQuery = Type.Object({ version: BaseVersion }, { additionalProperties: false });

export const saveLocationPicture = endpoint('POST', '/api/location-pictures/:location/images/:kind', {
  summary:
    'Uploads or replaces a picture of a location as a form with one JPEG, PNG or WebP file of at most 20 MB and at ' +
    'least 250 x 250 pixels. An icon is cropped to 250 x 250, a navigation image fits into 1980 x 1080. Answers 409 ' +
    'with the current pictures if they were changed since they were read.',
  access: 'configure',
  location: 'params.location',
  params: imageParams,
  query: versionQuery,
  reply: PicturesSaved,
});

export const deleteLocationPicture = endpoint('DELETE', '/api/location-pictures/:location/images/:kind', {
  summary:
    'Removes a picture of a location. The areas of a navigation image stay for the next one. Answers 409 with the ' +
    'current pictures if they were changed since they were read.',
  access: 'configure',
  location: 'params.location',
  params: imageParams,
  query: versionQuery,
  reply: PicturesSaved,
});

export const saveNavigationAreas = endpoint('PUT', '/api/location-pictures/:location/areas', {
  summary:
    "Replaces the areas of a location's navigation image. Each belongs to the location itself or one below it, and its " +
    'outline does not cross itself. Answers 409 with the current pictures if they were changed since they were read.',
  access: 'configure',
  location: 'params.location',
  params: Type.Object({ location: LocationUid }),
  body: Type.Object(
    {
      areas: Type.Array(
        Type.Object(
          { location: LocationUid, polygon: Type.Array(Corner, { minItems: 3, maxItems: 64 }) },
          { additionalProperties: false },
        ),
        { maxItems: maxAreas },
      ),
      version: BaseVersion,
    },
    { additionalProperties: false },
  ),
  reply: PicturesSaved,
});
