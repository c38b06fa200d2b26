import { Type, type Static } from 'typebox';
import { endpoint } from '#core';
import { nullable } from '#core/api';

const Fraction = Type.Number({ minimum: 0, maximum: 1 });

/** The area of a location on the navigation image of an ancestor. */
export type NavigationArea = Static<typeof NavigationArea>;
export const NavigationArea = Type.Object({
  location: Type.String(),
  /** A closed polygon in fractions of the image: x from the left, y from the top. */
  polygon: Type.Array(Type.Array(Fraction, { minItems: 2, maxItems: 2 }), { minItems: 3 }),
});

/** The file addresses of one location's images. An absent image is null. */
export type LocationPictures = Static<typeof LocationPictures>;
export const LocationPictures = Type.Object({
  location: Type.String(),
  /** 250 x 250 pixels. */
  icon: nullable(Type.String()),
  /** 1980 x 1080 pixels. */
  navigationImage: nullable(Type.String()),
  areas: Type.Array(NavigationArea),
});

export const listLocationPictures = endpoint('GET', '/api/location-pictures', {
  summary: 'Lists the icons and navigation images of the locations that the caller can access.',
  access: 'signedIn',
  reply: Type.Array(LocationPictures),
});
