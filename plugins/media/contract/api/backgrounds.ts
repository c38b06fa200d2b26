import { Type, type Static } from 'typebox';
import { endpoint } from '#core';
import { BaseVersion, LocationUid, nullable } from '#core/api';
import { backgroundKinds, maxBackgrounds } from '../values.ts';

export type BackgroundImage = Static<typeof BackgroundImage>;
export const BackgroundImage = Type.Object({
  /** Id of the file. Requests that order, replace or remove the image name it. */
  file: Type.String(),
  /** Name of the uploaded file. */
  name: Type.String(),
  address: Type.String(),
  video: Type.Boolean(),
});

/** The backgrounds of one screen in the order that admins chose, at most 5. */
export type Backgrounds = Static<typeof Backgrounds>;
export const Backgrounds = Type.Object({
  images: Type.Array(BackgroundImage),
  /** A change names this version as its base. It is 0 if there never was a background. */
  version: Type.Integer(),
});

/** `LOCATION` is the screen of the location, which only sites have, and `TOUR` its tour. */
export type LocationBackgrounds = Static<typeof LocationBackgrounds>;
export const LocationBackgrounds = Type.Object({ LOCATION: Backgrounds, TOUR: Backgrounds });

/** `change` is the uid of the change, which `undoChange` undoes. Null if nothing differs. */
export type BackgroundsSaved = Static<typeof BackgroundsSaved>;
export const BackgroundsSaved = Type.Object({ change: nullable(Type.String()), backgrounds: Backgrounds });

const FileId = Type.String({ pattern: '^[0-9a-f]{32}$' });
const uploadQuery = Type.Object(
  {
    version: BaseVersion,
    replaces: Type.Optional(Type.String({ pattern: '^[0-9a-f]{32}$', description: 'Id of the replaced file.' })),
  },
  { additionalProperties: false },
);
const imageListBody = Type.Object(
  { files: Type.Array(FileId, { maxItems: maxBackgrounds }), version: BaseVersion },
  { additionalProperties: false },
);
const conflictText = 'Answers 409 with the current backgrounds if they were changed since they were read.';

export const getBackgrounds = endpoint('GET', '/api/media/locations/:location/backgrounds', {
  summary: 'The backgrounds of a location and of its tour.',
  access: 'signedIn',
  location: 'params.location',
  params: Type.Object({ location: LocationUid }),
  reply: LocationBackgrounds,
});

const locationBackgroundsParams = Type.Object({ location: LocationUid, kind: Type.Enum([...backgroundKinds]) });

export const addBackground = endpoint('POST', '/api/media/locations/:location/backgrounds/:kind/images', {
  summary:
    'Adds or replaces a background. The form has one JPEG, PNG or SVG of at most 20 MB. Photos lose their metadata and ' +
    `are scaled down to 2560 x 1440. SVGs lose all active content. ${conflictText}`,
  access: 'configure',
  location: 'params.location',
  params: locationBackgroundsParams,
  query: uploadQuery,
  reply: BackgroundsSaved,
});

export const saveBackgroundList = endpoint('PUT', '/api/media/locations/:location/backgrounds/:kind', {
  summary: `Saves the order of the backgrounds of a location or its tour. Backgrounds that are not listed are removed. ${conflictText}`,
  access: 'configure',
  location: 'params.location',
  params: locationBackgroundsParams,
  body: imageListBody,
  reply: BackgroundsSaved,
});

export const getLoginBackgrounds = endpoint('GET', '/api/media/login-backgrounds', {
  summary: 'The backgrounds of the login screen.',
  access: 'configure',
  reply: Backgrounds,
});

export const addLoginBackground = endpoint('POST', '/api/media/login-backgrounds/images', {
  summary:
    'Adds or replaces a background of the login screen. The form has one JPEG, PNG or SVG, or one MP4 of at most 50 MB. ' +
    `A video must be the only background. Everybody can see it. ${conflictText}`,
  access: 'configure',
  query: uploadQuery,
  reply: BackgroundsSaved,
});

export const saveLoginBackgroundList = endpoint('PUT', '/api/media/login-backgrounds', {
  summary: `Saves the order of the backgrounds of the login screen. Backgrounds that are not listed are removed. ${conflictText}`,
  access: 'configure',
  body: imageListBody,
  reply: BackgroundsSaved,
});
