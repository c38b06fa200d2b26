import { Type, type Static } from 'typebox';
import { endpoint } from '#core';
import { BaseVersion, LocationUid, nullable } from '#core/api';
import { backgroundKinds, maxBackgrounds } from '../values.ts';

export type BackgroundImage = Static<typeof BackgroundImage>;
export const BackgroundImage = Type.Object({
  /** Id of the file, by which the image is arranged, replaced and removed. */
  file: Type.String(),
  /** Name of the uploaded file. */
  name: Type.String(),
  address: Type.String(),
  video: Type.Boolean(),
});

/** The backgrounds of one screen in the order that admins arranged, at most 5. */
export type Backgrounds = Static<typeof Backgrounds>;
export const Backgrounds = Type.Object({
  images: Type.Array(BackgroundImage),
  /** The base of a change. 0 if there never was a background. */
  version: Type.Integer(),
});

/** The backgrounds of a location: of its screen if it is a site, and of its tour. */
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
const arrangement = Type.Object(
  { files: Type.Array(FileId, { maxItems: maxBackgrounds }), version: BaseVersion },
  { additionalProperties: false },
);
const conflictText = 'Answers 409 with the present backgrounds if they were changed since they were read.';

export const getBackgrounds = endpoint('GET', '/api/media/locations/:location/backgrounds', {
  summary: 'The backgrounds of a location and of its tour.',
  access: 'signedIn',
  location: 'params.location',
  params: Type.Object({ location: LocationUid }),
  reply: LocationBackgrounds,
});

const ofLocation = Type.Object({ location: LocationUid, kind: Type.Enum([...backgroundKinds]) });

export const addBackground = endpoint('POST', '/api/media/locations/:location/backgrounds/:kind/images', {
  summary:
    'Adds or replaces a background as a form with one JPEG, PNG or SVG of at most 20 MB. Pictures lose their metadata ' +
    `and fit into 2560 x 1440, drawings lose everything active. ${conflictText}`,
  access: 'configure',
  location: 'params.location',
  params: ofLocation,
  query: uploadQuery,
  reply: BackgroundsSaved,
});

export const arrangeBackgrounds = endpoint('PUT', '/api/media/locations/:location/backgrounds/:kind', {
  summary: `Sets the order of backgrounds. Backgrounds that are left out are removed. ${conflictText}`,
  access: 'configure',
  location: 'params.location',
  params: ofLocation,
  body: arrangement,
  reply: BackgroundsSaved,
});

export const getLoginBackgrounds = endpoint('GET', '/api/media/login-backgrounds', {
  summary: 'The backgrounds of the login screen.',
  access: 'configure',
  reply: Backgrounds,
});

export const addLoginBackground = endpoint('POST', '/api/media/login-backgrounds/images', {
  summary:
    'Adds or replaces a background of the login screen as a form with one JPEG, PNG or SVG, or one MP4 of at most 50 ' +
    `MB, which is shown alone. Everybody can see it. ${conflictText}`,
  access: 'configure',
  query: uploadQuery,
  reply: BackgroundsSaved,
});

export const arrangeLoginBackgrounds = endpoint('PUT', '/api/media/login-backgrounds', {
  summary: `Sets the order of the backgrounds of the login screen. Backgrounds that are left out are removed. ${conflictText}`,
  access: 'configure',
  body: arrangement,
  reply: BackgroundsSaved,
});
